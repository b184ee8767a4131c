#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>

#include "harness/cli/commands/commands.h"
#include "harness/cli/console.h"
#include "harness/cli/explore_report.h"
#include "harness/cli/guest_run.h"
#include "harness/cli/scenarios_option.h"
#include "harness/cli/target_run.h"
#include "harness/endpoint/reference_endpoint.h"
#include "harness/endpoint/signals.h"
#include "harness/scenario/loader.h"
#include "reports/files.h"

namespace nodebound::cli {
namespace {

struct ExploreFlags {
  std::vector<std::string> sides;
  TargetFlags target;
  explore::ExploreOptions options;
  std::int64_t episode = -1;
  std::string scenarios;
  std::string write_scenarios;
  std::string out = "out";
  bool quiet = false;
  bool verbose = false;
};

struct Sides {
  Target a;
  Target b;
  bool a_is_reference = false;  ///< the reference with B's rules, which is also the guide
};

// A target that serves one API that is off by default is taken to serve all of them; binary:DIR with a gate does so.
RuntimeConfig config_of(const Endpoint& endpoint, const Release& release) {
  const std::vector<std::string> by_default = ApiResources(release, RuntimeConfig::defaults).group_versions();
  for (const std::string& version : ApiResources(release, RuntimeConfig::api_all).group_versions()) {
    const bool on_request = std::find(by_default.begin(), by_default.end(), version) == by_default.end();
    if (on_request && endpoint.observed().api_versions.contains(version)) return RuntimeConfig::api_all;
  }
  return RuntimeConfig::defaults;
}

// Gives an embedded reference the objects of a whole cluster, because the other side has them too.
void make_whole(Target& target, const TargetFlags& flags, RuntimeConfig config) {
  if (!target.is_reference) return;
  const RuleSet& rules = target.own_rules ? *target.own_rules : *target.rules;
  target.endpoint =
      make_reference_cluster(rules, {flags.disabled_plugins.begin(), flags.disabled_plugins.end()}, config);
}

Result<Target> open_side(const TargetFlags& flags, const std::string& name, const Catalogue& catalogue) {
  TargetFlags own = flags;
  own.target = Version::parse(name) ? "reference:" + name : name;
  return open_target(own, catalogue);
}

Result<Sides> open(const ExploreFlags& flags, const Catalogue& catalogue) {
  Sides sides;
  const bool two = flags.sides.size() == 2;
  if (flags.sides.size() == 1) return input_error("B", "expected two targets, or none and --target");
  Result<Target> b = two ? open_side(flags.target, flags.sides[1], catalogue) : open_target(flags.target, catalogue);
  if (!b) return tl::unexpected<Error>(b.error());
  sides.b = std::move(*b);
  const RuntimeConfig config = config_of(*sides.b.endpoint, sides.b.rules->release());
  make_whole(sides.b, flags.target, config);
  if (two && flags.sides[0] != "reference") {
    Result<Target> a = open_side(flags.target, flags.sides[0], catalogue);
    if (!a) return tl::unexpected<Error>(a.error());
    sides.a = std::move(*a);
    make_whole(sides.a, flags.target, config);
    return sides;
  }
  sides.a.rules = std::make_unique<RuleSet>(*sides.b.rules);
  sides.a.endpoint = make_reference_cluster(*sides.a.rules, {}, config);
  sides.a_is_reference = true;
  return sides;
}

/// Where the objects that a side is made to store are written down.
struct Journals {
  SideJournal of_a;
  SideJournal of_b;
};

std::string name_of_a(const ExploreFlags& flags) {
  return flags.sides.size() == 2 ? flags.sides[0] : "reference";
}

std::string name_of_b(const ExploreFlags& flags) {
  return flags.sides.size() == 2 ? flags.sides[1] : flags.target.target;
}

Result<Journals> open_journals(const ExploreFlags& flags, const Sides& sides, const std::string& run_id) {
  Result<SideJournal> of_a = side_journal(*sides.a.endpoint, flags.out, "a", run_id, name_of_a(flags));
  if (!of_a) return tl::unexpected<Error>(of_a.error());
  Result<SideJournal> of_b = side_journal(*sides.b.endpoint, flags.out, "b", run_id, name_of_b(flags));
  if (!of_b) return tl::unexpected<Error>(of_b.error());
  return Journals{std::move(*of_a), std::move(*of_b)};
}

int report_clean_up(const ExploreFlags& flags, const Journals& journals, const explore::LeftBehind& left) {
  const int of_a = report_clean_up(left.on_a, journals.of_a, name_of_a(flags));
  const int of_b = report_clean_up(left.on_b, journals.of_b, name_of_b(flags));
  return of_a == conforms ? of_b : of_a;
}

Result<explore::ExplorationOutcome> run(const ExploreFlags& flags, const Sides& sides, const Journals& journals,
                                        const std::string& run_id, const Fixtures& fixtures,
                                        const std::vector<Scenario>& scenarios, explore::LeftBehind& left) {
  const ApiResources resources_a(sides.a.rules->release());
  const ApiResources resources_b(sides.b.rules->release());
  const std::unique_ptr<Endpoint> guide_endpoint =
      make_reference_cluster(*sides.b.rules, {}, config_of(*sides.b.endpoint, sides.b.rules->release()));
  journal::Journal unused;
  const explore::ExploredSide a{*sides.a.endpoint, *sides.a.rules, resources_a, *journals.of_a.journal, run_id};
  explore::ExploredSide b{*sides.b.endpoint, *sides.b.rules, resources_b, *journals.of_b.journal, run_id};
  b.judges_contents = sides.b.endpoint->disposable();
  const explore::ExploredSide guide{*guide_endpoint, *sides.b.rules, resources_b, unused, run_id};
  const explore::EpisodeSource source(flags.options.seed, fixtures, scenarios, sides.b.rules->release().version);
  ProgressBar progress(std::cerr, flags.options.requests, progress_style(flags.quiet));
  explore::ExploreOptions options = flags.options;
  if (flags.episode >= 0) options.only = static_cast<std::size_t>(flags.episode);
  options.asked = [&](std::size_t requests) {
    for (; requests > 0; --requests) progress.advance(Verdict::pass, "");
  };
  Result<explore::ExplorationOutcome> outcome =
      explore::explore(a, b, sides.a_is_reference ? a : guide, source, options, left);
  progress.finish();
  return outcome;
}

int finish(const ExploreFlags& flags, const Sides& sides, const explore::ExplorationOutcome& outcome,
           Exploration& exploration) {
  exploration.a = described_side(sides.a);
  exploration.b = described_side(sides.b);
  if (!flags.write_scenarios.empty()) {
    const Result<void> written =
        write_scenarios(outcome, flags.scenarios, flags.write_scenarios, sides.b.rules->catalogue(), exploration);
    if (!written) return fail(written.error());
  }
  const std::filesystem::path file = std::filesystem::path(flags.out) / "explore.json";
  if (Result<void> written = write_file(file, to_json(exploration)); !written) return fail(written.error());
  std::cout << to_terminal(exploration, terminal_style(flags.verbose)) << "Report: " << file.string() << '\n';
  return exit_code(exploration);
}

int explore_targets(const ExploreFlags& flags) {
  const Catalogue& catalogue = Catalogue::built_in();
  const Result<std::vector<Scenario>> scenarios = selected_scenarios(flags.scenarios, {}, catalogue);
  if (!scenarios) return fail(scenarios.error());
  const Result<Fixtures> fixtures = fixtures_of(flags.scenarios);
  if (!fixtures) return fail(fixtures.error());
  install_signal_handlers();
  const std::string started = utc_now();
  Result<Sides> sides = open(flags, catalogue);
  if (!sides) return fail(sides.error());
  for (const Target* side : {&sides->a, &sides->b}) {
    const auto may = ask_to_write(*side, flags.target, "small clusters of Nodes, pods and what these refer to");
    if (!may) return fail(may.error());
  }
  const Endpoint& shared = sides->a.endpoint->disposable() ? *sides->b.endpoint : *sides->a.endpoint;
  const std::string run_id = make_run_id(shared, flags.options.seed);
  const Result<Journals> journals = open_journals(flags, *sides, run_id);
  if (!journals) return fail(journals.error());
  const auto clock_start = std::chrono::steady_clock::now();
  explore::LeftBehind left;
  const Result<explore::ExplorationOutcome> outcome =
      run(flags, *sides, *journals, run_id, *fixtures, *scenarios, left);
  const int cleaned_up = report_clean_up(flags, *journals, left);
  if (!outcome) return fail(outcome.error());
  Exploration exploration = exploration_of(*outcome, *sides->b.rules, flags.options.seed);
  exploration.run = {started, host_name(), NODEBOUND_VERSION,
                     std::chrono::duration<double>(std::chrono::steady_clock::now() - clock_start).count()};
  const int code = finish(flags, *sides, *outcome, exploration);
  return cleaned_up == conforms ? code : cleaned_up;
}

}  // namespace

void add_explore_command(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<ExploreFlags>();
  CLI::App* command = app.add_subcommand(
      "explore", "Ask two targets about random clusters, and make each difference in their answers small");
  command
      ->add_option(
          "SIDES", flags->sides,
          "Two targets A and B, or releases, like reference:1.31 and binary:DIR (default: the reference of the "
          "release that --target is judged as, and --target)")
      ->expected(0, 2);
  flags->target.add_to(*command);
  command->add_option("--requests", flags->options.requests, "How many requests to compare, at least")
      ->check(CLI::Range(1, 1'000'000'000))
      ->capture_default_str();
  command->add_option("--episode", flags->episode, "Only the episode of this number, as the seed draws it")
      ->check(CLI::Range(0, 1'000'000'000));
  command->add_option("--shrink", flags->options.most_shrunk, "How many sorts of differences to make small")
      ->capture_default_str();
  add_scenarios_option(*command, flags->scenarios, "Folder of scenarios, which mutants are made of");
  command->add_option("--write-scenarios", flags->write_scenarios,
                      "Write each difference as a scenario below this folder");
  command->add_option("--jobs", flags->options.jobs, "Episodes at a time")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  command->add_option("--seed", flags->options.seed, "Fixes all that is drawn by chance")->capture_default_str();
  command->add_option("--out", flags->out, "Folder for explore.json")->capture_default_str();
  add_quiet_flag(*command, flags->quiet);
  command->add_flag("--verbose", flags->verbose, "Show every difference, and cut nothing");
  command->footer(
      "Exit codes: 0 they answer alike but for known deviations, 1 they do not, 2 bad usage or input, 3 could not "
      "tell, 4 "
      "nothing was asked.");
  command->callback([flags, &exit_code] { exit_code = explore_targets(*flags); });
}

}  // namespace nodebound::cli
