#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reference/result.h"

namespace nodebound {

enum class ScenarioKind { api_server, kubelet };

/// A file below a folder of scenarios. Its id is its name, for an API server with the folder's own subfolder before it:
/// `conformance/leases` of `conformance/node-authorizer/leases.toml`. So a file can move between shelves, and its
/// results are compared with older ones all the same.
struct ScenarioFile {
  std::string id;
  std::filesystem::path path;
};

/// The files of that kind, in the order of their ids. Two with the same id are a mistake.
Result<std::vector<ScenarioFile>> scenario_files(const std::filesystem::path& folder, ScenarioKind kind);

}  // namespace nodebound
