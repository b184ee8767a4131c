#include <nlohmann/json.hpp>

#include "harness/cli/rules/rule_history.h"
#include "harness/cli/rules/rules_listing.h"
#include "harness/cli/target.h"
#include "reference/release/source_link.h"
#include "reports/json_object.h"

namespace nodebound::cli {
namespace {

using Json = nlohmann::ordered_json;

void put_unless_empty(Json& object, const char* key, const std::vector<std::string>& values) {
  if (!values.empty()) object[key] = values;
}

Json range_object(const ReleaseRange& range) {
  Json object;
  object["since"] = Json::array();
  for (const Version& version : range.since) object["since"].push_back(version.text());
  if (range.until) object["until"] = range.until->text();
  put_unless_empty(object, "gates", range.gates);
  put_unless_empty(object, "any_gate", range.any_gate);
  put_unless_empty(object, "unless_gates", range.unless_gates);
  return object;
}

Json deviation_object(const Deviation& deviation) {
  Json object;
  object["id"] = deviation.id;
  object["since"] = deviation.range.since.front().text();
  if (deviation.range.until) object["until"] = deviation.range.until->text();
  object["issue"] = deviation.issue;
  object["statement"] = deviation.statement;
  return object;
}

Json rule_object(const RuleEntry& rule, const Catalogue& catalogue) {
  Json object;
  object["id"] = rule.id;
  object["group"] = rule.title;
  object["statement"] = rule.statement;
  object["layer"] = to_string(rule.layer);
  object["effect"] = to_string(rule.effect);
  if (!rule.plugin.empty()) object["plugin"] = rule.plugin;
  if (rule.effect == Effect::restriction) object["status"] = rule.status;
  object["in_force"] = Json::array();
  for (const ReleaseRange& range : rule.in_force) object["in_force"].push_back(range_object(range));
  for (const auto& [since, text] : rule.refusal) {
    Json refusal;
    if (since.major > 0) refusal["since"] = since.text();
    refusal["text"] = text.pattern();
    object["refusal"].push_back(std::move(refusal));
  }
  object["source"] = rule.source;
  object["links"] = Json::array();
  const Version at = read_at(rule, *Version::parse(reference_release));
  for (const std::string& source : rule.source) object["links"].push_back(link_of(source, at));
  if (!rule.unreachable.empty()) object["unreachable"] = rule.unreachable;
  for (const Deviation& deviation : catalogue.deviations()) {
    if (deviation.rule == rule.id) object["deviations"].push_back(deviation_object(deviation));
  }
  return object;
}

Json gate_object(const GateEntry& gate, const Catalogue& catalogue) {
  Json object;
  object["name"] = gate.name;
  object["stages"] = Json::array();
  for (const GateEntry::Stage& stage : gate.stages) {
    Json one;
    one["since"] = stage.since.text();
    one["default"] = stage.on;
    one["locked"] = stage.locked;
    object["stages"].push_back(std::move(one));
  }
  if (gate.until) object["until"] = gate.until->text();
  object["rules"] = rules_of_gate(catalogue, gate.name);
  return object;
}

Json document(const std::optional<Release>& release) {
  Json out;
  out["schema"] = rules_schema;
  if (release) out["release"] = {{"version", release->version.text()}, {"feature_gates", release->gates}};
  return out;
}

std::string written(const Json& document) {
  return json_text(document);
}

Json listed(const std::vector<ListedRule>& rules, const Catalogue& catalogue) {
  Json list = Json::array();
  for (const ListedRule& one : rules) {
    Json rule = rule_object(catalogue[one.rule], catalogue);
    if (!one.when.empty()) rule["when"] = one.when;
    list.push_back(std::move(rule));
  }
  return list;
}

Json check_list(const RuleUse& use) {
  Json checks = Json::array();
  for (const auto& [steps, decision] : {std::pair(&use.permits, "allow"), std::pair(&use.refuses, "deny")}) {
    for (const Step* step : *steps) {
      Json check;
      check["name"] = step->check->name;
      check["expects"] = decision;
      check["where"] = use.scenario->file + ":" + std::to_string(step->line);
      checks.push_back(std::move(check));
    }
  }
  return checks;
}

}  // namespace

std::string to_json(const RuleListing& listing, const Catalogue& catalogue) {
  Json out = document(listing.filter.release);
  if (listing.filter.since) out["since"] = listing.filter.since->text();
  out["rules"] = listed(listing.rules, catalogue);
  if (listing.filter.since) out["removed"] = listed(listing.removed, catalogue);
  return written(out);
}

std::string to_json(const RuleDetails& details, const Catalogue& catalogue) {
  Json out = document(details.release);
  const RuleEntry& rule = catalogue[details.rule];
  Json object = rule_object(rule, catalogue);
  if (details.release) object["in_force_at_release"] = RuleSet(catalogue, *details.release).in_force(details.rule);
  object["scenarios"] = Json::array();
  for (const RuleUse& use : details.uses) {
    Json scenario;
    scenario["id"] = use.scenario->id;
    scenario["title"] = use.scenario->title;
    scenario["profile"] = use.scenario->profile;
    scenario["checks"] = check_list(use);
    object["scenarios"].push_back(std::move(scenario));
  }
  out["rules"] = Json::array({std::move(object)});
  out["gates"] = Json::array();
  for (const std::string& name : gates_of(rule)) {
    if (const GateEntry* gate = catalogue.find_gate(name)) out["gates"].push_back(gate_object(*gate, catalogue));
  }
  return written(out);
}

std::string to_json(const GateListing& listing, const Catalogue& catalogue) {
  Json out = document(listing.release);
  out["gates"] = Json::array();
  for (const GateEntry* gate : listing.gates) out["gates"].push_back(gate_object(*gate, catalogue));
  return written(out);
}

}  // namespace nodebound::cli
