#include "harness/failures/failure_kinds.h"

#include <map>
#include <tuple>

namespace nodebound::failures {

std::vector<FailureKind> failure_kinds(const Report& report) {
  using Key = std::tuple<std::string, std::string, std::string, std::string, std::optional<AccessOpinion>>;
  std::vector<FailureKind> out;
  std::map<Key, std::size_t> known;
  for (std::size_t i = 0; i < report.checks.size(); ++i) {
    const CheckResult& check = report.checks[i];
    // What breaks no rule is a flaw of the run itself, and its reason says all.
    if (check.verdict != Verdict::fail || check.rules.empty()) continue;
    const auto [kind, is_new] = known.try_emplace(
        {check.rules.front(), check.layer, check.expected, check.observed, check.evidence.opinion}, out.size());
    if (is_new) out.emplace_back();
    out[kind->second].checks.push_back(i);
  }
  return out;
}

}  // namespace nodebound::failures
