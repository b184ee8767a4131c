#include "harness/explore/episode/mutation.h"

#include <algorithm>

#include "harness/scenario/substitute.h"

namespace nodebound::explore {
namespace {

using Steps = std::vector<Step>;

const char* any_node(Chance& chance) {
  return chance.pick({"a", "b", "ab", "a-b", "none", "x"});
}

Step* any_check(Steps& steps, Chance& chance) {
  for (int draws = 0; draws < 8; ++draws) {
    Step& step = steps[chance.below(steps.size())];
    if (step.check) return &step;
  }
  return nullptr;
}

Step* any_action(Steps& steps, Chance& chance, Action::Kind kind) {
  for (int draws = 0; draws < 8; ++draws) {
    Step& step = steps[chance.below(steps.size())];
    if (!step.check && step.actions.front().kind == kind) return &step;
  }
  return nullptr;
}

void other_subject(Episode& episode, Chance& chance) {
  Step* step = any_check(episode.scenario.steps, chance);
  if (step == nullptr) return;
  const auto& named = episode.scenario.subjects;
  if (!named.empty() && chance.one_in(3)) {
    const auto drawn = std::next(named.begin(), static_cast<std::ptrdiff_t>(chance.below(named.size())));
    step->check->subject = {SubjectText::Kind::named, drawn->first};
  } else {
    const bool widened = chance.one_in(4);
    step->check->subject = {widened ? SubjectText::Kind::widened_node : SubjectText::Kind::node, any_node(chance)};
  }
}

// Replaces a verb by one that is sent the same way. A `change` has another form of body, so it stays.
void other_verb(Episode& episode, Chance& chance) {
  Step* step = any_check(episode.scenario.steps, chance);
  if (step == nullptr) return;
  Check& check = *step->check;
  if (check.request.verb == "change" || !check.request.resource_request) {
    check.review = check.request.resource_request && check.ways.empty();
    return;
  }
  check.request.verb = chance.pick({"get", "list", "watch", "update", "delete", "create", "deletecollection", "patch"});
  // A create or update without a body would only test validation, so it is asked by review.
  const bool bare = check.body.is_null() && (check.request.verb == "create" || check.request.verb == "update");
  check.review = check.request.verb == "patch" || bare || chance.one_in(2);
  if (!check.review) check.attributes = {};
}

void other_way(Episode& episode, Chance& chance) {
  Step* step = any_check(episode.scenario.steps, chance);
  if (step == nullptr || step->check->ways.empty() || !step->check->remove.empty()) return;
  step->check->ways = {chance.pick(all_ways)};
}

void other_name(Episode& episode, Chance& chance) {
  Step* step = any_check(episode.scenario.steps, chance);
  const Step* from = any_check(episode.scenario.steps, chance);
  if (step == nullptr || step->check->request.name.empty()) return;
  RequestText& request = step->check->request;
  switch (chance.below(4)) {
    case 0:
      request.name += chance.pick({"x", "-x", "2"});
      break;
    case 1:
      request.name = any_node(chance);
      break;
    case 2:
      if (!request.namespace_.empty()) request.namespace_ = chance.pick({"shop", "shop-2", "default", "kube-system"});
      break;
    default:
      if (from != nullptr && !from->check->request.name.empty()) request.name = from->check->request.name;
  }
}

void other_selector(Episode& episode, Chance& chance) {
  Step* step = any_check(episode.scenario.steps, chance);
  if (step == nullptr) return;
  RequestText& request = step->check->request;
  if (request.verb != "list" && request.verb != "watch" && request.verb != "deletecollection") return;
  const std::string node = std::string("{") + any_node(chance) + "}";
  const std::string_view form =
      chance.pick({"spec.nodeName=N", "spec.nodeName==N", "spec.nodeName!=N", "", "metadata.name=N",
                   "spec.nodeName=N,metadata.name=x", "metadata.name=x,spec.nodeName=N"});
  request.field_selector = form;
  if (!form.empty()) request.field_selector.replace(request.field_selector.find("=N") + 1, 1, node);
}

// Replaces one node by another wherever an object names it.
Object with_other_node(const Object& body, Chance& chance) {
  const std::string other = any_node(chance);
  const std::string_view from = chance.pick({"a", "b"});
  return substitute_in(body, [&](std::string_view name) -> std::optional<std::string> {
    if (name == from) return "{" + other + "}";
    return std::nullopt;
  });
}

// Fields that rules read. The rest of an object concerns validation, which the fake server has only in part.
bool matters(const std::string& pointer) {
  for (const std::string_view part :
       {"/metadata/labels", "/metadata/annotations", "/metadata/ownerReferences", "/nodeName", "/serviceAccountName",
        "/audiences", "/boundObjectRef", "/podName", "/podUID", "/nodeUID", "/claimRef", "/taints", "/rules/",
        "/subjects/", "/extendedResourceClaimStatus", "/resourceClaimStatuses", "/reason", "/signerName"}) {
    if (pointer.find(part) != std::string::npos) return true;
  }
  return false;
}

void spoil_member(Object& body, Chance& chance) {
  const Object flat = body.flatten();
  std::vector<std::string> pointers;
  for (const auto& [pointer, leaf] : flat.items()) {
    if (matters(pointer)) pointers.push_back(pointer);
  }
  if (pointers.empty()) return;
  const Object::json_pointer at(chance.pick(pointers));
  Object& member = body[at];
  if (chance.one_in(3)) {
    Object& parent = body[at.parent_pointer()];
    if (parent.is_object()) parent.erase(at.back());
  } else if (member.is_string()) {
    member = chance.pick({"", "x", "{a}", "{b}", "caf\xc3\xa9", "v2", "a.b"});
  } else if (member.is_boolean()) {
    member = !member.get<bool>();
  }
}

void other_body(Episode& episode, Chance& chance) {
  Step& step = episode.scenario.steps[chance.below(episode.scenario.steps.size())];
  Object& body = step.check ? step.check->body : step.actions.front().body;
  if (!body.is_object() || body.empty()) return;
  if (chance.one_in(2)) {
    body = with_other_node(body, chance);
  } else {
    spoil_member(body, chance);
  }
}

void leave_out(Episode& episode, Chance& chance) {
  Steps& steps = episode.scenario.steps;
  if (steps.size() > 3) steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(chance.below(steps.size())));
}

void ask_again_later(Episode& episode, Chance& chance) {
  Steps& steps = episode.scenario.steps;
  for (int count = 0; count < 4; ++count) {
    const Step* step = any_check(steps, chance);
    if (step == nullptr) return;
    const Step copy = *step;
    const std::size_t from = static_cast<std::size_t>(step - steps.data());
    const std::size_t at = from + 1 + chance.below(steps.size() - from);
    steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(at), copy);
  }
}

