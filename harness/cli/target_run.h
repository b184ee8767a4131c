#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/target.h"
#include "harness/run/description.h"
#include "harness/run/runner.h"

namespace nodebound::cli {

// What every subcommand does that runs scenarios against a target.

/// The selected scenarios of the folder. If several have mistakes, the error reports the first.
Result<std::vector<Scenario>> selected_scenarios(const std::string& folder, const Selection& selection,
                                                 const Catalogue& catalogue);

/// The run id, which is part of all names that the run gives. On a target of its own the seed determines it, so that
/// reports repeat; on a shared cluster every run must have a different one.
std::string make_run_id(const Endpoint& endpoint, std::uint64_t seed);
/// Without a seed, a different run id each time.
std::string make_run_id(std::optional<std::uint64_t> seed = std::nullopt);

/// `2026-01-31T12:00:00Z`
std::string utc_now();
/// `2026-01-31`
std::string utc_today();
/// The host name of this machine.
std::string host_name();

/// The journal in the folder, for a cluster that others use; otherwise one that keeps nothing. Reports the journals
/// that other runs left there, and whether the target honours dry runs. `of` is the target as the user named it.
Result<std::unique_ptr<journal::Journal>> journal_for(Endpoint& endpoint, const std::string& folder,
                                                      const std::string& run_id, const std::string& of);

/// The journal of one of two sides, in a folder of its own where `nodebound clean --out` finds it.
struct SideJournal {
  std::unique_ptr<journal::Journal> journal;
  std::string folder;
};
Result<SideJournal> side_journal(Endpoint& endpoint, const std::string& out, const char* side,
                                 const std::string& run_id, const std::string& of);

/// Writes the reports and prints the summary. Returns the exit code.
int tell(const Report& report, const std::string& out, bool verbose, bool fail_fast);

/// Fills in what was observed of the target, and the release by which it is judged.
void describe_target(Report& report, const Target& target);

/// Reports what stays behind on the target and how to remove it. Returns the exit code.
int report_clean_up(const std::vector<Error>& errors, journal::Journal& journal, const std::string& target,
                    const std::string& folder);
int report_clean_up(const std::vector<Error>& errors, const SideJournal& of, const std::string& target);

}  // namespace nodebound::cli
