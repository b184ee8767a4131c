#include "reports/comparison/comparison.h"

#include <algorithm>
#include <map>

namespace nodebound {
namespace {

using Change = ComparedRequest::Change;

ObservedAnswer answer_of(const CheckResult& check) {
  const Evidence& evidence = check.evidence;
  ObservedAnswer answer{evidence.decision, evidence.layer, evidence.status, evidence.message, {}};
  if (answer.decision.empty()) answer.why = check.why;
  return answer;
}

// Statuses that depend on the moment rather than on the request, and missing answers.
bool passing(int status) {
  return status == 0 || status == 429 || status >= 500;
}

bool alike(const ObservedAnswer& a, const ObservedAnswer& b) {
  return a.decision == b.decision && a.layer == b.layer && a.status == b.status;
}

// Nothing if the answers are equal.
std::optional<Change> change_between(const ObservedAnswer& a, const ObservedAnswer& b) {
  if (a.decision.empty() || b.decision.empty()) {
    if (alike(a, b) && !passing(a.status)) return std::nullopt;
    return Change::undecided;
  }
  if (a.decision != b.decision) return b.decision == "refused" ? Change::now_refused : Change::now_allowed;
  if (!alike(a, b)) return Change::answered_otherwise;
  if (a.decision == "refused" && a.message != b.message) return Change::reworded;
  return std::nullopt;
}

ComparedRequest compared(Change change, const CheckResult& a, const CheckResult& b) {
  // Evidence comes from the side that was asked; if both were, from the second.
  const CheckResult& shown = b.evidence.request.empty() ? a : b;
  ComparedRequest request;
  request.change = change;
  request.id = shown.id;
  request.scenario = shown.scenario;
  request.profile = shown.profile;
  request.where = shown.where;
  request.layer = shown.layer;
  request.rules = shown.rules;
  if (!shown.rules.empty()) request.rule = shown.rules.front();
  request.subject = shown.evidence.subject;
  request.request = shown.evidence.request;
  request.body = shown.evidence.body;
  request.deviation = a.deviation.empty() ? b.deviation : a.deviation;
  request.a = answer_of(a);
  request.b = answer_of(b);
  return request;
}

void add(Comparison& comparison, const CheckResult& a, const CheckResult& b) {
  const bool asked_a = a.verdict != Verdict::skip;
  const bool asked_b = b.verdict != Verdict::skip;
  if (!asked_a && !asked_b) {
    ++comparison.asked_nowhere;
    return;
  }
  std::optional<Change> change = asked_a ? Change::only_a : Change::only_b;
  if (asked_a && asked_b) change = change_between(answer_of(a), answer_of(b));
  if (change) {
    comparison.changed.push_back(compared(*change, a, b));
  } else {
    ++comparison.same;
  }
}

CheckResult absent(const CheckResult& other) {
  CheckResult check = other;
  check.verdict = Verdict::skip;
  check.why = "there is no such check";
  check.deviation.clear();
  check.evidence = {};
  return check;
}

Comparison::Side side_of(const Report& report) {
  return {report.target.name,           report.target.version,         report.release.version,
          report.release.feature_gates, report.release.rules_in_force, {}};
}

}  // namespace

std::string ObservedAnswer::text() const {
  if (decision.empty() && status == 0) return why.empty() ? "no answer" : why;
  const std::string what = decision.empty() ? "no decision" : layer.empty() ? decision : decision + " by " + layer;
  return what + " (HTTP " + std::to_string(status) + ")";
}

const char* to_string(ComparedRequest::Change change) {
  static constexpr const char* names[] = {"now_refused", "now_allowed", "answered_otherwise", "reworded", "undecided",
                                          "only_a",      "only_b"};
  return names[static_cast<std::size_t>(change)];
}

bool decides_otherwise(ComparedRequest::Change change) {
  return change == Change::now_refused || change == Change::now_allowed || change == Change::answered_otherwise;
}

std::size_t Comparison::count(ComparedRequest::Change change) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(changed, [change](const ComparedRequest& request) { return request.change == change; }));
}

std::size_t Comparison::different() const {
  return count(Change::now_refused) + count(Change::now_allowed) + count(Change::answered_otherwise);
}

std::size_t Comparison::asked_of_both() const {
  return same + changed.size() - count(Change::only_a) - count(Change::only_b);
}

Comparison compare_answers(const Report& a, const Report& b) {
  Comparison comparison;
  comparison.a = side_of(a);
  comparison.b = side_of(b);
  std::map<std::string, const CheckResult*> of_b;
  for (const CheckResult& check : b.checks) of_b.emplace(check.id, &check);
  for (const CheckResult& check : a.checks) {
    const auto found = of_b.find(check.id);
    add(comparison, check, found == of_b.end() ? absent(check) : *found->second);
    if (found != of_b.end()) of_b.erase(found);
  }
  for (const CheckResult& check : b.checks) {
    if (of_b.contains(check.id)) add(comparison, absent(check), check);
  }
  return comparison;
}

int exit_code(const Comparison& comparison) {
  const std::size_t asked = comparison.asked_of_both();
  const std::size_t undecided = comparison.count(Change::undecided);
  if (asked == 0) return 4;
  if (undecided == asked) return 3;
  if (comparison.releases) return 0;
  return comparison.different() > 0 ? 1 : undecided > 0 ? 3 : 0;
}

}  // namespace nodebound
