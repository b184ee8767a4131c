#include "harness/deviations/declare.h"

#include <algorithm>

#include "harness/deviations/matching.h"
#include "reports/text.h"

namespace nodebound::deviations {
namespace {

/// Says of entries why they do not hold, and what to do.
class Auditor {
 public:
  Auditor(const Report& report, const DeviationFile& file, std::chrono::sys_days today, const KnownChecks& known)
      : report_(report), file_(file), today_(today), known_(known) {}

  /// Why the entry explains nothing, whatever is observed; empty if it may.
  [[nodiscard]] std::string flaw_of(const DeclaredEntry& entry) const {
    if (!entry.is_filled_in()) return "it has no reason or no issue yet: fill them in";
    const auto last = day_of(entry.deviation.expires);
    if (!last || *last < today_) {
      return "it has expired: mend the implementation, or agree on another day with those who rely on it";
    }
    if (*last > today_ + longest_deviation) {
      return "it expires more than a year ahead: name a day until which it will be mended";
    }
    return {};
  }

  /// Empty if the entry holds.
  std::string problem_of(const DeclaredEntry& entry, const EntryMatch& match) {
    if (std::string flaw = flaw_of(entry); !flaw.empty()) return flaw;
    if (match.empty() && !is_known(entry.deviation.checks)) {
      return "no check is called so in any release: remove it (--fix does), or mend the name";
    }
    if (!match.taken.empty()) {
      return named(match.taken) + ": an earlier entry is about it, too; leave it in one of them (--fix does)";
    }
    if (!match.passed.empty()) {
      return named(match.passed) + ": the implementation does as the rule requires; remove it (--fix does)";
    }
    if (!match.upstream.empty()) {
      return named(match.upstream) + ": a known defect of the release, which needs no entry; remove it (--fix does)";
    }
    if (match.other.empty()) return {};
    return named(match.other) + ": it does something else, " + observed_of(report_.checks[match.other.front()]) +
           "; mend the implementation, or declare that (--fix does)";
  }

  CheckResult failed(const DeclaredEntry& entry, const EntryMatch& match, std::string problem) const {
    CheckResult out;
    out.id = "deviations/" + entry.deviation.checks;
    out.scenario = "What is declared to deviate does";
    out.title = entry.deviation.checks;
    out.profile = "deviations";
    out.layer = "request";
    out.where = file_.name + ":" + std::to_string(entry.line);
    out.verdict = Verdict::fail;
    out.expected = entry.deviation.observed + ", until " + entry.deviation.expires;
    out.observed = counted(match.met.size(), "check") + " as declared";
    out.why = std::move(problem);
    return out;
  }

 private:
  [[nodiscard]] std::string named(const std::vector<std::size_t>& checks) const {
    const std::string& first = report_.checks[checks.front()].id;
    return checks.size() == 1 ? first : first + " and " + std::to_string(checks.size() - 1) + " more";
  }

  bool is_known(const std::string& pattern) {
    if (!all_) all_ = known_();
    return std::ranges::any_of(*all_, [&](const std::string& id) { return matches(pattern, id); });
  }

  const Report& report_;
  const DeviationFile& file_;
  std::chrono::sys_days today_;
  const KnownChecks& known_;
  std::optional<std::vector<std::string>> all_;
};

void mark(CheckResult& check, const DeclaredDeviation& deviation) {
  check.verdict = Verdict::deviation;
  check.declared = true;
  check.deviation = deviation.checks;
  check.why = deviation.reason + " (until " + deviation.expires + ", " + deviation.issue + ")";
}

}  // namespace

void declare(Report& report, const DeviationFile& file, std::chrono::sys_days today, const KnownChecks& known) {
  const std::vector<EntryMatch> found = match(report, file);
  Auditor auditor(report, file, today, known);
  std::vector<CheckResult> problems;
  for (std::size_t i = 0; i < file.entries.size(); ++i) {
    std::string problem = auditor.problem_of(file.entries[i], found[i]);
    if (!problem.empty()) problems.push_back(auditor.failed(file.entries[i], found[i], std::move(problem)));
  }
  for (std::size_t i = 0; i < file.entries.size(); ++i) {
    report.declared.push_back(file.entries[i].deviation);
    if (!auditor.flaw_of(file.entries[i]).empty()) continue;
    report.declared.back().met = found[i].met.size();
    for (const std::size_t number : found[i].met) mark(report.checks[number], file.entries[i].deviation);
  }
  std::ranges::move(problems, std::back_inserter(report.checks));
}

}  // namespace nodebound::deviations
