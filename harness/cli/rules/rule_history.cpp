#include "harness/cli/rules/rule_history.h"

#include <algorithm>
#include <set>

namespace nodebound::cli {
namespace {

std::string listed(const std::vector<std::string>& items, const char* last) {
  std::string out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    out += (i == 0 ? "" : i + 1 < items.size() ? ", " : last) + items[i];
  }
  return out;
}

void add(std::vector<std::string>& out, const std::vector<std::string>& gates) {
  for (const std::string& gate : gates) {
    if (std::find(out.begin(), out.end(), gate) == out.end()) out.push_back(gate);
  }
}

void add_versions(std::set<Version>& out, const RuleEntry& rule) {
  for (const ReleaseRange& range : rule.in_force) {
    out.insert(range.since.begin(), range.since.end());
    if (range.until) out.insert(*range.until);
  }
}

void add_versions(std::set<Version>& out, const GateEntry& gate) {
  for (const GateEntry::Stage& stage : gate.stages) out.insert(stage.since);
  if (gate.until) out.insert(*gate.until);
}

}  // namespace

std::string describe(const ReleaseRange& range) {
  std::vector<std::string> since;
  since.reserve(range.since.size());
  for (const Version& version : range.since) since.push_back(version.short_text());
  std::string text = "since " + listed(since, " and ");
  if (range.until) text += ", before " + range.until->short_text();
  if (!range.gates.empty()) text += ", with " + listed(range.gates, " and ");
  if (!range.any_gate.empty()) text += ", with " + listed(range.any_gate, " or ");
  if (!range.unless_gates.empty()) text += ", without " + listed(range.unless_gates, " and ");
  return text;
}

std::string history_of(const RuleEntry& rule) {
  std::string text;
  for (const ReleaseRange& range : rule.in_force) text += (text.empty() ? "" : "; ") + describe(range);
  return text;
}

std::string history_of(const GateEntry& gate) {
  std::string text;
  for (const GateEntry::Stage& stage : gate.stages) {
    text += std::string(text.empty() ? "" : ", ") + (stage.locked ? "locked " : "") + (stage.on ? "on" : "off") +
            " from " + stage.since.short_text();
  }
  if (gate.until) text += ", gone in " + gate.until->short_text();
  return text;
}

std::vector<std::string> gates_of(const RuleEntry& rule) {
  std::vector<std::string> gates;
  for (const ReleaseRange& range : rule.in_force) {
    add(gates, range.gates);
    add(gates, range.any_gate);
    add(gates, range.unless_gates);
  }
  return gates;
}

const RuleSet* RuleHistory::rules_at(const Version& version, const GateSettings& gates) {
  const auto [found, is_new] = rules_.try_emplace({version, gates});
  if (is_new) {
    if (const Result<Release> release = Release::make(catalogue_, version, gates)) {
      found->second.emplace(catalogue_, *release);
    }
  }
  return found->second ? &*found->second : nullptr;
}

Standing RuleHistory::standing(Rule rule, const Version& version) {
  // No rule is in force before the first release that the catalogue knows.
  if (!catalogue_.releases().contains(version)) return Standing::absent;
  if (rules_at(version, {})->in_force(rule)) return Standing::in_force;
  for (const ReleaseRange& range : catalogue_[rule].in_force) {
    GateSettings wanted;
    for (const std::string& gate : range.gates) wanted[gate] = true;
    for (const std::string& gate : range.unless_gates) wanted[gate] = false;
    for (const std::string& gate : range.gates) {
      for (const GateEntry::Requirement& required : catalogue_.find_gate(gate)->requirements) {
        if (Release::taken(catalogue_, version, {{required.gate, true}}).empty()) continue;
        wanted[required.gate] = true;
      }
    }
    std::vector<GateSettings> settings = {wanted};
    for (const std::string& gate : range.any_gate) settings.push_back({{gate, true}});
    for (const GateSettings& gates : settings) {
      const RuleSet* rules = rules_at(version, gates);
      if (rules != nullptr && rules->in_force(rule)) return Standing::behind_gate;
    }
  }
  return Standing::absent;
}

std::vector<Turn> RuleHistory::turns(Rule rule) {
  std::set<Version> versions;
  add_versions(versions, catalogue_[rule]);
  for (const std::string& name : gates_of(catalogue_[rule])) {
    if (const GateEntry* gate = catalogue_.find_gate(name)) add_versions(versions, *gate);
  }
  std::vector<Turn> turns;
  for (const Version& version : versions) {
    const Turn turn{version, standing(rule, version.previous()), standing(rule, version)};
    if (turn.before != turn.after) turns.push_back(turn);
  }
  return turns;
}

}  // namespace nodebound::cli
