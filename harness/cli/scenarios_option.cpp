#include "harness/cli/scenarios_option.h"

#include <cstdlib>

#include "harness/built_in/built_in_scenarios.h"
#include "harness/scenario/default_folder.h"

namespace nodebound::cli {
namespace {

std::string environment_variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

void add_scenarios_option(CLI::App& command, std::string& folder, const std::string& text) {
  folder = default_scenarios();
  command.add_option("--scenarios", folder, text)->default_str(folder.empty() ? "those in this program" : folder);
  command.parse_complete_callback([&folder] {
    if (!folder.empty()) return;
    const Result<std::filesystem::path> written = built_in::folder_of_built_in_scenarios(environment_variable);
    if (!written) throw CLI::ValidationError("--scenarios", written.error().text());
    folder = written->string();
  });
}

}  // namespace nodebound::cli
