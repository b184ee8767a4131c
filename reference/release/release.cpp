#include "reference/release/release.h"

#include "reference/release/catalogue.h"
#include "reference/release/toml_reader.h"

namespace nodebound {
namespace {

bool on(const GateSettings& gates, const std::string& name) {
  const auto found = gates.find(name);
  return found != gates.end() && found->second;
}

const GateEntry::Stage* stage_at(const GateEntry& gate, const Version& version) {
  if (gate.until && version >= *gate.until) return nullptr;
  for (const ReleaseRange& absent : gate.absent) {
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

std::string to_flag(const GateSettings& gates) {
  std::string out;
  for (const auto& [name, on] : gates) out += (out.empty() ? "" : ",") + name + (on ? "=true" : "=false");
  return out;
}

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
  Release release{version, {}, &catalogue};
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
      if (!required.range.contains(version) || on(release.gates, required.gate)) continue;
      return input_error("--feature-gates",
                         gate.name + " needs " + required.gate + " in Kubernetes " + version.text() +
                             ", where an API server does not start without",
                         "set " + required.gate + "=true or " + gate.name + "=false");
    }
  }
  return release;
}

std::vector<std::string> Release::changed_gates() const {
  std::vector<std::string> changed;
  for (const auto& [name, value] : gates) {
    const GateEntry* gate = catalogue->find_gate(name);
    const GateEntry::Stage* stage = gate == nullptr ? nullptr : stage_at(*gate, version);
    if (stage == nullptr || stage->on != value) changed.push_back(name + (value ? "=true" : "=false"));
  }
  return changed;
}

bool Release::is_on(const std::string& gate) const {
  if (const auto found = gates.find(gate); found != gates.end()) return found->second;
  const GateEntry* entry = catalogue->find_gate(gate);
  return entry != nullptr && entry->graduated_before(version);
}

bool Release::does(Behaviour behaviour) const {
  return any_holds((*catalogue)[behaviour].in_force, *this);
}

bool Release::has(KubeletTrait trait) const {
  return any_holds((*catalogue)[trait].in_force, *this);
}

}  // namespace nodebound
