#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "reports/replay/replay.h"

namespace nodebound {
namespace {

using ReplayInFile = ReportInFile<Replay>;
using Requests = std::pair<std::string, std::string>;  ///< rule and request

// What every share must have alike: all but what it has counted of its own requests.
std::string common_to_shares(const ReplayInFile& one) {
  Replay out = one.report;
  const std::string tool = std::move(out.run.tool_version);
  out.run = {};
  out.run.tool_version = tool;
  out.share = {};
  out.requests = out.newly_refused = out.newly_allowed = out.unchanged = out.unchanged_by_record = 0;
  out.disagreeing = out.unknown = out.compared = out.findings_left_out = 0;
  out.findings.clear();
  out.unknowns.clear();
  return to_json(out);
}

void add_counts(Replay& sum, const Replay& one) {
  sum.requests += one.requests;
  sum.newly_refused += one.newly_refused;
  sum.newly_allowed += one.newly_allowed;
  sum.unchanged += one.unchanged;
  sum.unchanged_by_record += one.unchanged_by_record;
  sum.disagreeing += one.disagreeing;
  sum.unknown += one.unknown;
  sum.compared += one.compared;
  sum.findings_left_out += one.findings_left_out;
  sum.run.seconds += one.run.seconds;
  sum.run.started = std::min(sum.run.started, one.run.started);
}

// Every subject belongs to one share, so no subject is counted twice.
Replay::Finding joined_group(Replay::Finding a, Replay::Finding b) {
  if (b.order < a.order) std::swap(a, b);
  a.count += b.count;
  a.first = std::min(a.first, b.first);
  a.last = std::max(a.last, b.last);
  a.subjects += b.subjects;
  a.more_subjects = a.more_subjects || b.more_subjects || a.subjects > most_counted_subjects;
  a.subjects = std::min(a.subjects, most_counted_subjects);
  return a;
}

std::vector<Replay::Finding> joined_findings(std::vector<ReplayInFile>& shares) {
  using Key = std::tuple<Replay::Finding::Outcome, std::string, std::string, std::string, std::string, std::string>;
  std::map<Key, Replay::Finding> groups;
  // Since when, and which gate puts it off, was found out with the first such request.
  std::map<Requests, std::pair<std::size_t, Replay::Finding>> turnings;
  for (ReplayInFile& share : shares) {
    for (Replay::Finding& finding : share.report.findings) {
      if (finding.outcome != Replay::Finding::Outcome::disagrees) {
        const auto [turning, is_new] =
            turnings.try_emplace({finding.rule, finding.request}, std::pair{finding.order, finding});
        if (!is_new && finding.order < turning->second.first) turning->second = {finding.order, finding};
      }
      const Key key{finding.outcome, finding.rule, finding.request, finding.user_agent, finding.who, finding.pool};
      const auto [group, is_new] = groups.try_emplace(key, finding);
      if (!is_new) group->second = joined_group(std::move(group->second), std::move(finding));
    }
  }
  std::vector<Replay::Finding> out;
  for (auto& [key, finding] : groups) {
    if (const auto turning = turnings.find({finding.rule, finding.request});
        turning != turnings.end() && finding.outcome != Replay::Finding::Outcome::disagrees) {
      finding.since = turning->second.second.since;
      finding.put_off_by = turning->second.second.put_off_by;
    }
    out.push_back(std::move(finding));
  }
  sort_findings(out);
  return out;
}

std::vector<Replay::Unknown> joined_unknowns(const std::vector<ReplayInFile>& shares) {
  std::map<std::string, Replay::Unknown> by_reason;
  for (const ReplayInFile& share : shares) {
    for (const Replay::Unknown& one : share.report.unknowns) {
      const auto [known, is_new] = by_reason.try_emplace(one.reason, one);
      if (is_new) continue;
      known->second.count += one.count;
      if (one.order >= known->second.order) continue;
      known->second.order = one.order;
      known->second.where = one.where;
    }
  }
  std::vector<Replay::Unknown> out;
  for (auto& [reason, one] : by_reason) out.push_back(std::move(one));
  sort_unknowns(out);
  return out;
}

}  // namespace

Result<Replay> merged(std::vector<ReplayInFile> shares) {
  std::vector<ShareInFile> places;
  for (const ReplayInFile& each : shares) places.push_back({each.file, each.report.share});
  if (Result<void> whole = make_one_whole(places); !whole) return tl::unexpected<Error>(whole.error());
  const ReportInFile<std::string> first{shares.front().file, common_to_shares(shares.front())};
  Replay out = shares.front().report;
  for (std::size_t i = 1; i < shares.size(); ++i) {
    if (Result<void> alike = asked_alike(first, {shares[i].file, common_to_shares(shares[i])}); !alike) {
      return tl::unexpected<Error>(alike.error());
    }
    add_counts(out, shares[i].report);
  }
  out.share = {};
  out.findings = joined_findings(shares);
  out.unknowns = joined_unknowns(shares);
  return out;
}

}  // namespace nodebound
