#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "harness/built_in/built_in_scenarios.h"
#include "harness/cli/commands/commands.h"
#include "reports/files.h"

namespace nodebound::data {
std::string_view init_scenario_text();
std::string_view init_plan_text();
std::string_view init_github_text();
std::string_view init_gitlab_text();
std::string_view init_prow_text();
}  // namespace nodebound::data

namespace nodebound::cli {

namespace {

namespace fs = std::filesystem;

/// Writes the file unless there is one: what somebody has filled in already must not be lost.
int write_new(const fs::path& file, std::string_view text, const std::string& next) {
  std::error_code none;
  if (fs::exists(fs::symlink_status(file, none))) {
    return fail(Error{Error::Kind::input, file.string(), "is there already", "name another one, or move it away"});
  }
  if (const Result<void> done = write_file(file, text); !done) return fail(done.error());
  std::cout << "Wrote " << file.string() << "\nNext: " << next << '\n';
  return conforms;
}

int init_scenario(const fs::path& folder) {
  const built_in::PackedFiles files = built_in::built_in_scenarios();
  for (const char* name : {"fixtures.toml", "profiles.toml"}) {
    std::error_code none;
    if (fs::exists(folder / name, none)) continue;
    if (const Result<void> done = write_file(folder / name, files.at(name)); !done) return fail(done.error());
  }
  return write_new(folder / "conformance" / "my-scenario.toml", data::init_scenario_text(),
                   "nodebound run --scenarios " + folder.string());
}

/// A system that runs pipelines, and the file in which it reads a job.
struct PipelineSystem {
  const char* file;
  std::string_view (*job)();
  const char* next;
};

const std::map<std::string, PipelineSystem>& pipeline_systems() {
  static const std::map<std::string, PipelineSystem> all = {
      {"github",
       {".github/workflows/nodebound.yml", data::init_github_text,
        "put your build into its step `build`, and set the variables that its first lines name"}},
      {"gitlab",
       {".gitlab-ci.nodebound.yml", data::init_gitlab_text,
        "include it in .gitlab-ci.yml, and set the variables that its first lines name"}},
      {"prow",
       {".prow.yaml", data::init_prow_text, "put your build into its script, and set the variables that it names"}}};
  return all;
}

int init_ci(const std::string& name) {
  const PipelineSystem& system = pipeline_systems().at(name);
  return write_new(system.file, system.job(), system.next);
}

}  // namespace

void add_init_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("init", "Write a scenario, a plan or a job of a pipeline that works, to begin with");
  command->require_subcommand(1);
  auto folder = std::make_shared<std::string>("my-scenarios");
  CLI::App* scenario = command->add_subcommand("scenario", "Write a folder with a scenario that passes");
  scenario->add_option("folder", *folder, "Where to")->capture_default_str();
  scenario->callback([folder, &exit_code] { exit_code = init_scenario(*folder); });

  auto file = std::make_shared<std::string>("upgrade.plan.toml");
  CLI::App* plan = command->add_subcommand("plan", "Write a plan of an upgrade, for `nodebound simulate`");
  plan->add_option("file", *file, "Where to")->capture_default_str();
  plan->callback(
      [file, &exit_code] { exit_code = write_new(*file, data::init_plan_text(), "nodebound simulate " + *file); });

  auto system = std::make_shared<std::string>();
  CLI::App* ci = command->add_subcommand("ci", "Write a job that judges the kube-apiserver of each change");
  ci->add_option("--for", *system, "github, gitlab or prow")->required()->check(CLI::IsMember(pipeline_systems()));
  ci->callback([system, &exit_code] { exit_code = init_ci(*system); });
}

}  // namespace nodebound::cli
