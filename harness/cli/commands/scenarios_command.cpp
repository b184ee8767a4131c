#include <filesystem>
#include <iostream>
#include <memory>
#include <system_error>

#include "harness/built_in/built_in_scenarios.h"
#include "harness/cli/commands/commands.h"
#include "harness/scenario/default_folder.h"

namespace nodebound::cli {
namespace {

namespace fs = std::filesystem;

int write_scenarios_to(const fs::path& folder) {
  std::error_code none;
  if (fs::exists(folder, none) && !fs::is_empty(folder, none)) {
    return fail(Error{Error::Kind::input, folder.string(), "is there already, and not empty",
                      "name a folder that is new or empty"});
  }
  const built_in::PackedFiles files = built_in::built_in_scenarios();
  if (const Result<void> done = built_in::write_files(files, folder); !done) return fail(done.error());
  std::cout << "Wrote " << files.size() << " files to " << folder.string() << "\nUse them: nodebound run --scenarios "
            << folder.string() << '\n';
  return conforms;
}

int tell_scenarios() {
  const std::string folder = default_scenarios();
  std::cout
      << "This program carries " << built_in::built_in_scenarios().size()
      << " files of scenarios, profiles and plans.\n"
      << (folder.empty() ? "Commands use these" : "Commands use the folder " + folder)
      << ", unless --scenarios names another folder.\nTo have them as files: nodebound scenarios --write FOLDER\n";
  return conforms;
}

}  // namespace

void add_scenarios_command(CLI::App& app, int& exit_code) {
  auto folder = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("scenarios", "Tell which scenarios are used, or write those in this program");
  command->add_option("--write", *folder, "A new folder to write the scenarios to");
  command->callback(
      [folder, &exit_code] { exit_code = folder->empty() ? tell_scenarios() : write_scenarios_to(*folder); });
}

}  // namespace nodebound::cli
