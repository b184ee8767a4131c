#include "harness/scenario/default_folder.h"

#include <system_error>

namespace nodebound {
namespace fs = std::filesystem;
namespace {

bool has_scenarios(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / "fixtures.toml", error) && fs::is_regular_file(folder / "profiles.toml", error);
}

// A folder such as /tmp, in which anybody may create files. Whoever may even replace files of others there already
// controls the program.
bool is_shared(const fs::path& folder) {
  std::error_code error;
  const fs::perms permissions = fs::status(folder, error).permissions();
  const fs::perms shared = fs::perms::others_write | fs::perms::sticky_bit;
  return error || (permissions & shared) == shared;
}

}  // namespace

fs::path scenarios_of(const fs::path& program) {
  const fs::path prefix = program.parent_path().parent_path();
  for (fs::path folder = program.parent_path(); !is_shared(folder); folder = folder.parent_path()) {
    const fs::path installed = folder / "share" / "nodebound" / "scenarios";
    if (folder == prefix && has_scenarios(installed)) return installed;
    if (has_scenarios(folder / "scenarios")) return folder / "scenarios";
    if (folder == folder.parent_path()) break;
  }
  return {};
}

std::string default_scenarios() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? "" : scenarios_of(program).string();
}

}  // namespace nodebound
