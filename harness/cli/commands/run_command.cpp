#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <set>

#include "harness/certify/statement.h"
#include "harness/cli/commands/commands.h"
#include "harness/cli/console.h"
#include "harness/cli/deviation_flags.h"
#include "harness/cli/failure_files.h"
#include "harness/cli/guest_run.h"
#include "harness/cli/kubelet_target.h"
#include "harness/cli/report_files.h"
#include "harness/cli/scenarios_option.h"
#include "harness/cli/share_flag.h"
#include "harness/cli/target.h"
#include "harness/cli/target_run.h"
#include "harness/endpoint/signals.h"
#include "harness/run/runner.h"
#include "reference/release/toml_reader.h"
#include "reports/files.h"
#include "reports/run/progress.h"
#include "reports/text.h"

namespace nodebound::cli {
namespace {

struct RunFlags {
  TargetFlags target;
  RunningKubeletFlags kubelet;
  DeviationFlags deviations;
  std::string scenarios;
  Selection selection;
  std::string shard;
  std::optional<std::size_t> jobs;
  std::uint64_t seed = 1;
  std::string out = "out";
  std::string done_file;
  bool fail_fast = false;
  bool exact_reasons = false;
  bool dry_run = false;
  bool read_only = false;
  bool disposable = false;
  bool print_rbac = false;
  bool verbose = false;
  bool shrink = false;
  bool quiet = false;
  bool github = false;
  bool full_evidence = false;
};

void list_checks(const std::vector<Scenario>& scenarios) {
  for (const Scenario& scenario : scenarios) {
    for (const Step& step : scenario.steps) {
      if (!step.check) continue;
      const RequestText& request = step.check->request;
      std::cout << printable(scenario.id + "/" + step.check->name) << "\n    "
                << printable(to_text(step.check->subject) + ": " + request.verb + " " + request.resource + request.path)
                << '\n';
    }
  }
}

void describe_run(Report& report, const Target& target, const std::string& run_id, const std::string& started) {
  report.run.id = run_id;
  report.run.started = started;
  report.run.host = host_name();
  report.run.tool_version = NODEBOUND_VERSION;
  describe_target(report, target);
}

/// Whatever a target has answered before, nothing conforms whose answers cannot be relied on.
CheckResult unreliable_target(const Error& why) {
  CheckResult out;
  out.id = "target/reliable";
  out.scenario = "The target keeps to its protocol";
  out.title = "to the end";
  out.profile = "target";
  out.layer = "request";
  out.where = "--target";
  out.expected = "answers to what is asked, and nothing else";
  out.why = why.text();
  return out;
}

int run_kubelet(const RunFlags& flags) {
  if (flags.print_rbac) return print_rights_of_kubelet_run(flags.target);
  if (flags.read_only) {
    return fail(input_error("--read-only", "a kubelet asks about rights that have to be granted first").value());
  }
  if (flags.jobs.value_or(1) > 1)
    return fail(input_error("--jobs", "kubelets are asked one thing after the other").value());
  return run_against_kubelet({flags.target, flags.kubelet, flags.scenarios, flags.selection, flags.seed, flags.out,
                              flags.fail_fast, flags.dry_run, flags.verbose, flags.quiet, flags.github,
                              flags.deviations});
}

/// What a selection that leaves nothing probably meant.
std::string probably_meant(const RunFlags& flags, const Catalogue& catalogue) {
  const Result<std::vector<Scenario>> all = selected_scenarios(flags.scenarios, {}, catalogue);
  if (!all) return {};
  std::set<std::string> profiles;
  std::set<std::string> names;
  for (const Scenario& scenario : *all) {
    profiles.insert(scenario.profile);
    const std::string id = scenario.id.substr(0, scenario.id.find('['));
    names.insert({id, id.substr(id.rfind('/') + 1)});
  }
  const std::string& profile = flags.selection.profile;
  std::string out;
  if (!profile.empty() && !profiles.contains(profile)) {
    out += "\n--profile " + profile + " is none" + did_you_mean(profile, {profiles.begin(), profiles.end()});
  }
  const std::string& focus = flags.selection.focus;
  const std::string near = focus.empty() ? "" : did_you_mean(focus, {names.begin(), names.end()});
  if (!near.empty() && !names.contains(focus)) out += "\n--focus " + focus + near;
  return out + "\n`nodebound run --dry-run` lists what can be asked";
}

int run(RunFlags& flags) {
  const Catalogue& catalogue = Catalogue::built_in();
  const Result<Share> share = read_share(flags.shard, "scenarios");
  if (!share) return fail(share.error());
  flags.selection.share = *share;
  if (flags.fail_fast && !flags.deviations.file.empty()) {
    return fail(input_error("--fail-fast", "stops at a failure before it is known whether it is declared",
                            "leave out --fail-fast or --deviations")
                    .value());
  }
  if (flags.target.target.starts_with(kubelet_target)) return run_kubelet(flags);
  if (flags.shrink && flags.target.target.starts_with("kubeconfig")) {
    return fail(input_error("--shrink", "asks many times, which a cluster that others use is not for").value());
  }
  const auto declared = read_deviations(flags.deviations);
  if (!declared) return fail(declared.error());
  Result<std::vector<Scenario>> scenarios = selected_scenarios(flags.scenarios, flags.selection, catalogue);
  if (!scenarios) return fail(scenarios.error());
  if (scenarios->empty()) {
    complain("no scenario is selected; --profile, --focus, --skip and --shard leave nothing to run" +
             probably_meant(flags, catalogue));
    return nothing_ran;
  }
  if (flags.print_rbac) return print_rights(*scenarios, flags.target, flags.read_only);
  if (flags.dry_run) {
    list_checks(*scenarios);
    return conforms;
  }
  install_signal_handlers();
  const std::string started = utc_now();
  Result<Target> target = open_target(flags.target, catalogue);
  if (!target) return fail(target.error());
  RunOptions options;
  options.run_id = make_run_id(*target->endpoint, flags.seed);
  options.read_only = flags.read_only;
  options.has_target_to_itself = flags.disposable;
  if (auto able = allow_for_missing_rights(*target, flags.target, *scenarios, options); !able)
    return fail(able.error());
  if (!flags.read_only) {
    const auto asked = ask_to_write(*target, flags.target, *scenarios, options.run_id);
    if (!asked) return fail(asked.error());
  }
  Result<std::unique_ptr<journal::Journal>> journal = std::make_unique<journal::Journal>();
  if (!flags.read_only) {
    journal = journal_for(*target->endpoint, flags.out, options.run_id, flags.target.target);
  }
  if (!journal) return fail(journal.error());

  const auto clock_start = std::chrono::steady_clock::now();
  ProgressBar progress(std::cerr, count_checks(*scenarios, *target->rules), progress_style(flags.quiet));
  options.jobs = flags.jobs.value_or(default_jobs(*target->endpoint));
  options.settle_within = flags.target.webhook.settle_within;
  options.share = flags.selection.share;
  options.fail_fast = flags.fail_fast;
  options.exact_reasons = flags.exact_reasons;
  options.judged = [&](const CheckResult& result) { progress.advance(result.verdict, result.scenario); };
  std::vector<Error> clean_up_errors;
  Report report = run_scenarios(*scenarios, *target->endpoint, *target->rules, **journal, options, clean_up_errors);
  progress.finish();
  FailureFiles failures{flags.out, flags.scenarios, {}};
  if (flags.shrink) {
    failures.smallest = smallest_scenarios(
        *scenarios, report, {*target->endpoint, *target->rules, flags.seed, flags.target.webhook.settle_within});
  }
  if (Result<void> finished = target->endpoint->finish(); !finished) {
    report.checks.push_back(unreliable_target(finished.error()));
  }

  describe_run(report, *target, options.run_id, started);
  if (report.run.part) report.run.part->selection = to_text(flags.selection);
  report.run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - clock_start).count();
  const Result<std::string> note = apply_deviations(flags.deviations, *declared, report, [&] {
    return deviations::ids_of_checks(load_scenarios(flags.scenarios, catalogue).scenarios, *target->rules);
  });
  failures.replay = replay_command(flags.target, target->endpoint->name(), report, flags.seed);
  target->endpoint.reset();
  report.full_evidence = flags.full_evidence;
  const int told = tell(report, flags.out, flags.verbose, flags.fail_fast);
  if (flags.github) tell_github(report);
  if (const int left = report_clean_up(clean_up_errors, **journal, flags.target.target, flags.out); left != conforms)
    return left;
  const Result<std::string> pages = write_failures(report, catalogue, failures);
  if (!pages) return fail(pages.error());
  std::cout << *pages;
  if (!note) return fail(note.error());
  std::cout << *note;
  const bool whole_profile = !flags.selection.profile.empty() && flags.selection.focus.empty() &&
                             flags.selection.skip.empty() && flags.selection.share.is_all();
  if (told == conforms && whole_profile && report.target.is_authorizer && !certify::judges_both(report)) {
    complain("all that an authorizer alone could be asked of this profile has the same answer, which anybody can give");
    return could_not_tell;
  }
  return told;
}

// Whatever became of the run: who waits for the file finds out by the report that it names.
int and_say_done(const RunFlags& flags, int code) {
  if (flags.done_file.empty()) return code;
  const std::filesystem::path report = std::filesystem::absolute(flags.out) / "junit.xml";
  const Result<void> written = write_file(flags.done_file, report.string());
  return written ? code : fail(written.error());
}

}  // namespace

