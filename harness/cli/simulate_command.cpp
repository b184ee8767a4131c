#include <filesystem>
#include <iostream>
#include <unistd.h>

#include "fakes/encoding/timestamp.h"
#include "harness/cli/commands.h"
#include "harness/cli/console.h"
#include "harness/cli/target_run.h"
#include "harness/endpoint/signals.h"
#include "harness/objects/input_file.h"
#include "harness/simulate/simulate_on_binaries.h"
#include "reports/files.h"

namespace nodebound {
namespace {

struct SimulateFlags {
  std::string plan;
  std::vector<std::string> control_plane;  ///< folders
  std::string out;
  std::string format = "text";
  bool verbose = false;
};

SimulationProgress progress_of_terminal() {
  if (isatty(STDERR_FILENO) == 0) return nullptr;
  return [](std::size_t done, std::size_t steps, const std::string& next) {
    std::cerr << "\r\033[K" << done << "/" << steps << " " << next.substr(0, 60) << std::flush;
  };
}

Result<void> write_reports(const Simulation& simulation, const std::string& folder) {
  const std::filesystem::path out(folder);
  for (const auto& [name, text] :
       {std::pair{"simulation.json", to_json(simulation)}, {"simulation.html", to_html(simulation)}}) {
    if (Result<void> written = write_file(out / name, text); !written) return written;
  }
  return {};
}

Result<BinarySimulation> simulation_of(const SimulateFlags& flags, const Plan& plan, const Catalogue& catalogue) {
  if (!flags.control_plane.empty()) {
    install_signal_handlers();
    return simulate_on_binaries(plan, catalogue, flags.control_plane, progress_of_terminal());
  }
  Result<Simulation> simulation = simulate_on_reference(plan, catalogue, progress_of_terminal());
  if (!simulation) return tl::unexpected<Error>(simulation.error());
  return BinarySimulation{std::move(*simulation), {}};
}

int simulate_plan(const SimulateFlags& flags) {
  const Result<std::string> text = read_input(flags.plan);
  if (!text) return fail(text.error());
  const Catalogue& catalogue = Catalogue::built_in();
  const Result<Plan> plan = read_plan(*text, flags.plan, catalogue);
  if (!plan) return fail(plan.error());
  const auto started = std::chrono::system_clock::now();
  Result<BinarySimulation> done = simulation_of(flags, *plan, catalogue);
  if (isatty(STDERR_FILENO) != 0) std::cerr << "\r\033[K";
  if (!done) return fail(done.error());
  Simulation& simulation = done->simulation;
  simulation.run.started = timestamp_of(started);
  simulation.run.host = host_name();
  simulation.run.tool_version = NODEBOUND_VERSION;
  simulation.run.seconds = std::chrono::duration<double>(std::chrono::system_clock::now() - started).count();
  if (!flags.out.empty()) {
    if (const Result<void> written = write_reports(simulation, flags.out); !written) return fail(written.error());
  }
  std::cout << (flags.format == "json" ? to_json(simulation) : to_terminal(simulation, terminal_style(flags.verbose)));
  std::vector<std::string> wrong =
      flags.control_plane.empty() ? unexpected(*plan, simulation) : unexpected_of(*plan, simulation);
  wrong.insert(wrong.end(), done->differences.begin(), done->differences.end());
  for (const std::string& line : wrong) std::cerr << "nodebound: " << flags.plan << ": " << line << '\n';
  if (!wrong.empty()) return does_not_conform;
  return (plan->expectations || !breaks_something(simulation)) ? conforms : does_not_conform;
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
  command->add_option("--out", flags->out, "Folder for simulation.json and simulation.html");
  command->add_option("--format", flags->format, "What is printed")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->add_flag("-v,--verbose", flags->verbose, "Print texts whole");
  command->footer(
      "Plans to begin with are in scenarios/upgrades, scenarios/skew and scenarios/labels.\n"
      "Ends with 1 if the plan breaks something; with [[expect]], if it comes to something else than that; and\n"
      "with --control-plane if the reference sees anything otherwise. 3 means that a server cannot be started.");
  command->callback([flags, &exit_code] { exit_code = simulate_plan(*flags); });
}

}  // namespace nodebound
