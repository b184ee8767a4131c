#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>

#include "harness/cli/commands/commands.h"
#include "harness/cli/console.h"
#include "harness/cli/target.h"
#include "harness/endpoint/signals.h"
#include "harness/journal/cleaning.h"

namespace nodebound::cli {
namespace {

struct CleanFlags {
  TargetFlags target;
  std::string out = "out";
  std::string run;
  bool by_label = false;
  bool yes = false;
};

// Bad input outranks a clean-up that failed.
int worse(int one, int other) {
  if (one == bad_input || other == bad_input) return bad_input;
  return std::max(one, other);
}

int tell(const journal::Cleaned& cleaned, const std::string& run) {
  for (const Error& left : cleaned.left) complain(left.text());
  for (const std::string& path : cleaned.not_ours) {
    std::cout << path << " is of others: it does not carry the label of run " << run << ", and was not touched\n";
  }
  std::cout << "Removed what run " << run << " had made: " << cleaned.removed
            << (cleaned.removed == 1 ? " object" : " objects");
  if (!cleaned.left.empty()) std::cout << "; " << cleaned.left.size() << " are left";
  std::cout << '\n';
  return cleaned.left.empty() ? conforms : could_not_tell;
}

int clean_after(const std::filesystem::path& file, Endpoint& endpoint) {
  Result<journal::JournalFile> journal = journal::JournalFile::open(file);
  if (!journal) return fail(journal.error());
  const std::string run = journal->header().run;
  const bool blank = journal->is_blank();
  const Result<journal::Cleaned> cleaned = journal::clean_up_after(*journal, endpoint);
  if (!cleaned) return fail(cleaned.error());
  if (!blank) return tell(*cleaned, run);
  std::cout << file.string() << " was removed: its run had made nothing yet\n";
  return conforms;
}

/// What one run left behind.
struct LeftOfRun {
  std::map<std::string, std::size_t> kinds;
  std::string first;
  std::string last;
};

std::string kind_of(const std::string& path) {
  const std::string collection = path.substr(0, path.rfind('/'));
  return collection.substr(collection.rfind('/') + 1);
}

void show(const journal::Leavings& leavings, const std::string& target) {
  std::map<std::string, LeftOfRun> runs;
  for (const journal::Labelled& each : leavings.objects) {
    LeftOfRun& run = runs[each.run];
    ++run.kinds[kind_of(each.entry.path)];
    if (run.first.empty() || each.created < run.first) run.first = each.created;
    run.last = std::max(run.last, each.created);
  }
  for (const auto& [id, run] : runs) {
    std::cout << "Run " << id << ", objects made from " << run.first << " to " << run.last << ":\n";
    for (const auto& [kind, count] : run.kinds) std::cout << "  " << count << ' ' << kind << '\n';
    for (const journal::Labelled& each : leavings.objects) {
      if (each.run == id) std::cout << "    " << each.entry.path << '\n';
    }
    std::cout << "  If this run has ended, `nodebound clean --target " << target << " --run " << id
              << " --yes` removes these\n";
  }
}

// If the run still goes on or still has its journal, the journal is more reliable than the label.
Result<void> may_go_by_label(const CleanFlags& flags) {
  if (!flags.yes) return {};
  if (flags.run.empty()) {
    return input_error("--yes", "expected --run, too: what is removed by its label is named by its run");
  }
  for (const journal::FoundJournal& found : journal::find_journals(flags.out)) {
    if (found.file.filename() != journal::journal_name(flags.run) ||
        found.state != journal::FoundJournal::State::in_use)
      continue;
    return unreachable_error(found.file.string(), "is in use: its run goes on, or is being cleaned up after",
                             "wait until it has ended; it removes what it made by itself");
  }
  return {};
}

int clean_by_label(const CleanFlags& flags, Endpoint& endpoint) {
  const journal::Leavings leavings = journal::find_leavings(endpoint, flags.run);
  for (const Error& each : leavings.not_looked_at) complain(each.text());
  const int looked = leavings.not_looked_at.empty() && !interrupted() ? conforms : could_not_tell;
  if (leavings.objects.empty()) {
    std::cout << "Nothing to clean: no journal in " << flags.out << ", and no object with the label "
              << journal::run_label << (flags.run.empty() ? "" : "=") << flags.run << " on " << endpoint.name() << '\n';
    return looked;
  }
  if (flags.yes) return worse(looked, tell(journal::remove_leavings(leavings.objects, endpoint, flags.run), flags.run));
  show(leavings, flags.target.target);
  return could_not_tell;
}

int clean(const CleanFlags& flags) {
  if (!flags.run.empty() && !journal::is_run_id(flags.run)) {
    return fail(input_error("--run", "\"" + flags.run + "\" is not the id of a run").value());
  }
  if (Result<void> may = may_go_by_label(flags); !may) return fail(may.error());
  install_signal_handlers();
  Result<Target> target = open_target(flags.target, Catalogue::built_in());
  if (!target) return fail(target.error());
  if (target->endpoint->disposable()) {
    return fail(input_error("--target", target->endpoint->name() + " ends with its run, so nothing is left on it",
                            "expected kubeconfig[:FILE][#CONTEXT]")
                    .value());
  }
  const std::vector<journal::FoundJournal> journals = journal::find_journals(flags.out);
  const bool by_label = flags.by_label || flags.yes || !flags.run.empty() || journals.empty();
  if (by_label) return clean_by_label(flags, *target->endpoint);
  int code = conforms;
  for (const journal::FoundJournal& found : journals) code = worse(code, clean_after(found.file, *target->endpoint));
  return code;
}

}  // namespace

void add_clean_command(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<CleanFlags>();
  flags->target.target = "kubeconfig";
  CLI::App* command = app.add_subcommand("clean", "Remove what a run that was killed left on a cluster");
  flags->target.add_to(*command);
  command->add_option("--out", flags->out, "Folder of that run's reports, with its journal")->capture_default_str();
  command->add_flag(
      "--by-label", flags->by_label,
      "Show what runs left by the label it carries, and pass over journals; so it is where there is none");
  command->add_option("--run", flags->run, "By label, of this run only");
  command->add_flag("--yes", flags->yes, "With --run: remove what is found by its label");
  command->footer(
      "Exit codes: 0 nothing is left, 2 bad usage or input, like a journal of another cluster, 3 something is left, or "
      "could not be looked at.");
  command->callback([flags, &exit_code] { exit_code = clean(*flags); });
}

}  // namespace nodebound::cli