void make_anew(Episode& episode, Chance& chance) {
  Steps& steps = episode.scenario.steps;
  const Step* made = any_action(steps, chance, Action::Kind::create);
  if (made == nullptr) return;
  Step again = *made;
  Action removal{Action::Kind::remove, again.actions.front().target, {}, {}, 0};
  removal.target.verb = "delete";
  const std::size_t from = static_cast<std::size_t>(made - steps.data());
  const std::size_t at = from + 1 + chance.below(steps.size() - from);
  if (chance.one_in(2)) again.actions.front().body = with_other_node(again.actions.front().body, chance);
  if (!chance.one_in(3)) steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(at), again);
  steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(at), step_of(removal));
}

void move_to_later(Episode& episode, Chance& chance) {
  Steps& steps = episode.scenario.steps;
  const std::size_t from = chance.below(steps.size());
  const std::size_t to = from + chance.below(steps.size() - from);
  std::rotate(steps.begin() + static_cast<std::ptrdiff_t>(from), steps.begin() + static_cast<std::ptrdiff_t>(from) + 1,
              steps.begin() + static_cast<std::ptrdiff_t>(to) + 1);
}

void really_do_it(Episode& episode, Chance& chance) {
  if (Step* step = any_check(episode.scenario.steps, chance)) step->check->keep = !step->check->review;
}

