#include <filesystem>
#include <iostream>
#include <unistd.h>

#include "fakes/wire/timestamp.h"
#include "harness/cli/commands/commands.h"
#include "harness/cli/console.h"
#include "harness/cli/simulation_progress.h"
#include "harness/cli/target_run.h"
#include "harness/endpoint/signals.h"
#include "harness/findings/acceptances.h"
#include "harness/objects/input_file.h"
#include "harness/simulate/findings/expectations.h"
#include "harness/simulate/simulate_on_binaries.h"
#include "harness/simulate/stock/stock_kubelets.h"
#include "reports/files.h"
#include "reports/findings/sarif.h"
#include "reports/text.h"

namespace nodebound::cli {
namespace {

struct SimulateFlags {
  std::string plan;
  std::vector<std::string> control_plane;  ///< folders
  std::vector<std::string> kubelets;       ///< folders
  std::string out;
  std::string format = "text";
  std::string start;
  std::string accept;
  bool no_remedies = false;
  bool quiet = false;
  bool verbose = false;
};

// `2026-12-01T09:00Z`, with seconds or without.
std::optional<std::chrono::sys_seconds> start_of(std::string text) {
  constexpr std::size_t without_seconds = std::string_view("2026-12-01T09:00Z").size();
  if (text.size() == without_seconds && text.ends_with('Z')) text.insert(text.size() - 1, ":00");
  const std::optional<std::int64_t> seconds = seconds_of(text);
  if (!seconds) return std::nullopt;
  return std::chrono::sys_seconds(std::chrono::seconds(*seconds));
}

Result<void> write_reports(const Simulation& simulation, const std::string& folder) {
  const std::filesystem::path out(folder);
  for (const auto& [name, text] : {std::pair{"simulation.json", to_json(simulation)},
                                   {"simulation.html", to_html(simulation)},
                                   {"simulation.sarif", to_sarif(findings_of(simulation), NODEBOUND_VERSION)},
                                   {"simulation.md", to_markdown(simulation)}}) {
    if (Result<void> written = write_file(out / name, text); !written) return written;
  }
  return {};
}

Result<simulate::BinarySimulation> simulation_of(const SimulateFlags& flags, const simulate::Plan& plan,
                                                 const Catalogue& catalogue) {
  SimulationProgressLine line(isatty(STDERR_FILENO) != 0);
  const simulate::SimulationProgress progress = [&](const simulate::SimulationState& state) {
    if (!flags.quiet) line.tell(state);
  };
  if (!flags.control_plane.empty()) {
    install_signal_handlers();
    Result<simulate::BinarySimulation> out =
        simulate::simulate_on_binaries(plan, catalogue, flags.control_plane, progress);
    line.finish();
    return out;
  }
  Result<Simulation> simulation = flags.no_remedies ? simulate::simulate_without_remedies(plan, catalogue, progress)
                                                    : simulate::simulate_on_reference(plan, catalogue, progress);
  line.finish();
  if (!simulation) return tl::unexpected<Error>(simulation.error());
  return simulate::BinarySimulation{std::move(*simulation), {}};
}

std::string printed(const Simulation& simulation, const SimulateFlags& flags) {
  if (flags.format == "json") return to_json(simulation);
  if (flags.format == "sarif") return to_sarif(findings_of(simulation), NODEBOUND_VERSION);
  return flags.format == "markdown" ? to_markdown(simulation) : to_terminal(simulation, terminal_style(flags.verbose));
}

Result<void> add_stock_kubelets(const SimulateFlags& flags, const simulate::Plan& plan, Simulation& simulation) {
  if (flags.kubelets.empty()) return {};
  install_signal_handlers();
  const Result<std::vector<simulate::StockKubelet>> kubelets = simulate::find_stock_kubelets(flags.kubelets);
  if (!kubelets) return tl::unexpected<Error>(kubelets.error());
  const Result<std::vector<std::string>> compared =
      simulate::compare_stock_kubelets(plan, *kubelets, std::filesystem::read_symlink("/proc/self/exe"));
  if (!compared) return tl::unexpected<Error>(compared.error());
  simulation.notes.insert(simulation.notes.end(), compared->begin(), compared->end());
  return {};
}

int simulate_plan(const SimulateFlags& flags) {
  const std::optional<std::chrono::sys_seconds> start = start_of(flags.start);
  if (!start && !flags.start.empty()) {
    return fail(
        {Error::Kind::input, "--start", "expected a time like 2026-12-01T09:00Z, found \"" + flags.start + "\"", {}});
  }
  const Result<std::string> text = read_input(flags.plan, input_limit::configuration);
  if (!text) return fail(text.error());
  const Catalogue& catalogue = Catalogue::built_in();
  const Result<simulate::Plan> plan = simulate::read_plan(*text, flags.plan, catalogue);
  if (!plan) return fail(plan.error());
  Result<Acceptances> acceptances = Acceptances::of_file(flags.accept, utc_today());
  if (!acceptances) return fail(acceptances.error());
  const auto started = std::chrono::system_clock::now();
  Result<simulate::BinarySimulation> done = simulation_of(flags, *plan, catalogue);
  if (!done) return fail(done.error());
  Simulation& simulation = done->simulation;
  if (Result<void> compared = add_stock_kubelets(flags, *plan, simulation); !compared) return fail(compared.error());
  simulation.start = start;
  simulation.run.started = timestamp_of(started);
  simulation.run.host = host_name();
  simulation.run.tool_version = NODEBOUND_VERSION;
  simulation.run.seconds = std::chrono::duration<double>(std::chrono::system_clock::now() - started).count();
  accept_findings(simulation, [&](const Finding& finding) { return acceptances->reason_for(finding); });
  for (std::string& note : acceptances->notes()) simulation.notes.push_back(std::move(note));
  if (!flags.out.empty()) {
    if (const Result<void> written = write_reports(simulation, flags.out); !written) return fail(written.error());
  }
  std::cout << printed(simulation, flags);
  std::vector<std::string> wrong = flags.control_plane.empty() ? simulate::unexpected(*plan, simulation)
                                                               : simulate::unexpected_of(*plan, simulation);
  wrong.insert(wrong.end(), done->differences.begin(), done->differences.end());
  for (const std::string& line : wrong) complain(flags.plan + ": " + line);
  if (!wrong.empty()) return does_not_conform;
  const bool fine = !breaks_something(simulation) && !begins_broken(simulation);
  return plan->expectations || fine ? conforms : does_not_conform;
}

}  // namespace

void add_simulate_command(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<SimulateFlags>();
  CLI::App* command = app.add_subcommand("simulate", "Say what a plan of upgrades breaks, at which step, and why");
  command->add_option("plan", flags->plan, "The plan, a TOML file")->required();
  command
      ->add_option("--control-plane", flags->control_plane,
                   "Folders with a kube-apiserver each, which then carry the plan out one after the other on one etcd")
      ->expected(1, -1);
  command
      ->add_option(
          "--kubelets", flags->kubelets,
          "Folders with a stock kubelet each, which join an API server beside fake ones of their release; notes "
          "say what they ask otherwise. Needs root")
      ->expected(1, -1);
  command->add_option("--out", flags->out,
                      "Folder for simulation.json, simulation.html, simulation.md and simulation.sarif");
  command->add_option("--format", flags->format, "What is printed")
      ->check(CLI::IsMember({"text", "json", "markdown", "sarif"}))
      ->capture_default_str();
  command->add_option("--start", flags->start,
                      "When the plan is to begin, as 2026-12-01T09:00Z: reports then have dates");
  command->add_option("--accept", flags->accept,
                      "File of findings that somebody accepts, with reason and end: they break nothing");
  command->add_flag("--no-remedies", flags->no_remedies, "Do not try which change of the plan would mend a finding");
  add_quiet_flag(*command, flags->quiet);
  command->add_flag("-v,--verbose", flags->verbose, "Print texts whole");
  command->footer(
      "Plans to begin with are in scenarios/upgrades, scenarios/skew and scenarios/labels.\n"
      "Ends with 1 if the plan breaks something, or begins with what is broken; with [[expect]], if it comes to "
      "something else than that; and\n"
      "with --control-plane if the reference sees anything otherwise. 3 means that a server cannot be started.");
  command->callback([flags, &exit_code] { exit_code = simulate_plan(*flags); });
}

}  // namespace nodebound::cli
