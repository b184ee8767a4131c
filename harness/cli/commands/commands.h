#pragma once

#include <CLI/CLI.hpp>

#include "reference/result.h"

namespace nodebound::cli {

/// Exit codes of every subcommand.
enum ExitCode : int {
  conforms = 0,
  does_not_conform = 1,
  bad_input = 2,
  could_not_tell = 3,
  nothing_ran = 4,
};

/// Prints the error for the user and returns the exit code for it.
int fail(const Error& error);

// Each function adds its subcommand. The subcommand's callback sets `exit_code`.
void add_run_command(CLI::App& app, int& exit_code);
void add_lint_command(CLI::App& app, int& exit_code);
void add_explain_command(CLI::App& app, int& exit_code);
void add_clean_command(CLI::App& app, int& exit_code);
void add_rules_command(CLI::App& app, int& exit_code);
void add_report_command(CLI::App& app, int& exit_code);
void add_compare_command(CLI::App& app, int& exit_code);
void add_explore_command(CLI::App& app, int& exit_code);
void add_mutants_command(CLI::App& app, int& exit_code);
void add_serve_command(CLI::App& app, int& exit_code);
void add_kubelet_command(CLI::App& app, int& exit_code);
void add_certify_command(CLI::App& app, int& exit_code);
void add_simulate_command(CLI::App& app, int& exit_code);
void add_inspect_command(CLI::App& app, int& exit_code);
void add_plan_command(CLI::App& app, int& exit_code);
void add_replay_command(CLI::App& app, int& exit_code);
void add_scenarios_command(CLI::App& app, int& exit_code);
void add_webhook_command(CLI::App& app, int& exit_code);
void add_site_command(CLI::App& app, int& exit_code);
void add_init_command(CLI::App& app, int& exit_code);
void add_completion_command(CLI::App& app, int& exit_code);
void add_man_command(CLI::App& app, int& exit_code);

}  // namespace nodebound::cli
