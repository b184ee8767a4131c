#include <algorithm>
#include <map>
#include <tuple>

#include "reports/comparison/comparison_writers.h"
#include "reports/text.h"

namespace nodebound {
namespace {

using Change = ComparedRequest::Change;

// A check's id without way and layer, which are printed after its name.
std::string check_of(const std::string& id) {
  const std::size_t name = id.rfind('/');
  const std::size_t end = id.find_first_of("[@", name == std::string::npos ? 0 : name);
  return id.substr(0, end);
}

std::string reason_of(const ComparedRequest& request) {
  switch (request.change) {
    case Change::only_a:
      return request.b.why + "; " + request.a.text() + " in A";
    case Change::only_b:
      return request.a.why + "; " + request.b.text() + " in B";
    default:
      // If one side did not answer, the other side's answer does not matter.
      if (request.a.status == 0 && request.b.status == 0) return "in both: " + request.a.text();
      if (request.a.status == 0) return "in A: " + request.a.text();
      if (request.b.status == 0) return "in B: " + request.b.text();
      return request.a.text() + " in A, " + request.b.text() + " in B";
  }
}

}  // namespace

std::vector<RuleRequests> requests_by_rule(const Comparison& comparison, Change change) {
  std::vector<RuleRequests> rules;
  std::map<std::string, std::size_t> rule_index;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> request_index;
  for (const ComparedRequest& request : comparison.changed) {
    if (request.change != change) continue;
    const auto [rule, new_rule] = rule_index.try_emplace(request.rule, rules.size());
    if (new_rule) rules.push_back({request.rule, {}, 0});
    RuleRequests& group = rules[rule->second];
    const auto [place, new_request] = request_index.try_emplace(
        {check_of(request.id), request.a.decision + request.a.layer, request.b.decision + request.b.layer},
        group.requests.size());
    if (new_request) group.requests.push_back({&request, {}});
    RequestWays& ways = group.requests[place->second];
    if (ways.shown->layer != "request" && request.layer == "request") ways.shown = &request;
    ways.all.push_back(&request);
    ++group.probes;
  }
  return rules;
}

std::vector<RequestsByReason> requests_by_reason(const Comparison& comparison, Change change) {
  std::vector<RequestsByReason> reasons;
  std::map<std::string, std::size_t> index;
  for (const ComparedRequest& request : comparison.changed) {
    if (request.change != change) continue;
    std::string reason = reason_of(request);
    const auto [found, is_new] = index.try_emplace(reason, reasons.size());
    if (is_new) reasons.push_back({std::move(reason), {}});
    reasons[found->second].requests.push_back(&request);
  }
  std::ranges::stable_sort(reasons, std::ranges::greater{},
                           [](const RequestsByReason& group) { return group.requests.size(); });
  return reasons;
}

std::string summary_line(const Comparison& comparison) {
  static constexpr std::pair<Change, const char*> parts[] = {
      {Change::now_refused, " now refused"},
      {Change::now_allowed, " now allowed"},
      {Change::answered_otherwise, " answered otherwise"},
      {Change::reworded, " refused in other words"},
      {Change::undecided, " without two decisions"},
  };
  std::string line = counted(comparison.asked_of_both(), "request") +
                     " asked of both: " + std::to_string(comparison.same) + " answered alike";
  for (const auto& [change, what] : parts) {
    if (const std::size_t number = comparison.count(change); number > 0) {
      line += ", " + std::to_string(number) + what;
    }
  }
  return line;
}

}  // namespace nodebound
