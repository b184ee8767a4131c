#include <exception>
#include <iostream>

#include "harness/cli/commands.h"

int nodebound::fail(const Error& error) {
  std::cerr << "nodebound: " << error.text() << '\n';
  return error.kind == Error::Kind::input ? bad_input : could_not_tell;
}

int main(int argc, char** argv) {
  using namespace nodebound;
  CLI::App app("Nodebound: does a Kubernetes control plane keep a node within its bounds?", "nodebound");
  app.set_version_flag("--version", std::string("nodebound ") + NODEBOUND_VERSION);
  app.require_subcommand(1);
  app.footer("Exit codes: 0 conforms, 1 does not, 2 bad usage or input, 3 could not tell, 4 nothing ran.");
  int exit_code = conforms;
  add_run_command(app, exit_code);
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
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& done) {
    return app.exit(done);
  } catch (const CLI::ParseError& error) {
    app.exit(error);
    return bad_input;
  } catch (const std::exception& error) {
    std::cerr << "nodebound: " << error.what() << "\nThis is a defect of nodebound; please report it.\n";
    return could_not_tell;
  }
  return exit_code;
}
