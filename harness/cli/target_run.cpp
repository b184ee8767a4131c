#include "harness/cli/target_run.h"

#include <chrono>
#include <filesystem>
#include <iostream>
#include <random>
#include <unistd.h>

#include "fakes/wire/timestamp.h"
#include "harness/cli/commands/commands.h"
#include "harness/cli/console.h"
#include "harness/cli/report_files.h"
#include "harness/endpoint/signals.h"
#include "harness/journal/journal_file.h"
#include "harness/journal/journaled_session.h"
#include "harness/journal/target_probe.h"
#include "harness/scenario/loader.h"
#include "reports/terminal.h"
#include "reports/text.h"

namespace nodebound::cli {

Result<std::vector<Scenario>> selected_scenarios(const std::string& folder, const Selection& selection,
                                                 const Catalogue& catalogue) {
  LoadedScenarios loaded = load_scenarios(folder, catalogue);
  if (!loaded.mistakes.empty()) {
    Error first = loaded.mistakes.front();
    if (loaded.mistakes.size() > 1) {
      first.hint = std::to_string(loaded.mistakes.size() - 1) + " more; `nodebound lint` lists them all";
    }
    return tl::unexpected<Error>(first);
  }
  return select(std::move(loaded.scenarios), selection);
}

std::string make_run_id(const Endpoint& endpoint, std::uint64_t seed) {
  return endpoint.disposable() ? make_run_id(seed) : make_run_id();
}

std::string make_run_id(std::optional<std::uint64_t> seed) {
  static constexpr std::string_view letters = "bcdfghjklmnpqrstvwxz";
  std::random_device device;
  std::mt19937_64 random(seed ? *seed : (static_cast<std::uint64_t>(device()) << 32U) | device());
  std::string id;
  for (int i = 0; i < 6; ++i) id += letters[random() % letters.size()];
  return id;
}

std::string utc_now() {
  return timestamp_of(std::chrono::system_clock::now());
}

std::string utc_today() {
  return utc_now().substr(0, std::string_view("2026-01-31").size());
}

std::string host_name() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

namespace {

std::string clean_command(const std::string& target, const std::string& folder) {
  return "`nodebound clean --target " + target + " --out " + folder + "`";
}

// Only reports the journals of other runs: those runs, or a person, must decide to remove what they name.
void tell_of_other_journals(const std::string& folder, const std::string& target) {
  for (const journal::FoundJournal& found : journal::find_journals(folder)) {
    const std::string file = found.file.string() + ": ";
    switch (found.state) {
      case journal::FoundJournal::State::left_behind:
        complain(file + "a run that was killed, or could not remove everything, has left this journal\n  " +
                 clean_command(target, folder) + " removes what it names; this run leaves it alone");
        break;
      case journal::FoundJournal::State::in_use:
        complain(file + "another run, or a clean-up, is at work in this folder; each has a journal of its own");
        break;
      case journal::FoundJournal::State::unreadable:
        complain(file + found.why + ", so it is not taken for a journal");
        break;
    }
  }
}

void tell_of_dry_runs(journal::DryRuns seen, const Endpoint& endpoint) {
  if (seen == journal::DryRuns::kept || seen == journal::DryRuns::untried) return;
  complain(endpoint.name() +
           (seen == journal::DryRuns::stored ? ": stores what is sent with dryRun=All"
                                             : ": does not show whether it stores what is sent with dryRun=All") +
           ", so every write is written down and removed like one that is to stay");
}

}  // namespace

Result<std::unique_ptr<journal::Journal>> journal_for(Endpoint& endpoint, const std::string& folder,
                                                      const std::string& run_id, const std::string& of) {
  if (endpoint.disposable()) return std::make_unique<journal::Journal>();
  tell_of_other_journals(folder, of);
  Result<std::unique_ptr<journal::Journal>> journal =
      journal::Journal::create(folder, {run_id, journal::identify(endpoint)});
  if (!journal) return journal;
  const Result<journal::DryRuns> dry_runs = journal::try_dry_run(endpoint, **journal, run_id);
  if (!dry_runs) {
    (*journal)->finish();
    return tl::unexpected<Error>(dry_runs.error());
  }
  tell_of_dry_runs(*dry_runs, endpoint);
  endpoint.wrap_own_requests(journal::journaled_by(endpoint, **journal, run_id));
  return journal;
}

Result<SideJournal> side_journal(Endpoint& endpoint, const std::string& out, const char* side,
                                 const std::string& run_id, const std::string& of) {
  const std::string folder = (std::filesystem::path(out) / side).string();
  Result<std::unique_ptr<journal::Journal>> journal = journal_for(endpoint, folder, run_id, of);
  if (!journal) return tl::unexpected<Error>(journal.error());
  return SideJournal{std::move(*journal), folder};
}

void describe_target(Report& report, const Target& target) {
  describe_target(report, *target.endpoint, *target.rules);
}

int tell(const Report& report, const std::string& out, bool verbose, bool fail_fast) {
  if (Result<void> written = write_reports(report, out); !written) return fail(written.error());
  std::cout << to_terminal(report, terminal_style(verbose));
  if (fail_fast && exit_code(report) == does_not_conform) {
    std::cout << "Stopped at the first failure (--fail-fast): what comes after it was not asked\n";
  }
  std::cout << "Reports in " << printable(out) << ": " << comma_separated(report_file_names()) << "\n";
  return interrupted() ? could_not_tell : exit_code(report);
}

int report_clean_up(const std::vector<Error>& errors, journal::Journal& journal, const std::string& target,
                    const std::string& folder) {
  for (const Error& error : errors) complain("clean-up: " + error.text());
  const auto failure = journal.failure();
  if (failure) complain(failure->text());
  const std::size_t left = journal.left();
  journal.finish();
  if (left > 0) {
    complain(std::to_string(left) + (left == 1 ? " object" : " objects") + " may be left on the cluster: " +
             journal.file().string() + " names what; " + clean_command(target, folder) + " tries again");
  }
  return left > 0 || failure || !errors.empty() ? could_not_tell : conforms;
}

int report_clean_up(const std::vector<Error>& errors, const SideJournal& of, const std::string& target) {
  return report_clean_up(errors, *of.journal, target, of.folder);
}

}  // namespace nodebound::cli
