#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/target.h"
#include "harness/run/runner.h"

namespace nodebound {

// What every subcommand does that runs scenarios against a target.

/// The folder's scenarios that are selected. Of several mistakes in them the error tells the first.
Result<std::vector<Scenario>> selected_scenarios(const std::string& folder, const Selection& selection,
                                                 const Catalogue& catalogue);

/// Names objects of the run. On a target of its own the seed fixes it, so that reports repeat; on a shared cluster
/// every run must differ from all others.
std::string make_run_id(const Endpoint& endpoint, std::uint64_t seed);
/// Without a seed another each time.
std::string make_run_id(std::optional<std::uint64_t> seed = std::nullopt);

/// `2026-01-31T12:00:00Z`
std::string utc_now();
/// Of the machine that asks.
std::string host_name();

/// A journal in the folder for a cluster that others use; elsewhere one that keeps nothing. Tells of journals that
/// other runs have left there, and whether the target keeps dry runs. `of` is the target as the user named it.
Result<std::unique_ptr<Journal>> journal_for(Endpoint& endpoint, const std::string& folder, const std::string& run_id,
                                             const std::string& of);

/// The journal of one of two sides that are asked, in a folder of its own, where `nodebound clean --out` finds it.
struct SideJournal {
  std::unique_ptr<Journal> journal;
  std::string folder;
};
Result<SideJournal> side_journal(Endpoint& endpoint, const std::string& out, const char* side,
                                 const std::string& run_id, const std::string& of);

/// How many rules are in force that API servers decide; with `of_kubelets`, those that kubelets do.
std::size_t count_rules(const RuleSet& rules, bool of_kubelets = false);

/// Writes the reports and prints what they say. Returns the exit code of it.
int tell(const Report& report, const std::string& out, bool verbose, bool fail_fast);

/// Fills in what the target was observed to be, and what it is judged as.
void describe_target(Report& report, const Target& target);

/// Says what stays behind on the target, and how to remove it; the exit code of that.
int report_clean_up(const std::vector<Error>& errors, Journal& journal, const std::string& target,
                    const std::string& folder);
int report_clean_up(const std::vector<Error>& errors, const SideJournal& of, const std::string& target);

}  // namespace nodebound
