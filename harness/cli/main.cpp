#include <cerrno>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>

#include "harness/cli/commands/commands.h"
#include "harness/cli/console.h"

int nodebound::fail(const Error& error) {
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
  nodebound::complain("standard output could not be written");
  return exit_code == nodebound::conforms ? nodebound::could_not_tell : exit_code;
}

constexpr const char* first_steps = R"(nodebound: which command? To begin with:

  nodebound run                          judge the reference, in a second
  nodebound run --target kubeconfig      judge the cluster of your kubeconfig
  nodebound run --target binary:FILE     judge a kube-apiserver that you built
  nodebound explain --help               why is this request refused, and since when?
  nodebound simulate PLAN                what will an upgrade refuse, and after which step?
  nodebound inspect MANIFEST --to B      the same, asked of manifests or a cluster
  nodebound replay LOG --from A --to B   the same, asked of an audit log
  nodebound --help                       all commands
)";

}  // namespace

int main(int argc, char** argv) {
  using namespace nodebound;
  if (argc == 1) {
    std::cerr << first_steps;
    return bad_input;
  }
  CLI::App app("Nodebound: does a Kubernetes control plane keep a node within its bounds?", "nodebound");
  app.set_version_flag("--version", std::string("nodebound ") + NODEBOUND_VERSION);
  app.require_subcommand(1);
  app.footer("Exit codes: 0 conforms, 1 does not, 2 bad usage or input, 3 could not tell, 4 nothing ran.");
  int exit_code = conforms;
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
  refuse_wrapped_numbers(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& done) {
    return with_output_written(app.exit(done));
  } catch (const CLI::ParseError& error) {
    app.exit(error);
    return bad_input;
  } catch (const std::bad_alloc&) {
    complain("there was not enough memory");
    return could_not_tell;
  } catch (const std::exception& error) {
    complain(std::string(error.what()) + "\nThis is a defect of nodebound; please report it.");
    return could_not_tell;
  }
  return with_output_written(exit_code);
}