void take_over(Episode& episode, const Episode& other, Chance& chance) {
  if (other.scenario.steps.empty()) return;
  Steps& steps = episode.scenario.steps;
  const Steps& theirs = other.scenario.steps;
  const std::size_t from = chance.below(theirs.size());
  const std::size_t count = std::min<std::size_t>(1 + chance.below(12), theirs.size() - from);
  const auto first = theirs.begin() + static_cast<std::ptrdiff_t>(from);
  const std::size_t at = chance.below(steps.size() + 1);
  steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(at), first, first + static_cast<std::ptrdiff_t>(count));
  for (const auto& [name, subject] : other.scenario.subjects) episode.scenario.subjects.try_emplace(name, subject);
}

void mutate_once(Episode& episode, const Episode& other, Chance& chance) {
  switch (chance.below(16)) {
    case 0:
    case 1:
      return other_subject(episode, chance);
    case 2:
      return other_verb(episode, chance);
    case 3:
      return other_way(episode, chance);
    case 4:
    case 5:
      return other_name(episode, chance);
    case 6:
      return other_selector(episode, chance);
    case 7:
    case 8:
      return other_body(episode, chance);
    case 9:
      return leave_out(episode, chance);
    case 10:
      return ask_again_later(episode, chance);
    case 11:
    case 12:
      return make_anew(episode, chance);
    case 13:
      return move_to_later(episode, chance);
    case 14:
      return really_do_it(episode, chance);
    default:
      return take_over(episode, other, chance);
  }
}

bool is_shared(const RequestText& request) {
  return request.name.starts_with("=") || request.name.starts_with("system:") || request.namespace_ == "kube-system" ||
         request.namespace_.starts_with("=");
}

// The episode's own subjects get names that are made for it.
bool grants_to_others(const RequestText& target, const Object& binding) {
  if (target.resource != "clusterrolebindings") return false;
  const auto has_own_name = [](const Object& subject) {
    return text(subject, "name").find('{') != std::string_view::npos ||
           text(subject, "namespace").find('{') != std::string_view::npos;
  };
  const Object& subjects = member(binding, "subjects");
  return !std::all_of(subjects.begin(), subjects.end(), has_own_name);
}

// What others on the target, including other episodes, would notice.
bool is_noticed(const Step& step) {
  if (step.check) return false;
  const Action& action = step.actions.front();
  return is_shared(action.target) || grants_to_others(action.target, action.body);
}

}  // namespace

Episode mutated(Episode episode, const Episode& other, Chance& chance) {
  if (episode.scenario.steps.empty()) return episode;
  for (std::size_t count = 2 + chance.below(7); count > 0; --count) mutate_once(episode, other, chance);
  return episode;
}

void make_presentable(Episode& episode, std::size_t most) {
  Steps& steps = episode.scenario.steps;
  std::erase_if(steps, is_noticed);
  if (steps.size() > most) steps.resize(most);
  for (Step& step : steps) {
    if (!step.check) continue;
    Check& check = *step.check;
    const bool generated = member(check.body, "metadata").contains("generateName");
    // A DELETE without a name deletes the collection, whatever the verb is called.
    const bool many = check.request.name.empty() || check.request.verb == "deletecollection";
    // Its effect on a collection depends on the objects of others in it.
    const bool of_all = check.request.namespaced ? check.request.namespace_.empty() : check.request.resource_request;
    if (check.request.verb == "deletecollection" && of_all) check.review = true;
    const bool noticed = is_shared(check.request) || grants_to_others(check.request, check.body);
    if (generated || many || noticed || check.request.resource == "namespaces") check.keep = false;
  }
}

}  // namespace nodebound::explore
