#include "reference/release/rule_set.h"

#include <algorithm>

#include "reference/release/toml_reader.h"

namespace nodebound {
namespace {

bool since_holds(const std::vector<Version>& since, const Version& version) {
  if (version >= since.back()) return true;
  return std::any_of(since.begin(), since.end(), [&](const Version& first) {
    return first.major == version.major && first.minor == version.minor && version >= first;
  });
}

bool on(const GateSettings& gates, const std::string& name) {
  const auto found = gates.find(name);
  return found != gates.end() && found->second;
}

bool holds(const ForceRange& range, const Release& release) {
  const auto is_on = [&](const std::string& gate) { return on(release.gates, gate); };
  return since_holds(range.since, release.version) && (!range.until || release.version < *range.until) &&
         std::all_of(range.gates.begin(), range.gates.end(), is_on) &&
         (range.any_gate.empty() || std::any_of(range.any_gate.begin(), range.any_gate.end(), is_on)) &&
         std::none_of(range.unless_gates.begin(), range.unless_gates.end(), is_on);
}

const GateEntry::Stage* stage_at(const GateEntry& gate, const Version& version) {
  if (gate.until && version >= *gate.until) return nullptr;
  for (const VersionRange& absent : gate.absent) {
    if (absent.contains(version)) return nullptr;
  }
  const GateEntry::Stage* current = nullptr;
  for (const GateEntry::Stage& stage : gate.stages) {
    if (version >= stage.since) current = &stage;
  }
  return current;
}

// The releases in which the gate can have this value, for the error that refuses it.
std::string where_settable(const GateEntry& gate, bool value) {
  const std::string from = gate.stages.front().since.text();
  std::string until = gate.until ? " up to before " + gate.until->text() : "";
  for (const GateEntry::Stage& stage : gate.stages) {
    if (stage.locked && stage.on != value) until = " up to before " + stage.since.text();
  }
  return "from " + from + until;
}

}  // namespace

GateSettings Release::taken(const Catalogue& catalogue, const Version& version, const GateSettings& set) {
  GateSettings taken;
  for (const auto& [name, value] : set) {
    const GateEntry* gate = catalogue.find_gate(name);
    const GateEntry::Stage* stage = gate == nullptr ? nullptr : stage_at(*gate, version);
    if (stage != nullptr && (!stage->locked || stage->on == value)) taken[name] = value;
  }
  return taken;
}

Result<Release> Release::make(const Catalogue& catalogue, const Version& version, const GateSettings& set) {
  if (!catalogue.releases().contains(version)) {
    return input_error("--release", "the catalogue does not know Kubernetes " + version.text(),
                       "it knows the releases " + catalogue.releases().text());
  }
  Release release{version, {}};
  for (const GateEntry& gate : catalogue.gates()) {
    if (const GateEntry::Stage* stage = stage_at(gate, version)) release.gates[gate.name] = stage->on;
  }
  for (const auto& [name, value] : set) {
    const std::string given = name + "=" + (value ? "true" : "false");
    const GateEntry* gate = catalogue.find_gate(name);
    if (gate == nullptr) {
      std::vector<std::string> known;
      for (const GateEntry& entry : catalogue.gates()) known.push_back(entry.name);
      return input_error("--feature-gates", "no release has a feature gate " + name + did_you_mean(name, known),
                         "`nodebound rules --gates` lists those that rules depend on");
    }
    const GateEntry::Stage* stage = stage_at(*gate, version);
    if (stage == nullptr) {
      return input_error("--feature-gates", "Kubernetes " + version.text() + " has no feature gate " + name,
                         given + " is possible " + where_settable(*gate, value));
    }
    if (stage->locked && stage->on != value) {
      return input_error("--feature-gates",
                         name + " is locked to " + (stage->on ? "true" : "false") + " in Kubernetes " + version.text(),
                         given + " is possible " + where_settable(*gate, value));
    }
    release.gates[name] = value;
  }
  for (const GateEntry& gate : catalogue.gates()) {
    if (!on(release.gates, gate.name)) continue;
    for (const GateEntry::Requirement& required : gate.requirements) {
      const bool holds = version >= required.since && (!required.until || version < *required.until);
      if (!holds || on(release.gates, required.gate)) continue;
      return input_error("--feature-gates",
                         gate.name + " needs " + required.gate + " in Kubernetes " + version.text() +
                             ", where an API server does not start without",
                         "set " + required.gate + "=true or " + gate.name + "=false");
    }
  }
  return release;
}

std::vector<std::string> Release::changed_gates(const Catalogue& catalogue) const {
  std::vector<std::string> changed;
  for (const auto& [name, value] : gates) {
    const GateEntry* gate = catalogue.find_gate(name);
    const GateEntry::Stage* stage = gate == nullptr ? nullptr : stage_at(*gate, version);
    if (stage == nullptr || stage->on != value) changed.push_back(name + (value ? "=true" : "=false"));
  }
  return changed;
}

RuleSet::RuleSet(const Catalogue& catalogue, const Release& release) : catalogue_(&catalogue), release_(release) {
  for (std::size_t i = 0; i < rule_count; ++i) {
    const RuleEntry& rule = catalogue.rules()[i];
    bits_[i] = std::any_of(rule.in_force.begin(), rule.in_force.end(),
                           [&](const ForceRange& range) { return holds(range, release); });
    for (const auto& [since, text] : rule.refusal) {
      if (release.version >= since || texts_[i].empty()) texts_[i] = text;
    }
  }
}

RuleSet RuleSet::with_flipped(Rule rule) const {
  return with_flipped(std::vector<Rule>{rule});
}

RuleSet RuleSet::with_flipped(const std::vector<Rule>& rules) const {
  RuleSet other = *this;
  for (const Rule rule : rules) other.bits_.flip(static_cast<std::size_t>(rule));
  return other;
}

}  // namespace nodebound
