#include "harness/explore/episode/draft.h"

#include <stdexcept>

namespace nodebound::explore {
namespace {

// The drawing code itself writes these sentences, so an invalid one is a defect of that code.
template <typename T>
T sound(Result<T> result, const std::string& text) {
  if (!result) throw std::logic_error("drawn \"" + text + "\": " + result.error().text());
  return std::move(*result);
}

constexpr std::size_t batch = 16;

}  // namespace

std::string Draft::node() {
  return chance_.pick({"a", "a", "a", "a", "b", "b", "b", "ab", "a-b", "a.b", "none"});
}

std::string Draft::name() {
  if (chance_.one_in(25)) return std::string(253, 'n');
  return chance_.pick({"x", "x", "x", "y", "y", "xy", "x-y", "x.y", "a", "default", "0"});
}

std::string Draft::namespace_() {
  return chance_.pick({"shop", "shop", "shop", "shop", "shop-2", "vault"});
}

std::string Draft::who() {
  switch (chance_.below(24)) {
    case 0:
      return "anonymous";
    case 1:
      return "admin";
    case 2:
    case 3:
      return "widened " + node();
    default:
      return "node " + node();
  }
}

std::string Draft::way(const std::string& noun, const std::string& kind) {
  const std::vector<std::string> ways = fixtures_.ways(noun, kind);
  return ways.empty() ? std::string() : " via " + chance_.pick(ways);
}

Step Draft::made(const std::string& sentence, const Object& body) const {
  Action action = sound(fixtures_.action(sentence), sentence);
  if (!body.is_null()) merge_fragment(action.body, body);
  return step_of(std::move(action));
}

void Draft::make(const std::string& sentence, const Object& body) {
  setup_.push_back(made(sentence, body));
}

void Draft::create(const std::string& target, Object body) {
  setup_.push_back(
      step_of(Action{Action::Kind::create, sound(parse_request("create " + target), target), std::move(body), {}, 0}));
}

void Draft::later(const std::string& sentence, const Object& body) {
  changes_.push_back(made(sentence, body));
}

void Draft::later_create(const std::string& target, Object body) {
  changes_.push_back(
      step_of(Action{Action::Kind::create, sound(parse_request("create " + target), target), std::move(body), {}, 0}));
}

void Draft::later_change(const std::string& target, Object body) {
  changes_.push_back(
      step_of(Action{Action::Kind::change, sound(parse_request("patch " + target), target), std::move(body), {}, 0}));
}

void Draft::add(Check check) {
  questions_.push_back(std::move(check));
}

void Draft::ask(const std::string& who, const std::string& request) {
  Check check;
  check.subject = SubjectText::of(who);
  check.request = sound(parse_request(request), request);
  check.review = who != "admin" && !chance_.one_in(3);
  // A list of all objects is long on a server that many episodes have used.
  const bool all = check.request.name.empty() && check.request.field_selector.empty();
  if (all && check.request.resource_request) check.review = who != "admin" ? true : check.review;
  add(std::move(check));
}

void Draft::write(const std::string& who, const std::string& request, Object body) {
  Check check;
  check.subject = SubjectText::of(who);
  check.request = sound(parse_request(request), request);
  check.body = std::move(body);
  check.review = who != "admin" && chance_.one_in(5);
  check.keep = chance_.one_in(10) && !check.body.contains("/metadata/generateName"_json_pointer);
  add(std::move(check));
}

void Draft::change(const std::string& who, const std::string& target, Object body, std::vector<std::string> remove) {
  Check check;
  check.subject = SubjectText::of(who);
  check.request = sound(parse_request("change " + target), target);
  check.body = std::move(body);
  check.remove = std::move(remove);
  check.ways = {chance_.pick(all_ways)};
  // An apply removes only what the same manager has applied before.
  if (!check.remove.empty() && check.ways.front() == Way::apply) check.ways = {Way::merge};
  check.keep = chance_.one_in(12);
  add(std::move(check));
}

void Draft::review(const std::string& who, const std::string& request, Object attributes) {
  Check check;
  check.subject = SubjectText::of(who);
  check.request = sound(parse_request(request), request);
  check.review = true;
  check.attributes = std::move(attributes);
  add(std::move(check));
}

void Draft::subject(const std::string& name, NamedSubject subject) {
  subjects_[name] = std::move(subject);
}

void Draft::ask_some(Episode& episode, std::size_t most) {
  for (std::size_t count = 0; count < most && !questions_.empty(); ++count) {
    episode.scenario.steps.push_back(step_of(chance_.pick(questions_)));
  }
}

Episode Draft::finish() {
  Episode out;
  out.scenario.subjects = subjects_;
  for (const char* name : {"a", "b", "ab", "a-b", "a.b"}) {
    const bool wanted = std::string(name).size() == 1 || chance_.one_in(4);
    if (wanted) out.scenario.steps.push_back(made(std::string("node ") + name, {}));
  }
  out.scenario.steps.insert(out.scenario.steps.end(), setup_.begin(), setup_.end());
  ask_some(out, batch);
  for (int rounds = 0; rounds < 3 && !changes_.empty(); ++rounds) {
    const std::size_t count = 1 + chance_.below(3);
    for (std::size_t at = 0; at < count; ++at) out.scenario.steps.push_back(chance_.pick(changes_));
    ask_some(out, batch);
  }
  return out;
}

}  // namespace nodebound::explore
