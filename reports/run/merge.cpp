#include <algorithm>
#include <iterator>
#include <map>

#include "reports/run/json.h"
#include "reports/run/report.h"
#include "reports/text.h"

namespace nodebound {
namespace {

using RunInFile = ReportInFile<Report>;

// What every share must have alike: all but its checks and how long it took.
std::string asked_of_all(const RunInFile& one) {
  Report out;
  out.target = one.report.target;
  out.release = one.report.release;
  out.declared = one.report.declared;
  for (DeclaredDeviation& each : out.declared) each.met = 0;
  out.run.tool_version = one.report.run.tool_version;
  return to_json(out);
}

// Settling was measured by each share alone, and medians cannot be put together.
void add_run(Report::Run& sum, const Report::Run& one) {
  sum.started = std::min(sum.started, one.started);
  sum.seconds += one.seconds;
  sum.requests += one.requests;
  sum.request_seconds += one.request_seconds;
}

/// The checks of a share by the number of their scenario, and those that no scenario has.
struct PlacedChecks {
  std::map<std::size_t, std::vector<CheckResult>> of_scenarios;
  std::vector<CheckResult> others;

  Result<void> add(RunInFile& share) {
    auto at = share.report.checks.begin();
    for (const auto& [number, checks] : share.report.run.part->scenarios) {
      if (checks > static_cast<std::size_t>(share.report.checks.end() - at)) {
        return input_error(share.file, "has fewer checks than `run.part.scenarios` says", "run that share again");
      }
      const auto end = at + static_cast<std::ptrdiff_t>(checks);
      const auto [placed, is_new] = of_scenarios.try_emplace(number);
      if (!is_new) {
        return input_error(share.file, "has scenario " + std::to_string(number) + ", which another share has",
                           "run all shares with the same program, arguments and input");
      }
      placed->second.assign(std::make_move_iterator(at), std::make_move_iterator(end));
      at = end;
    }
    others.insert(others.end(), std::make_move_iterator(at), std::make_move_iterator(share.report.checks.end()));
    return {};
  }
};

}  // namespace

Result<Report> merged(std::vector<RunInFile> shares) {
  std::vector<ShareInFile> places;
  for (const RunInFile& each : shares) {
    places.push_back({each.file, each.report.run.part ? each.report.run.part->share : Share{}});
  }
  if (Result<void> whole = make_one_whole(places); !whole) return tl::unexpected<Error>(whole.error());
  if (!shares.front().report.run.part) return std::move(shares.front().report);
  const ReportInFile<std::string> first{shares.front().file, asked_of_all(shares.front())};
  PlacedChecks checks;
  const std::string selection = shares.front().report.run.part->selection;
  for (RunInFile& share : shares) {
    if (share.report.run.part->selection != selection) {
      return input_error(share.file,
                         "has the selection \"" + printable(share.report.run.part->selection) + "\", but " +
                             printable(first.file) + " has \"" + printable(selection) + "\"",
                         "run all shares with the same --profile, --focus and --skip");
    }
    if (Result<void> alike = asked_alike(first, {share.file, asked_of_all(share)}); !alike) {
      return tl::unexpected<Error>(alike.error());
    }
    if (Result<void> added = checks.add(share); !added) return tl::unexpected<Error>(added.error());
  }
  Report out = std::move(shares.front().report);
  for (std::size_t i = 1; i < shares.size(); ++i) {
    add_run(out.run, shares[i].report.run);
    out.full_evidence = out.full_evidence || shares[i].report.full_evidence;
    for (std::size_t at = 0; at < out.declared.size(); ++at) out.declared[at].met += shares[i].report.declared[at].met;
  }
  out.run.part.reset();
  if (shares.size() > 1) out.run.settling.reset();
  out.checks.clear();
  for (auto& [number, of_scenario] : checks.of_scenarios) {
    std::move(of_scenario.begin(), of_scenario.end(), std::back_inserter(out.checks));
  }
  std::move(checks.others.begin(), checks.others.end(), std::back_inserter(out.checks));
  return out;
}

}  // namespace nodebound
