#include "harness/scenario/scenario_files.h"

#include <algorithm>
#include <tuple>

namespace nodebound {
namespace {

namespace fs = std::filesystem;

/// What stands before `.toml` if a file is not of an API server's scenarios.
constexpr const char* kubelet_ending = ".kubelet";
constexpr const char* plan_ending = ".plan";

bool is_of(ScenarioKind kind, const fs::path& file) {
  if (file.extension() != ".toml") return false;
  const fs::path ending = file.stem().extension();
  if (kind == ScenarioKind::kubelet) return ending == kubelet_ending;
  return ending != kubelet_ending && ending != plan_ending && file != "fixtures.toml" && file != "profiles.toml" &&
         file != "kubelet/profiles.toml";
}

std::string id_of(ScenarioKind kind, const fs::path& file) {
  if (kind == ScenarioKind::kubelet) return file.stem().stem().string();
  return file.has_parent_path() ? (*file.begin() / file.stem()).generic_string() : file.stem().string();
}

}  // namespace

Result<std::vector<ScenarioFile>> scenario_files(const fs::path& folder, ScenarioKind kind) {
  std::vector<ScenarioFile> files;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
    const fs::path file = entry.path().lexically_relative(folder);
    if (is_of(kind, file)) files.push_back({id_of(kind, file), entry.path()});
  }
  if (error)
    return input_error(folder.string(), "cannot be read: " + error.message(), "expected a folder of scenarios");
  std::sort(files.begin(), files.end(), [](const ScenarioFile& a, const ScenarioFile& b) {
    return std::tie(a.id, a.path) < std::tie(b.id, b.path);
  });
  const auto twin = std::adjacent_find(files.begin(), files.end(),
                                       [](const ScenarioFile& a, const ScenarioFile& b) { return a.id == b.id; });
  if (twin == files.end()) return files;
  return input_error(std::next(twin)->path.string(), "has the same id \"" + twin->id + "\" as " + twin->path.string(),
                     "expected another name: an id does not hold the folders between");
}

}  // namespace nodebound
