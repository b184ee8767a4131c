#include "reports/run/report.h"

#include <algorithm>
#include <set>

namespace nodebound {

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "pass";
    case Verdict::fail:
      return "fail";
    case Verdict::deviation:
      return "deviation";
    case Verdict::skip:
      return "skip";
    case Verdict::inconclusive:
      return "inconclusive";
  }
  return "inconclusive";
}

const char* to_string(AccessOpinion opinion) {
  switch (opinion) {
    case AccessOpinion::allow:
      return "allow";
    case AccessOpinion::deny:
      return "deny";
    case AccessOpinion::no_opinion:
      return "no opinion";
    case AccessOpinion::error:
      return "error";
  }
  return "error";
}

std::size_t Report::count(Verdict verdict) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(checks, [verdict](const CheckResult& check) { return check.verdict == verdict; }));
}

std::size_t Report::count_declared() const {
  return static_cast<std::size_t>(std::ranges::count_if(checks, &CheckResult::declared));
}

std::size_t Report::reason_differences() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(checks, [](const CheckResult& check) { return check.is_reworded(); }));
}

std::vector<std::string> Report::broken_rules() const {
  std::set<std::string> broken;
  for (const CheckResult& check : checks) {
    if (check.verdict == Verdict::fail) broken.insert(check.rules.begin(), check.rules.end());
  }
  return {broken.begin(), broken.end()};
}

bool is_conformant(const Report& report) {
  return exit_code(report) == 0 && report.count_declared() == 0;
}

int exit_code(const Report& report) {
  if (report.count(Verdict::fail) > 0) return 1;
  if (report.count(Verdict::skip) == report.checks.size()) return 4;
  if (report.count(Verdict::inconclusive) > 0) return 3;
  return 0;
}

}  // namespace nodebound
