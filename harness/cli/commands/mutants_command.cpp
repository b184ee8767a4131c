#include <filesystem>
#include <iostream>
#include <optional>

#include "harness/cli/commands/commands.h"
#include "harness/cli/console.h"
#include "harness/cli/scenarios_option.h"
#include "harness/cli/target.h"
#include "harness/cli/target_run.h"
#include "harness/endpoint/signals.h"
#include "harness/mutants/faults/fault_file.h"
#include "harness/mutants/kept_releases.h"
#include "harness/mutants/kubelet_mutation_run.h"
#include "harness/mutants/mutation_run.h"
#include "harness/mutants/releases.h"
#include "harness/run/pattern.h"
#include "harness/scenario/loader.h"
#include "reports/files.h"
#include "reports/mutation/mutation_writers.h"

namespace nodebound::cli {
namespace {

struct MutantFlags {
  std::vector<std::string> releases = {reference_release};
  std::string scenarios;
  std::string focus;
  std::size_t jobs = 1;
  std::string out;
  std::string format = "table";
  bool boundaries = false;
  bool all_killers = false;
  bool checks = false;
  bool resume = false;
  bool list = false;
  bool words = false;
  bool quiet = false;
  bool verbose = false;
};

/// Everything that a run needs, except its releases.
struct Prepared {
  std::vector<mutants::Mutant> mutants;
  std::vector<mutants::KubeletMutant> kubelets;
  mutants::Known known;
  std::vector<Scenario> scenarios;
  std::vector<kubelet_conformance::KubeletScenario> kubelet_scenarios;
  std::vector<Version> releases;
};

Result<std::vector<Version>> releases_of(const MutantFlags& flags, const Catalogue& catalogue) {
  if (flags.releases == std::vector<std::string>{"all"}) return mutants::boundary_releases(catalogue);
  std::vector<Version> out;
  for (const std::string& text : flags.releases) {
    const Result<Release> release = named_release(catalogue, text, "");
    if (!release) return tl::unexpected<Error>(release.error());
    out.push_back(release->version);
  }
  return out;
}

template <typename Mutants>
Result<void> keep_focus(const MutantFlags& flags, Mutants& mutants) {
  if (flags.focus.empty()) return {};
  const auto focus = Pattern::of("--focus", flags.focus);
  if (!focus) return tl::unexpected(focus.error());
  std::erase_if(mutants, [&](const auto& mutant) { return !focus->is_in(mutant.id); });
  return {};
}

/// Mutants that flip whole rules, and all other mutants unless only boundaries are asked for.
template <typename Mutants>
Result<Mutants> selected(const MutantFlags& flags, Mutants all, Mutants more) {
  if (!flags.boundaries) std::move(more.begin(), more.end(), std::back_inserter(all));
  if (Result<void> kept = keep_focus(flags, all); !kept) return tl::unexpected<Error>(kept.error());
  return all;
}

Result<Prepared> prepare(const MutantFlags& flags, const Catalogue& catalogue) {
  Prepared out;
  Result<std::vector<Version>> releases = releases_of(flags, catalogue);
  if (!releases) return tl::unexpected<Error>(releases.error());
  out.releases = std::move(*releases);
  Result<std::vector<mutants::Mutant>> faults = mutants::built_in_faults(catalogue);
  if (!faults) return tl::unexpected<Error>(faults.error());
  Result<std::vector<mutants::Mutant>> mutants = selected(flags, mutants::flips(catalogue), std::move(*faults));
  if (!mutants) return tl::unexpected<Error>(mutants.error());
  out.mutants = std::move(*mutants);
  auto kubelets = selected(flags, mutants::kubelet_flips(catalogue), mutants::kubelet_faults(catalogue));
  if (!kubelets) return tl::unexpected<Error>(kubelets.error());
  out.kubelets = std::move(*kubelets);
  Result<mutants::Known> known = mutants::built_in_known();
  if (!known) return tl::unexpected<Error>(known.error());
  out.known = std::move(*known);
  Result<std::vector<Scenario>> scenarios = selected_scenarios(flags.scenarios, {}, catalogue);
  if (!scenarios) return tl::unexpected<Error>(scenarios.error());
  out.scenarios = std::move(*scenarios);
  auto kubelet_scenarios = kubelet_conformance::load_kubelet_scenarios(flags.scenarios, catalogue);
  if (!kubelet_scenarios) return tl::unexpected<Error>(kubelet_scenarios.error());
  out.kubelet_scenarios = std::move(*kubelet_scenarios);
  return out;
}

int list_mutants(const Prepared& prepared, const Catalogue& catalogue) {
  const mutants::ReachObserver observer(prepared.mutants);
  std::size_t listed = 0;
  for (const Version& release : prepared.releases) {
    const auto settings = mutants::settings_of(catalogue, release, {}, observer);
    for (const std::size_t i : mutants::mutants_at(prepared.mutants, settings)) {
      std::cout << release.text() << "  " << prepared.mutants[i].id << "\n    " << prepared.mutants[i].meaning << '\n';
      ++listed;
    }
    const mutants::MutationRunOptions none;
    const Release plain = *Release::make(catalogue, release, {});
    const mutants::KubeletMutationRun run(prepared.kubelets, prepared.kubelet_scenarios, prepared.known, catalogue,
                                          plain, none);
    for (const mutants::KubeletMutant* mutant : run.picked()) {
      std::cout << release.text() << "  " << mutant->id << "\n    " << mutant->meaning << '\n';
      ++listed;
    }
  }
  std::cout << listed << " mutants\n";
  return listed == 0 ? nothing_ran : conforms;
}

void show_words(const char* title, const std::vector<mutants::Word>& words) {
  std::cout << title << '\n';
  for (const mutants::Word& word : words) {
    std::cout << "  " << word.name << (word.argument.empty() ? "" : " (" + word.argument + ")") << "\n      "
              << word.meaning << '\n';
  }
}

int list_words() {
  show_words("Conditions, of `unchecked` and `refused`", mutants::condition_words());
  show_words("Misreadings, of `misread`", mutants::misreading_words());
  std::vector<mutants::Word> slips;
  for (const mutants::IdentitySlipEntry& entry : mutants::identity_slips()) slips.push_back(entry.word);
  show_words("Slips, of `identity`", slips);
  std::vector<mutants::Word> graph;
  for (const mutants::GraphFault::What what : mutants::graph_faults) {
    graph.push_back({std::string(to_string(what)), "", "an edge " + std::string(mutants::meaning_of(what))});
  }
  show_words("Faults of the graph", graph);
  std::vector<mutants::Word> contents;
  for (const mutants::ContentFaultWords& one : mutants::content_faults()) {
    contents.push_back({std::string(one.name), "", std::string(one.meaning)});
  }
  show_words("Faults of contents, of `content`", contents);
  return conforms;
}

mutants::MutationRunOptions options_of(const MutantFlags& flags) {
  mutants::MutationRunOptions options;
  options.jobs = flags.jobs;
  options.all_killers = flags.all_killers;
  options.checks = flags.checks;
  // With only some of the mutants, a scenario that kills none proves nothing.
  options.scenarios = flags.focus.empty() && !flags.boundaries;
  return options;
}

Result<MutationReport> run_at(const Version& release, mutants::MutationRunOptions options, const Prepared& prepared,
                              const mutants::ReachObserver& observer, const Catalogue& catalogue, bool quiet) {
  MutationReport report;
  auto settings = mutants::settings_of(catalogue, release, prepared.scenarios, observer);
  const std::vector<std::size_t> picked = mutants::mutants_at(prepared.mutants, settings);
  const Release plain = *Release::make(catalogue, release, {});
  mutants::KubeletMutationRun kubelets(prepared.kubelets, prepared.kubelet_scenarios, prepared.known, catalogue, plain,
                                       options);
  // With many releases, each prints one line; lines of progress between them would flood a log.
  std::optional<ProgressBar> progress;
  const ProgressBar::Style style = progress_style(quiet);
  if (prepared.releases.size() == 1 || style.terminal) {
    progress.emplace(std::cerr, picked.size() + kubelets.picked().size(), style);
    options.done = [&] { progress->advance(Verdict::pass, "mutants at " + release.text()); };
  }
  mutants::MutationRun(prepared.mutants, settings, prepared.known, options).run(picked, report);
  const Result<void> found = kubelets.run(report);
  if (progress) progress->finish();
  if (!found) return tl::unexpected<Error>(found.error());
  return report;
}

/// The results that an earlier run kept, if the flags ask for them.
Result<std::optional<mutants::KeptReleases>> kept_releases(const MutantFlags& flags) {
  if (!flags.resume) return std::optional<mutants::KeptReleases>();
  const std::string what =
      flags.focus + "\n" + (flags.boundaries ? "boundaries " : "") + (flags.all_killers ? "all-killers" : "");
  const Result<std::string> basis = mutants::basis_of_outcomes(flags.scenarios, what);
  if (!basis) return tl::unexpected<Error>(basis.error());
  return mutants::KeptReleases(std::filesystem::path(flags.out) / "releases", *basis);
}

void say_release(const MutationReport& found, std::size_t number, std::size_t of, bool known) {
  using Outcome = MutantResult::Outcome;
  std::cerr << found.releases.front() << ": " << found.count(Outcome::killed) << " killed, "
            << found.count(Outcome::survived) << " survived, " << found.count(Outcome::equivalent) << " equivalent; "
            << number << " of " << of << " releases" << (known ? ", known from an earlier run" : "") << "\n";
}

Result<MutationReport> run(const MutantFlags& flags, const Prepared& prepared, const Catalogue& catalogue) {
  const mutants::ReachObserver observer(prepared.mutants);
  const mutants::MutationRunOptions options = options_of(flags);
  const Result<std::optional<mutants::KeptReleases>> kept = kept_releases(flags);
  if (!kept) return tl::unexpected<Error>(kept.error());
  MutationReport report;
  for (const Version& release : prepared.releases) {
    std::optional<MutationReport> known;
    if (*kept) known = (*kept)->find(release);
    const bool is_known = known.has_value();
    if (!is_known) {
      Result<MutationReport> found = run_at(release, options, prepared, observer, catalogue, flags.quiet);
      if (!found) return found;
      // An interrupted run proves nothing about the release, but its results are shown.
      if (*kept && !interrupted()) {
        if (Result<void> written = (*kept)->keep(release, *found); !written) {
          return tl::unexpected<Error>(written.error());
        }
      }
      known = std::move(*found);
    }
    const std::size_t number = report.releases.size() + 1;
    if (prepared.releases.size() > 1 && !interrupted() && !flags.quiet) {
      say_release(*known, number, prepared.releases.size(), is_known);
    }
    add_releases(report, std::move(*known));
    if (interrupted()) break;
  }
  const bool all = options.scenarios && flags.releases == std::vector<std::string>{"all"} && !interrupted();
  if (all) mutants::note_unused_patterns(prepared.known, report);
  return report;
}

Result<void> write_files(const MutationReport& report, const std::string& out) {
  if (out.empty()) return {};
  const std::filesystem::path folder(out);
  if (Result<void> written = write_file(folder / "mutants.json", to_json(report)); !written) return written;
  return write_file(folder / "mutants.md", to_markdown(report));
}

int mutants(const MutantFlags& flags) {
  const Catalogue& catalogue = Catalogue::built_in();
  if (flags.words) return list_words();
  const Result<Prepared> prepared = prepare(flags, catalogue);
  if (!prepared) return fail(prepared.error());
  if (flags.list) return list_mutants(*prepared, catalogue);
  install_signal_handlers();
  const Result<MutationReport> found = run(flags, *prepared, catalogue);
  if (!found) return fail(found.error());
  const MutationReport& report = *found;
  if (Result<void> written = write_files(report, flags.out); !written) return fail(written.error());
  if (flags.format == "json") {
    std::cout << to_json(report);
  } else if (flags.format == "markdown") {
    std::cout << to_markdown(report);
  } else {
    std::cout << to_terminal(report, terminal_style(flags.verbose));
    if (!flags.out.empty()) std::cout << "Reports: " << flags.out << "/mutants.json, " << flags.out << "/mutants.md\n";
  }
  return interrupted() ? could_not_tell : exit_code(report);
}

}  // namespace

void add_mutants_command(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<MutantFlags>();
  CLI::App* command =
      app.add_subcommand("mutants", "Run the scenarios on faulty references: which faults would they let through?");
  command->add_option("--release", flags->releases, "Releases like 1.32.5, or all: those at which a rule comes or goes")
      ->delimiter(',')
      ->capture_default_str();
  add_scenarios_option(*command, flags->scenarios);
  command->add_option("--focus", flags->focus, "Only mutants whose id matches this regular expression");
  command->add_option("--jobs", flags->jobs, "Mutants at a time")->check(CLI::Range(1, 64))->capture_default_str();
  CLI::Option* out =
      command->add_option("--out", flags->out, "Folder for mutants.json and mutants.md (default: not written)");
  command->add_flag("--boundaries", flags->boundaries, "Only whole rules: off, or in force where they should not be");
  command->add_flag("--all-killers", flags->all_killers, "Ask all scenarios, not only up to the first that fails");
  CLI::Option* checks = command->add_flag("--checks", flags->checks, "Look for checks that no mutant makes fail");
  command
      ->add_flag("--resume", flags->resume,
                 "Keep what each release shows below --out, and take what an earlier run has kept there")
      ->needs(out)
      ->excludes(checks);
  command->add_flag("--list", flags->list, "Only list the mutants");
  command->add_flag("--words", flags->words, "Only list the words that faults.toml is written in");
  add_format_flag(*command, flags->format);
  add_quiet_flag(*command, flags->quiet);
  command->add_flag("--verbose", flags->verbose, "Show every mutant");
  command->footer(
      "A mutant is killed by a check that fails with it and not without; a refusal in other words, an inconclusive "
      "answer or a known deviation kills none.\nExit codes: 0 no mutant survives, 1 one does, or a list is out of "
      "date, 2 bad usage or input, 4 nothing ran.");
  command->callback([flags, &exit_code] { exit_code = mutants(*flags); });
}

}  // namespace nodebound::cli
