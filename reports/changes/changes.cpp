#include "reports/changes/changes.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace nodebound {
namespace {

using CheckMap = std::unordered_map<std::string_view, const CheckResult*>;

CheckMap by_id(const Report& report) {
  CheckMap out;
  for (const CheckResult& check : report.checks) out.try_emplace(check.id, &check);
  return out;
}

std::optional<CheckChange::Kind> kind_of_change(Verdict before, Verdict after) {
  using Kind = CheckChange::Kind;
  if (after == Verdict::fail) return before == Verdict::fail ? Kind::still_failing : Kind::newly_failing;
  if (before == after) return std::nullopt;
  if (after == Verdict::inconclusive) return before == Verdict::skip ? Kind::otherwise : Kind::undecided;
  if (after == Verdict::skip) return Kind::no_longer_asked;
  const bool was_wrong = before == Verdict::fail || before == Verdict::inconclusive;
  return after == Verdict::pass && was_wrong ? Kind::newly_passing : Kind::otherwise;
}

CheckChange change_of(CheckChange::Kind kind, const CheckResult* before, const CheckResult* after) {
  const CheckResult& check = after == nullptr ? *before : *after;
  CheckChange out;
  out.kind = kind;
  out.id = check.id;
  out.rule = check.rules.empty() ? "" : check.rules.front();
  out.where = check.where;
  out.before = before == nullptr ? "" : to_string(before->verdict);
  out.after = after == nullptr ? "" : to_string(after->verdict);
  if (after != nullptr) out.why = after->why;
  if (after != nullptr && after->verdict == Verdict::fail && out.why.empty()) {
    out.why = "expected " + after->expected + ", observed " + after->observed;
  }
  return out;
}

RunChanges::Side side_of_run(const Report& report) {
  return {report.target.name, report.target.version, report.release.version, report.run.requests,
          report.run.request_seconds};
}

}  // namespace

const char* to_string(CheckChange::Kind kind) {
  switch (kind) {
    case CheckChange::Kind::newly_failing:
      return "newly_failing";
    case CheckChange::Kind::newly_passing:
      return "newly_passing";
    case CheckChange::Kind::undecided:
      return "undecided";
    case CheckChange::Kind::no_longer_asked:
      return "no_longer_asked";
    case CheckChange::Kind::gone:
      return "gone";
    case CheckChange::Kind::added:
      return "added";
    case CheckChange::Kind::otherwise:
      return "otherwise";
    case CheckChange::Kind::still_failing:
      return "still_failing";
  }
  return "otherwise";
}

double RunChanges::Side::seconds_each() const {
  return requests == 0 ? 0 : request_seconds / static_cast<double>(requests);
}

std::size_t RunChanges::count(CheckChange::Kind kind) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(changes, [kind](const CheckChange& change) { return change.kind == kind; }));
}

std::vector<const CheckChange*> RunChanges::of(CheckChange::Kind kind) const {
  std::vector<const CheckChange*> out;
  for (const CheckChange& change : changes) {
    if (change.kind == kind) out.push_back(&change);
  }
  return out;
}

RunChanges compare_runs(const Report& before, const Report& after) {
  RunChanges out;
  out.before = side_of_run(before);
  out.after = side_of_run(after);
  const CheckMap earlier = by_id(before);
  const CheckMap later = by_id(after);
  for (const CheckResult& check : after.checks) {
    const auto found = earlier.find(check.id);
    if (found == earlier.end()) {
      const auto kind = check.verdict == Verdict::fail ? CheckChange::Kind::newly_failing : CheckChange::Kind::added;
      out.changes.push_back(change_of(kind, nullptr, &check));
      continue;
    }
    const auto kind = kind_of_change(found->second->verdict, check.verdict);
    if (!kind) ++out.same;
    if (kind) out.changes.push_back(change_of(*kind, found->second, &check));
  }
  for (const CheckResult& check : before.checks) {
    if (later.contains(check.id)) continue;
    out.changes.push_back(change_of(CheckChange::Kind::gone, &check, nullptr));
  }
  return out;
}

int exit_code(const RunChanges& changes) {
  if (changes.count(CheckChange::Kind::newly_failing) > 0) return 1;
  const std::size_t in_one = changes.count(CheckChange::Kind::gone) + changes.count(CheckChange::Kind::added);
  if (changes.same == 0 && changes.changes.size() == in_one) return 4;
  return changes.count(CheckChange::Kind::undecided) > 0 ? 3 : 0;
}

}  // namespace nodebound
