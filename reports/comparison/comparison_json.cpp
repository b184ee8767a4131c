#include <nlohmann/json.hpp>

#include "reports/comparison/comparison_writers.h"
#include "reports/json_object.h"

namespace nodebound {
namespace {

using Json = nlohmann::ordered_json;
using Change = ComparedRequest::Change;

constexpr Change all_changes[] = {Change::now_refused, Change::now_allowed, Change::answered_otherwise,
                                  Change::reworded,    Change::undecided,   Change::only_a,
                                  Change::only_b};

Json side_section(const Comparison::Side& side) {
  Json section;
  section["name"] = side.name;
  section["version"] = side.version;
  section["release"] = side.release;
  section["feature_gates"] = side.feature_gates;
  section["rules_in_force"] = side.rules_in_force;
  if (!side.notes.empty()) section["notes"] = side.notes;
  return section;
}

Json summary_section(const Comparison& comparison) {
  Json section;
  section["asked_of_both"] = comparison.asked_of_both();
  section["same"] = comparison.same;
  for (const Change change : all_changes) section[to_string(change)] = comparison.count(change);
  section["asked_nowhere"] = comparison.asked_nowhere;
  section["exit_code"] = exit_code(comparison);
  return section;
}

Json rule_list(const std::vector<RuleChange>& rules) {
  Json list = Json::array();
  for (const RuleChange& rule : rules) {
    Json object;
    object["id"] = rule.id;
    object["statement"] = rule.statement;
    object["effect"] = rule.effect;
    object["in_force"] = rule.in_force;
    if (!rule.why.empty()) object["why"] = rule.why;
    put_unless_empty(object, "text_a", rule.text_a);
    put_unless_empty(object, "text_b", rule.text_b);
    list.push_back(std::move(object));
  }
  return list;
}

Json answer_object(const ObservedAnswer& answer) {
  Json object = Json::object();
  put_unless_empty(object, "decision", answer.decision);
  put_unless_empty(object, "layer", answer.layer);
  if (answer.status != 0) object["status"] = answer.status;
  put_unless_empty(object, "message", answer.message);
  put_unless_empty(object, "why", answer.why);
  return object;
}

Json request_object(const ComparedRequest& request) {
  Json object;
  object["id"] = request.id;
  object["scenario"] = request.scenario;
  object["profile"] = request.profile;
  object["where"] = request.where;
  object["layer"] = request.layer;
  object["rule"] = request.rule;
  object["rules"] = request.rules;
  put_unless_empty(object, "subject", request.subject);
  put_unless_empty(object, "request", request.request);
  put_unless_empty(object, "body", request.body);
  put_unless_empty(object, "deviation", request.deviation);
  object["a"] = answer_object(request.a);
  object["b"] = answer_object(request.b);
  return object;
}

}  // namespace

std::string to_json(const Comparison& comparison) {
  Json document;
  document["schema"] = comparison_schema;
  document["a"] = side_section(comparison.a);
  document["b"] = side_section(comparison.b);
  document["summary"] = summary_section(comparison);
  document["rules"]["in"] = rule_list(comparison.rules_in);
  document["rules"]["out"] = rule_list(comparison.rules_out);
  document["rules"]["reworded"] = rule_list(comparison.rules_reworded);
  for (const Change change : all_changes) document["requests"][to_string(change)] = Json::array();
  for (const ComparedRequest& request : comparison.changed) {
    document["requests"][to_string(request.change)].push_back(request_object(request));
  }
  return json_text(document);
}

}  // namespace nodebound
