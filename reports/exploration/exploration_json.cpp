#include <nlohmann/json.hpp>

#include "reports/exploration/exploration.h"
#include "reports/json_object.h"

namespace nodebound {
namespace {

using Json = nlohmann::ordered_json;

Json side_section(const Exploration::Side& side) {
  return {{"name", side.name},
          {"version", side.version},
          {"release", side.release},
          {"rules_in_force", side.rules_in_force}};
}

Json summary_section(const Exploration& exploration) {
  return {{"requests", exploration.requests},
          {"episodes", exploration.episodes},
          {"different", new_differences(exploration)},
          {"known", known_differences(exploration)},
          {"not_found_again", unsteady_differences(exploration)},
          {"reworded", exploration.reworded},
          {"exit_code", exit_code(exploration)}};
}

Json difference_section(const Exploration::Difference& difference) {
  Json out;
  out["count"] = difference.count;
  out["episode"] = difference.episode;
  out["found_again"] = difference.steady;
  out["small"] = difference.small;
  put_unless_empty(out, "rule", difference.rule);
  out["explained"] = to_string(difference.explained);
  put_unless_empty(out, "by", difference.by);
  if (!difference.together.empty()) out["together"] = difference.together;
  put_unless_empty(out, "statement", difference.statement);
  out["steps"] = difference.steps;
  out["a"] = difference.a;
  out["b"] = difference.b;
  put_unless_empty(out, "message_a", difference.message_a);
  put_unless_empty(out, "message_b", difference.message_b);
  put_unless_empty(out, "scenario", difference.scenario);
  put_unless_empty(out, "no_scenario", difference.no_scenario);
  return out;
}

}  // namespace

std::string to_json(const Exploration& exploration) {
  Json out;
  out["schema"] = exploration_schema;
  out["run"] = {{"started", exploration.run.started},
                {"host", exploration.run.host},
                {"tool_version", exploration.run.tool_version},
                {"seconds", exploration.run.seconds}};
  out["seed"] = exploration.seed;
  out["a"] = side_section(exploration.a);
  out["b"] = side_section(exploration.b);
  out["summary"] = summary_section(exploration);
  out["rules_fired"] = Json::object();
  for (const auto& [rule, count] : exploration.rules_fired) out["rules_fired"][rule] = count;
  out["rules_not_fired"] = exploration.rules_not_fired;
  out["differences"] = Json::array();
  for (const auto& difference : exploration.differences) out["differences"].push_back(difference_section(difference));
  return json_text(out);
}

}  // namespace nodebound
