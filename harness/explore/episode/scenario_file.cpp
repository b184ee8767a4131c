#include "harness/explore/episode/scenario_file.h"

#include <algorithm>

#include "harness/scenario/toml_json.h"

namespace nodebound::explore {
namespace {

// JSON pointers to what a merge patch removes.
void collect_nulls(const Object& body, const std::string& at, std::vector<std::string>& out) {
  for (const auto& [key, value] : body.items()) {
    std::string here = at;
    here.append("/");
    for (const char c : key) here += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    if (value.is_object()) collect_nulls(value, here, out);
    if (value.is_null()) out.push_back(std::move(here));
  }
}

std::string list_of(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : ", ") + toml_string(text);
  return "[" + out + "]";
}

std::string without_verb(const RequestText& request) {
  const std::string text = to_text(request);
  return text.substr(text.find(' ') + 1);
}

std::string action_text(const Action& action) {
  const std::string target = without_verb(action.target);
  switch (action.kind) {
    case Action::Kind::create:
      return "{ create = " + toml_string(target) +
             ", body = " + to_toml(action.body.is_null() ? Object::object() : action.body) + " }";
    case Action::Kind::remove:
      return toml_string("delete " + target);
    case Action::Kind::bind:
      return toml_string("bind pods/" + action.target.name + " to " + action.node);
    case Action::Kind::change:
      break;
  }
  std::vector<std::string> removed;
  collect_nulls(action.body, "", removed);
  return "{ change = " + toml_string(target) + ", body = " + to_toml(action.body) +
         (removed.empty() ? "" : ", remove = " + list_of(removed)) + " }";
}

bool is_plain_node(const Step& step) {
  if (step.check) return false;
  const Action& action = step.actions.front();
  return action.kind == Action::Kind::create && action.target.resource == "nodes" &&
         (action.body.is_null() || action.body.empty());
}

std::string asked(const Check& check) {
  std::string out =
      "as = " + toml_string(to_text(check.subject)) + "\nrequest = " + toml_string(to_text(check.request)) + "\n";
  const bool create = check.request.verb == "create" && !check.review;
  if (!check.body.is_null() && (!check.body.empty() || create)) out += "body = " + to_toml(check.body) + "\n";
  if (!check.attributes.is_null() && !check.attributes.empty())
    out += "attributes = " + to_toml(check.attributes) + "\n";
  if (!check.remove.empty()) out += "remove = " + list_of(check.remove) + "\n";
  if (!check.ways.empty()) out += "ways = [\"" + std::string(to_string(check.ways.front())) + "\"]\n";
  if (check.review) out += "review = true\n";
  if (check.keep) out += "keep = true\n";
  return out;
}

const char* profile_of(const RuleEntry& rule) {
  if (rule.plugin == "NodeRestriction") return "node-restriction";
  if (rule.plugin.starts_with("Certificate")) return "certificates";
  if (rule.layer != Layer::authorizer) return "mirror-pods";
  return rule.authorizer == "rbac" ? "rbac" : "node-authorizer";
}

std::string step_text(const Step& step, const std::string& expectation) {
  const std::string content =
      step.check ? asked(*step.check) + expectation : "do = " + action_text(step.actions.front());
  return "\n[[steps]]\n" + content + "\n";
}

std::vector<std::string> plain_nodes(const std::vector<Step>& steps) {
  std::vector<std::string> out;
  while (out.size() < steps.size() && is_plain_node(steps[out.size()])) {
    out.push_back(steps[out.size()].actions.front().target.name);
  }
  return out;
}

std::string head(const Scenario& scenario, const ScenarioText& text, const char* profile) {
  std::string out = "#:schema ../scenario.schema.json\n";
  const std::string found = "Found by exploring: " + to_text(scenario.steps.back().check->request);
  out += "title = " + toml_string(text.title.empty() ? found : text.title) + "\n";
  out += "about = " + toml_string(text.about) + "\nprofile = \"" + profile + "\"\n";
  const std::vector<std::string> nodes = plain_nodes(scenario.steps);
  if (!nodes.empty()) out += "nodes = " + list_of(nodes) + "\n";
  if (!scenario.subjects.empty()) out += "\n[subjects]\n";
  for (const auto& [name, subject] : scenario.subjects) {
    out += toml_key(name) + " = { user = " + toml_string(subject.user) + ", groups = " + list_of(subject.groups) +
           (subject.widened ? ", widened = true" : "") + " }\n";
  }
  return out;
}

}  // namespace

Result<std::string> scenario_of(const EpisodeDifference& difference, const std::vector<Heard>& by_rules,
                                const ScenarioText& text, const Catalogue& catalogue) {
  const std::vector<Step>& steps = difference.episode.scenario.steps;
  const std::size_t last = steps.size() - 1;
  const std::optional<Rule> decides =
      by_rules.size() == steps.size() ? catalogue.find(by_rules[last].rule) : std::nullopt;
  if (!decides) return input_error("", "no rule is known that decides");
  if (difference.a.answer.kind == Answer::Kind::unclear || !steps[last].check) {
    return input_error("", "a scenario expects something to be allowed or refused, and it is neither");
  }
  std::string out = head(difference.episode.scenario, text, profile_of(catalogue[*decides]));
  for (std::size_t at = plain_nodes(steps).size(); at < steps.size(); ++at) {
    // Earlier steps expect the answers that the rules give.
    const Heard& heard = at == last ? difference.a : by_rules[at];
    const std::string rule = at == last || by_rules[at].rule.empty() ? by_rules[last].rule : by_rules[at].rule;
    const bool allow = heard.answer.kind == Answer::Kind::allowed;
    out += step_text(steps[at], (allow ? "allow = \"" : "deny = \"") + rule + "\"");
  }
  return out;
}

}  // namespace nodebound::explore
