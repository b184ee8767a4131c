#include "harness/explore/episode/episode.h"

#include <algorithm>

namespace nodebound::explore {
namespace {

Action node_made(const std::string& name) {
  return {Action::Kind::create, *parse_request("create nodes/" + name), Object::object(), {}, 0};
}

std::string_view verb_of(Action::Kind kind) {
  switch (kind) {
    case Action::Kind::create:
      return "create";
    case Action::Kind::remove:
      return "delete";
    case Action::Kind::bind:
      return "bind";
    case Action::Kind::change:
      return "change";
  }
  return "";
}

// `=name`, unless it contains a name of the episode's own.
bool is_shared(const std::string& name) {
  return name.starts_with('=') && name.find('{') == std::string::npos;
}

bool binds_a_group(const Object& body) {
  const Object& subjects = member(body, "subjects");
  return std::any_of(subjects.begin(), subjects.end(),
                     [](const Object& subject) { return text(subject, "kind") == "Group"; });
}

}  // namespace

bool shows_to_others(const Episode& episode) {
  return std::any_of(episode.scenario.steps.begin(), episode.scenario.steps.end(), [](const Step& step) {
    if (step.check) return step.check->keep && (is_shared(step.check->request.name) || binds_a_group(step.check->body));
    return std::any_of(step.actions.begin(), step.actions.end(), [](const Action& action) {
      return is_shared(action.target.name) || binds_a_group(action.body);
    });
  });
}

std::size_t requests_of(const Episode& episode) {
  const auto asks = [](const Step& step) { return step.check.has_value(); };
  return static_cast<std::size_t>(std::count_if(episode.scenario.steps.begin(), episode.scenario.steps.end(), asks));
}

Step step_of(Action action) {
  Step step;
  step.actions.push_back(std::move(action));
  return step;
}

Step step_of(Check check) {
  Step step;
  step.check = std::move(check);
  return step;
}

Episode episode_of(const Scenario& scenario, const Version& version, Chance& chance) {
  Episode out;
  out.scenario.subjects = scenario.subjects;
  std::vector<Step>& steps = out.scenario.steps;
  for (const std::string& node : scenario.nodes) steps.push_back(step_of(node_made(node)));
  for (const Action& action : scenario.given) steps.push_back(step_of(action));
  for (const Step& step : scenario.steps) {
    if (!step.holds.contains(version)) continue;
    for (const Action& action : step.actions) steps.push_back(step_of(action));
    if (!step.check) continue;
    Check check = *step.check;
    if (check.ways.size() > 1) check.ways = {chance.pick(check.ways)};
    steps.push_back(step_of(std::move(check)));
  }
  return out;
}

Episode as_reviews(Episode episode) {
  for (Step& step : episode.scenario.steps) {
    if (!step.check || step.check->review) continue;
    Check& check = *step.check;
    if (check.subject.kind == SubjectText::Kind::administrator) continue;
    check.review = true;
    check.keep = false;
    check.complete = false;
    check.lists.reset();
    if (!check.ways.empty()) check.request.verb = check.ways.front() == Way::put ? "update" : "patch";
    check.ways.clear();
    // The URL of a create does not have the name.
    if (check.request.verb == "create" && check.request.subresource.empty()) check.request.name.clear();
  }
  return episode;
}

bool persists(const Check& check) {
  const std::string& verb = check.request.verb;
  return check.keep && !check.review && verb != "get" && verb != "list" && verb != "watch";
}

std::string to_text(const Step& step) {
  if (!step.check) {
    const Action& action = step.actions.front();
    RequestText target = action.target;
    target.verb = verb_of(action.kind);
    const bool plain = action.body.is_null() || action.body.empty();
    return to_text(target) + (action.node.empty() ? "" : " to " + action.node) +
           (plain ? "" : " " + action.body.dump());
  }
  const Check& check = *step.check;
  std::string out = to_text(check.subject) + ": " + to_text(check.request);
  if (!check.ways.empty()) out += " [" + std::string(to_string(check.ways.front())) + "]";
  if (check.review) out += " [review]";
  if (check.keep) out += " [kept]";
  for (const Object* body : {&check.body, &check.attributes}) {
    if (!body->is_null() && !body->empty()) out += " " + body->dump();
  }
  for (const std::string& pointer : check.remove) out += " without " + pointer;
  return out;
}

}  // namespace nodebound::explore
