#include "reports/replay/replay.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace nodebound {

const char* to_string(Replay::Finding::Outcome outcome) {
  switch (outcome) {
    case Replay::Finding::Outcome::newly_refused:
      return "newly-refused";
    case Replay::Finding::Outcome::newly_allowed:
      return "newly-allowed";
    case Replay::Finding::Outcome::disagrees:
      return "disagrees";
  }
  return "";
}

void sort_findings(std::vector<Replay::Finding>& findings) {
  std::map<std::pair<Replay::Finding::Outcome, std::string>, std::size_t> of_rule;
  for (const Replay::Finding& finding : findings) of_rule[{finding.outcome, finding.rule}] += finding.count;
  std::sort(findings.begin(), findings.end(), [&](const Replay::Finding& a, const Replay::Finding& b) {
    if (a.outcome != b.outcome) return a.outcome < b.outcome;
    const std::size_t of_a = of_rule[{a.outcome, a.rule}];
    const std::size_t of_b = of_rule[{b.outcome, b.rule}];
    if (a.rule != b.rule) return of_a != of_b ? of_a > of_b : a.rule < b.rule;
    if (a.count != b.count) return a.count > b.count;
    return std::tie(a.request, a.user_agent, a.who, a.pool) < std::tie(b.request, b.user_agent, b.who, b.pool);
  });
}

void sort_unknowns(std::vector<Replay::Unknown>& unknowns) {
  std::sort(unknowns.begin(), unknowns.end(),
            [](const auto& a, const auto& b) { return a.count != b.count ? a.count > b.count : a.reason < b.reason; });
}

std::size_t Replay::not_accepted(Finding::Outcome outcome) const {
  std::size_t out = outcome == Finding::Outcome::newly_refused   ? newly_refused
                    : outcome == Finding::Outcome::newly_allowed ? newly_allowed
                                                                 : disagreeing;
  for (const Finding& finding : findings) {
    if (finding.outcome == outcome && !finding.accepted.empty()) out -= std::min(out, finding.count);
  }
  return out;
}

Finding common_finding(const Replay::Finding& finding) {
  using enum Replay::Finding::Outcome;
  Finding out;
  out.level = finding.outcome == newly_refused   ? Finding::Level::error
              : finding.outcome == newly_allowed ? Finding::Level::warning
                                                 : Finding::Level::note;
  out.id = finding.rule;
  out.rules = {finding.rule};
  out.statement = finding.statement;
  const std::string who =
      finding.who == "nodes" && !finding.pool.empty() ? "nodes of pool " + finding.pool : finding.who;
  out.who = finding.user_agent.empty() ? who : finding.user_agent + " as " + who;
  out.what = std::string(finding.outcome == newly_refused   ? "newly refused: "
                         : finding.outcome == newly_allowed ? "newly allowed: "
                                                            : "decided otherwise than recorded: ") +
             finding.request;
  const std::size_t colon = finding.where.rfind(':');
  if (colon != std::string::npos) {
    out.place.file = finding.where.substr(0, colon);
    out.place.line = std::strtoull(finding.where.c_str() + colon + 1, nullptr, 10);
  }
  out.since = finding.since;
  out.put_off_by = finding.put_off_by;
  out.advice = finding.advice;
  out.count = finding.count;
  out.first = finding.first;
  out.last = finding.last;
  out.accepted = finding.accepted;
  return out;
}

std::vector<Finding> findings_of(const Replay& replay) {
  std::vector<Finding> out;
  for (const Replay::Finding& finding : replay.findings) out.push_back(common_finding(finding));
  out.insert(out.end(), replay.clients.begin(), replay.clients.end());
  return out;
}

std::string share_text(std::size_t part, std::size_t whole) {
  if (whole == 0) return "–";
  constexpr std::size_t thousand = 1000;
  const std::size_t tenths = part * thousand / whole;
  return std::to_string(tenths / 10) + (tenths == thousand ? "" : "." + std::to_string(tenths % 10)) + " %";
}

}  // namespace nodebound
