#include <filesystem>
#include <iostream>
#include <optional>

#include "harness/cli/commands/commands.h"
#include "harness/cli/compare/compare_random.h"
#include "harness/cli/compare/compare_rules.h"
#include "harness/cli/compare/compare_sides.h"
#include "harness/cli/console.h"
#include "harness/cli/guest_run.h"
#include "harness/cli/scenarios_option.h"
#include "harness/cli/target_run.h"
#include "harness/endpoint/signals.h"
#include "harness/run/runner.h"
#include "reports/comparison/comparison_writers.h"
#include "reports/files.h"

namespace nodebound::cli {
namespace {

struct CompareFlags {
  SideFlags sides;
  RandomFlags random;
  std::string scenarios;
  Selection selection;
  std::optional<std::size_t> jobs;
  std::uint64_t seed = 1;
  ComparisonOutput output;
  bool brief = false;
};

/// One of the two sides while it is being asked.
struct Asked {
  std::string run_id;
  SideJournal written;
  Report report = {};
  std::vector<Error> clean_up_errors = {};
};

Result<Asked> open_journal(Target& target, const CompareFlags& flags, const char* side, const std::string& of) {
  const std::string run_id = make_run_id(*target.endpoint, flags.seed);
  Result<SideJournal> journal =
      side_journal(*target.endpoint, flags.output.out.empty() ? "out" : flags.output.out, side, run_id, of);
  if (!journal) return tl::unexpected<Error>(journal.error());
  return Asked{run_id, std::move(*journal)};
}

void ask(Asked& asked, const std::vector<Scenario>& scenarios, Target& target, const RuleSet& other,
         const CompareFlags& flags, ProgressBar& progress) {
  RunOptions options;
  options.run_id = asked.run_id;
  options.jobs = flags.jobs.value_or(default_jobs(*target.endpoint));
  options.compared_with = &other;
  // A comparison ignores whether an answer was the expected one.
  options.judged = [&](const CheckResult& result) { progress.advance(Verdict::pass, result.scenario); };
  asked.report =
      run_scenarios(scenarios, *target.endpoint, *target.rules, *asked.written.journal, options, asked.clean_up_errors);
  describe_target(asked.report, target);
}

void describe(Comparison::Side& side, const OpenSide& open) {
  side.name = open.name;
  side.notes = open.notes;
}

Result<void> write_files(const Comparison& comparison, const std::string& out) {
  if (out.empty()) return {};
  const std::filesystem::path folder(out);
  if (Result<void> written = write_file(folder / "compare.json", to_json(comparison)); !written) return written;
  return write_file(folder / "compare.md", to_markdown(comparison));
}

void show(const Comparison& comparison, const CompareFlags& flags) {
  if (flags.output.format == "json") {
    std::cout << to_json(comparison);
  } else if (flags.output.format == "markdown") {
    std::cout << to_markdown(comparison);
  } else if (flags.brief) {
    std::cout << to_brief(comparison, terminal_style(false));
  } else {
    std::cout << to_terminal(comparison, terminal_style(flags.output.verbose));
    if (!flags.output.out.empty())
      std::cout << "Reports: " << flags.output.out << "/compare.json, " << flags.output.out << "/compare.md\n";
  }
}

int compare_random_requests(const CompareFlags& flags) {
  install_signal_handlers();
  Result<OpenSides> sides = open_sides(flags.sides, Catalogue::built_in());
  if (!sides) return fail(sides.error());
  for (const Target* side : {&sides->a.target, &sides->b.target}) {
    const auto may =
        ask_to_write(*side, flags.sides.access, "objects of any name, and changes and deletes what it finds");
    if (!may) return fail(may.error());
  }
  return compare_by_chance(flags.random, *sides, flags.seed, flags.output);
}

int compare(const CompareFlags& flags) {
  if (flags.random.requests != 0) return compare_random_requests(flags);
  const Catalogue& catalogue = Catalogue::built_in();
  const Result<std::vector<Scenario>> scenarios = selected_scenarios(flags.scenarios, flags.selection, catalogue);
  if (!scenarios) return fail(scenarios.error());
  if (scenarios->empty()) {
    std::cerr << "nodebound: no scenario is selected by --profile, --focus and --skip\n";
    return nothing_ran;
  }
  install_signal_handlers();
  Result<OpenSides> sides = open_sides(flags.sides, catalogue);
  if (!sides) return fail(sides.error());
  Target& a = sides->a.target;
  Target& b = sides->b.target;
  for (const Target* side : {&a, &b}) {
    if (auto may = ask_to_write(*side, flags.sides.access, *scenarios, "RUN"); !may) return fail(may.error());
  }
  Result<Asked> of_a = open_journal(a, flags, "a", flags.sides.a);
  if (!of_a) return fail(of_a.error());
  Result<Asked> of_b = open_journal(b, flags, "b", flags.sides.b);
  if (!of_b) return fail(of_b.error());

  ProgressBar progress(std::cerr, 2 * count_checks(*scenarios, *a.rules, b.rules.get()),
                       progress_style(flags.output.quiet));
  ask(*of_a, *scenarios, a, *b.rules, flags, progress);
  ask(*of_b, *scenarios, b, *a.rules, flags, progress);
  progress.finish();

  Comparison comparison = compare_answers(of_a->report, of_b->report);
  comparison.releases = sides->releases;
  describe(comparison.a, sides->a);
  describe(comparison.b, sides->b);
  add_rule_changes(comparison, *a.rules, *b.rules);
  if (Result<void> written = write_files(comparison, flags.output.out); !written) return fail(written.error());
  show(comparison, flags);
  const int left_a = report_clean_up(of_a->clean_up_errors, of_a->written, flags.sides.a);
  const int left_b = report_clean_up(of_b->clean_up_errors, of_b->written, flags.sides.b);
  if (left_a != conforms || left_b != conforms || interrupted()) return could_not_tell;
  return exit_code(comparison);
}

}  // namespace

void add_compare_command(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<CompareFlags>();
  CLI::App* command = app.add_subcommand(
      "compare", "Say which requests of nodes two releases, or two targets, answer differently: asks both");
  flags->sides.add_to(*command);
  flags->random.add_to(*command);
  add_scenarios_option(*command, flags->scenarios);
  command->add_option("--profile", flags->selection.profile, "Only scenarios of this profile");
  command->add_option("--focus", flags->selection.focus, "Only scenarios whose id matches this regular expression");
  command->add_option("--skip", flags->selection.skip, "No scenarios whose id matches this regular expression");
  command->add_option("--jobs", flags->jobs, "Scenarios at a time")
      ->check(CLI::Range(1, 64))
      ->default_str("4 at an API server, 1 otherwise");
  command->add_option("--seed", flags->seed, "Fixes all that is drawn by chance")->capture_default_str();
  command->add_option("--out", flags->output.out, "Folder for compare.json and compare.md (default: not written)");
  add_format_flag(*command, flags->output.format);
  add_quiet_flag(*command, flags->output.quiet);
  command->add_flag("--brief", flags->brief, "Ten lines: who is newly refused what, and allowed");
  command->add_flag("--verbose", flags->output.verbose,
                    "Show every request, and refusals that are only worded differently");
  command->footer(
      "Exit codes: two releases: 0, what differs is information. Targets: 0 they decide alike, 1 they do not, 3 could "
      "not tell. 2 bad usage or input, 4 nothing ran.");
  command->callback([flags, &exit_code] { exit_code = compare(*flags); });
}

}  // namespace nodebound::cli
