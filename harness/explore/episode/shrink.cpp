#include "harness/explore/episode/shrink.h"

#include <algorithm>

namespace nodebound::explore {
namespace {

class Shrinker {
 public:
  Shrinker(EpisodeDifference difference, const StillDiffers& still_differs, std::size_t attempts)
      : best_(std::move(difference)), still_differs_(still_differs), left_(attempts) {}

  EpisodeDifference run() {
    cut();
    drop_questions();
    for (std::size_t before = 0; before != size() && left_ > 0;) {
      before = size();
      drop_steps();
      simplify_requests();
      for (std::size_t at = best_.episode.scenario.steps.size(); at-- > 0;) shrink_bodies(at);
    }
    drop_subjects();
    return std::move(best_);
  }

 private:
  using Steps = std::vector<Step>;

  [[nodiscard]] Steps& steps() { return best_.episode.scenario.steps; }

  // The amount of text that a person has to read. Each round must reduce it.
  [[nodiscard]] std::size_t size() {
    std::size_t out = 0;
    for (const Step& step : steps()) out += 1 + to_text(step).size();
    return out;
  }

  bool attempt(const Episode& candidate) {
    if (left_ == 0) return false;
    --left_;
    std::optional<EpisodeDifference> found = still_differs_(candidate);
    if (!found) return false;
    best_ = std::move(*found);
    cut();
    return true;
  }

  void cut() {
    if (steps().size() > best_.step + 1) steps().resize(best_.step + 1);
  }

  // Drops questions that change nothing, because they rarely affect later steps.
  void drop_questions() {
    Episode candidate = best_.episode;
    Steps kept;
    for (std::size_t at = 0; at < steps().size(); ++at) {
      const Step& step = steps()[at];
      if (at + 1 == steps().size() || !step.check || persists(*step.check)) kept.push_back(step);
    }
    candidate.scenario.steps = std::move(kept);
    attempt(candidate);
  }

  // Drops halves, then quarters, …, then single steps. The last step shows the difference and stays.
  void drop_steps() {
    for (std::size_t length = std::max<std::size_t>(1, steps().size() / 2); length > 0; length /= 2) {
      for (std::size_t end = steps().size() - 1; end > 0 && left_ > 0;) {
        const std::size_t begin = end > length ? end - length : 0;
        Episode candidate = best_.episode;
        Steps& of = candidate.scenario.steps;
        of.erase(of.begin() + static_cast<std::ptrdiff_t>(begin), of.begin() + static_cast<std::ptrdiff_t>(end));
        attempt(candidate);
        end = std::min(begin, steps().size() - 1);
      }
    }
  }

  void try_on_last(const std::function<bool(Check&)>& simplify) {
    Episode candidate = best_.episode;
    std::optional<Check>& check = candidate.scenario.steps.back().check;
    if (check && simplify(*check)) attempt(candidate);
  }

  void simplify_requests() {
    try_on_last([](Check& check) { return std::exchange(check.keep, false); });
    try_on_last([](Check& check) { return !std::exchange(check.request.label_selector, "").empty(); });
    try_on_last([](Check& check) { return !std::exchange(check.request.field_selector, "").empty(); });
    try_on_last([](Check& check) { return !std::exchange(check.remove, {}).empty(); });
    try_on_last([](Check& check) {
      static const SubjectText plain = SubjectText::of("node a");
      const bool was_another = check.subject != plain;
      check.subject = plain;
      return was_another;
    });
    try_on_last([](Check& check) {
      const bool was_another = !check.ways.empty() && check.ways.front() != Way::merge;
      if (was_another) check.ways = {Way::merge};
      return was_another;
    });
  }

  static Object& body_of(Step& step, bool attributes) {
    if (!step.check) return step.actions.front().body;
    return attributes ? step.check->attributes : step.check->body;
  }

  void shrink_bodies(std::size_t at) {
    for (const bool attributes : {false, true}) {
      if (at >= steps().size() || (attributes && !steps()[at].check)) return;
      shrink_below(at, attributes, Object::json_pointer());
    }
  }

  // Tries to drop each member, the outer ones first.
  void shrink_below(std::size_t at, bool attributes, const Object::json_pointer& where) {
    if (at >= steps().size()) return;
    const Object& body = body_of(steps()[at], attributes);
    if (!body.contains(where) || !body[where].is_structured()) return;
    std::vector<Object::json_pointer> members;
    for (const auto& [key, value] : body[where].items()) {
      members.push_back(body[where].is_array() ? where / static_cast<std::size_t>(std::stoul(key)) : where / key);
    }
    // From the back, so that the remaining elements of a list keep their positions.
    std::reverse(members.begin(), members.end());
    for (const Object::json_pointer& member : members) {
      if (left_ == 0 || at >= steps().size()) return;
      if (!erase_member(at, attributes, member)) shrink_below(at, attributes, member);
    }
  }

  bool erase_member(std::size_t at, bool attributes, const Object::json_pointer& member) {
    Episode candidate = best_.episode;
    Object& body = body_of(candidate.scenario.steps[at], attributes);
    if (!body.contains(member)) return true;
    Object& parent = body[member.parent_pointer()];
    if (parent.is_array()) {
      parent.erase(std::stoul(member.back()));
    } else {
      parent.erase(member.back());
    }
    return attempt(candidate);
  }

  void drop_subjects() {
    auto& subjects = best_.episode.scenario.subjects;
    for (auto subject = subjects.begin(); subject != subjects.end();) {
      const bool asks = std::any_of(steps().begin(), steps().end(), [&](const Step& step) {
        return step.check && step.check->subject == SubjectText{SubjectText::Kind::named, subject->first};
      });
      subject = asks ? std::next(subject) : subjects.erase(subject);
    }
  }

  EpisodeDifference best_;
  const StillDiffers& still_differs_;
  std::size_t left_;
};

}  // namespace

EpisodeDifference shrunk(EpisodeDifference difference, const StillDiffers& still_differs, std::size_t attempts) {
  return Shrinker(std::move(difference), still_differs, attempts).run();
}

}  // namespace nodebound::explore
