#include <cerrno>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "harness/cli/commands/commands.h"
#include "harness/cli/console.h"
#include "harness/cli/shell/advice.h"
#include "harness/cli/shell/settings.h"

int nodebound::cli::fail(const Error& error) {
  complain(error.text());
  return error.kind == Error::Kind::input ? bad_input : could_not_tell;
}

namespace {

/// Refuses numbers that the parser would silently change: it reads -1, and any number that is too large, as the largest
/// number.
void refuse_wrapped_numbers(CLI::App& command) {
  const CLI::Validator fits(
      [](const std::string& text) {
        errno = 0;
        std::strtoull(text.c_str(), nullptr, 0);
        const bool wrong = errno == ERANGE || text.find('-') != std::string::npos;
        return wrong ? "expected a number from 0 to 18446744073709551615, not " + text : "";
      },
      "");
  for (CLI::Option* option : command.get_options()) {
    if (option->get_type_name().starts_with("UINT")) option->check(fits);
  }
  for (CLI::App* each : command.get_subcommands({})) refuse_wrapped_numbers(*each);
}

// Output that could not be written (full disk, closed pipe) must not look like success.
int with_output_written(int exit_code) {
  std::cout.flush();
  if (std::cout) return exit_code;
  nodebound::cli::complain("standard output could not be written");
  return exit_code == nodebound::cli::conforms ? nodebound::cli::could_not_tell : exit_code;
}

constexpr const char* first_steps = R"(nodebound: which command? To begin with:

  nodebound run                          judge the reference, in a second
  nodebound run --target kubeconfig      judge the cluster of your kubeconfig
  nodebound run --target binary:DIR      judge a kube-apiserver that you built
  nodebound explain --help               why is this request refused, and since when?
  nodebound compare 1.31 1.34 --brief    what changes between two releases?
  nodebound init plan                    a plan to begin with: nodebound simulate says what it breaks
  nodebound inspect MANIFEST --to B      what will an upgrade refuse, asked of manifests or a cluster?
  nodebound replay LOG --from A --to B   the same, asked of an audit log
  nodebound --help                       all commands
)";

void add_commands(CLI::App& app, int& exit_code) {
  using namespace nodebound::cli;
  add_run_command(app, exit_code);
  add_certify_command(app, exit_code);
  add_lint_command(app, exit_code);
  add_explain_command(app, exit_code);
  add_clean_command(app, exit_code);
  add_report_command(app, exit_code);
  add_rules_command(app, exit_code);
  add_compare_command(app, exit_code);
  add_explore_command(app, exit_code);
  add_mutants_command(app, exit_code);
  add_serve_command(app, exit_code);
  add_kubelet_command(app, exit_code);
  add_simulate_command(app, exit_code);
  add_inspect_command(app, exit_code);
  add_plan_command(app, exit_code);
  add_replay_command(app, exit_code);
  add_scenarios_command(app, exit_code);
  add_webhook_command(app, exit_code);
  add_site_command(app, exit_code);
  add_init_command(app, exit_code);
  add_completion_command(app, exit_code);
  add_man_command(app, exit_code);
  refuse_wrapped_numbers(app);
}

/// Reads the command line, with the flags of a file of settings, and carries out its command.
int carry_out(CLI::App& app, const int& exit_code, std::vector<std::string> words) {
  using namespace nodebound::cli;
  const DescribedCommand program = described(app);
  const nodebound::Result<std::vector<std::string>> whole = with_settings(program, words);
  if (!whole) return fail(whole.error());
  try {
    app.parse(std::vector<std::string>(whole->rbegin(), whole->rend()));
  } catch (const CLI::Success& done) {
    return app.exit(done);
  } catch (const CLI::ParseError& error) {
    complain(advice_on(program, *whole, error));
    return bad_input;
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace nodebound::cli;
  if (argc == 1) {
    std::cerr << first_steps;
    return bad_input;
  }
  CLI::App app("Nodebound: does a Kubernetes control plane keep a node within its bounds?", "nodebound");
  app.set_version_flag("--version", std::string("nodebound ") + NODEBOUND_VERSION);
  app.add_option("--config",
                 "Flags of commands from this file; without it from nodebound.toml in this folder, if there is one")
      ->type_name("FILE");
  app.require_subcommand(1);
  app.footer("Exit codes: 0 conforms, 1 does not, 2 bad usage or input, 3 could not tell, 4 nothing ran.");
  int exit_code = conforms;
  add_commands(app, exit_code);
  try {
    return with_output_written(carry_out(app, exit_code, {argv + 1, argv + argc}));
  } catch (const std::bad_alloc&) {
    complain("there was not enough memory");
    return could_not_tell;
  } catch (const std::exception& error) {
    complain(std::string(error.what()) + "\nThis is a defect of nodebound; please report it.");
    return could_not_tell;
  }
}
