#include "harness/deviations/matching.h"

#include <algorithm>
#include <unordered_map>

#include "reports/text.h"

namespace nodebound::deviations {
namespace {

void sort_in(EntryMatch& match, const DeclaredDeviation& deviation, const CheckResult& check, std::size_t number) {
  switch (check.verdict) {
    case Verdict::pass:
      return match.passed.push_back(number);
    case Verdict::deviation:
      return match.upstream.push_back(number);
    case Verdict::skip:
    case Verdict::inconclusive:
      return match.unjudged.push_back(number);
    case Verdict::fail:
      break;
  }
  (observed_of(check) == deviation.observed ? match.met : match.other).push_back(number);
}

}  // namespace

bool matches(std::string_view pattern, std::string_view id) {
  std::size_t at = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_at = 0;  // where the text of the last star ends
  for (std::size_t i = 0; i < id.size();) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      star_at = i;
    } else if (at < pattern.size() && pattern[at] == id[i]) {
      ++at;
      ++i;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      i = ++star_at;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

std::string observed_of(const CheckResult& check) {
  const std::string& decision = check.evidence.decision;
  const bool decides_as_required = (decision == "allowed" && check.expected.starts_with("allow")) ||
                                   (decision == "refused" && check.expected.starts_with("deny"));
  std::string out = check.evidence.opinion ? to_string(*check.evidence.opinion) : check.observed;
  if (decides_as_required || out.empty()) out += (out.empty() ? "" : ": ") + check.why;
  // An entry holds one line, and no longer text than its file may have.
  return clip(printable(out), 400);
}

std::vector<EntryMatch> match(const Report& report, const DeviationFile& file) {
  std::unordered_map<std::string_view, std::vector<std::size_t>> by_id;
  for (std::size_t i = 0; i < report.checks.size(); ++i) by_id[report.checks[i].id].push_back(i);
  std::vector<EntryMatch> out(file.entries.size());
  std::vector<bool> taken(report.checks.size());
  for (std::size_t entry = 0; entry < out.size(); ++entry) {
    const DeclaredDeviation& deviation = file.entries[entry].deviation;
    const auto consider = [&](std::size_t number) {
      if (taken[number]) return out[entry].taken.push_back(number);
      taken[number] = true;
      sort_in(out[entry], deviation, report.checks[number], number);
    };
    if (deviation.checks.find('*') == std::string::npos) {
      if (const auto found = by_id.find(deviation.checks); found != by_id.end()) {
        std::ranges::for_each(found->second, consider);
      }
      continue;
    }
    for (std::size_t i = 0; i < report.checks.size(); ++i) {
      if (matches(deviation.checks, report.checks[i].id)) consider(i);
    }
  }
  return out;
}

}  // namespace nodebound::deviations