void add_run_command(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<RunFlags>();
  CLI::App* command = app.add_subcommand("run", "Run scenarios against a target and report what conforms");
  flags->target.add_to(*command);
  flags->kubelet.add_to(*command);
  flags->deviations.add_to(*command, true);
  add_scenarios_option(*command, flags->scenarios);
  command->add_option("--profile", flags->selection.profile, "Only scenarios of this profile");
  command->add_option("--focus", flags->selection.focus, "Only scenarios whose id matches this regular expression");
  command->add_option("--skip", flags->selection.skip, "No scenarios whose id matches this regular expression");
  command->add_option("--shard", flags->shard, "Only the i-th of n shares of the scenarios: i/n");
  command->add_option("--jobs", flags->jobs, "Scenarios at a time")
      ->check(CLI::Range(1, 64))
      ->default_str("4 at an API server, 1 otherwise");
  command->add_option("--seed", flags->seed, "Fixes all that is drawn by chance")->capture_default_str();
  command->add_option("--out", flags->out, "Folder for the reports")->capture_default_str();
  command->add_option("--done-file", flags->done_file,
                      "File to write, last of all, where the JUnit report is, as Sonobuoy waits for it");
  command->add_flag("--fail-fast", flags->fail_fast, "Ask nothing more once a check has failed");
  command->add_flag("--shrink", flags->shrink,
                    "Find the smallest scenario that still shows each kind of failure (OUT/failures/smallest)");
  command->add_flag("--exact-reasons", flags->exact_reasons,
                    "A refusal in other words than the release's fails, too: for builds of Kubernetes itself");
  command->add_flag("--disposable", flags->disposable,
                    "The cluster is for nothing else: judge what writes store and what reads leave out, too");
  command->add_flag("--read-only", flags->read_only, "Make nothing: ask only what reviews of access can tell");
  command->add_flag("--print-rbac", flags->print_rbac,
                    "Print the ClusterRole that the run needs instead of running; with --read-only, the one of that");
  command->add_flag("--dry-run", flags->dry_run, "List the checks instead of making them");
  command->add_flag("--full-evidence", flags->full_evidence,
                    "report.json also has the bodies and messages of checks that passed");
  add_quiet_flag(*command, flags->quiet);
  command->add_flag("--github", flags->github,
                    "In a job of GitHub Actions: annotate what failed, and add the report to the job's summary");
  command->add_flag("--verbose", flags->verbose, "Show every check that did not pass");
  command->callback([flags, &exit_code] { exit_code = and_say_done(*flags, run(*flags)); });
}

}  // namespace nodebound::cli
