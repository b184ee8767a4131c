#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/simulate/plan/plan.h"

namespace nodebound::simulate {

/// A folder with a kube-apiserver, and optionally an etcd.
struct ServerBuild {
  std::filesystem::path directory;
  Version version;
};

/// The version in the output of `kube-apiserver --version`. Errors name `program`.
Result<Version> version_of_output(std::string_view output, const std::string& program);

/// `1.31.0, 1.32.5`
std::string versions_of(const std::vector<ServerBuild>& builds);

/// Asks the kube-apiserver of each folder for its version.
Result<std::vector<ServerBuild>> find_builds(const std::vector<std::string>& directories);

/// The build of that version, or else the only one of its minor. An input error at `where` if there is none, or several
/// match.
Result<ServerBuild> build_of(const Version& version, const std::vector<ServerBuild>& builds, const std::string& where);

/// The plan with each release of the control plane replaced by that of its build. An input error if a build is missing,
/// or if the plan has several API servers at a time.
Result<Plan> on_builds(Plan plan, const std::vector<ServerBuild>& builds);

}  // namespace nodebound::simulate
