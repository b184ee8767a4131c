#include "harness/simulate/control_plane/server_builds.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "harness/endpoint/child_process.h"
#include "harness/endpoint/loopback.h"

namespace nodebound::simulate {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds patience_for_version{20};

Result<Version> ask_version(const std::filesystem::path& program, const TemporaryDirectory& folder) {
  auto process = ChildProcess::start(program, {"--version"}, folder.path() / "version.log");
  if (!process) return tl::unexpected(process.error());
  const auto end = steady_clock::now() + patience_for_version;
  while (!(*process)->ending()) {
    if (steady_clock::now() > end) return unreachable_error(program.string(), "does not say its version in time");
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return version_of_output((*process)->last_lines(1), program.string());
}

bool has_build_of_minor(const Version& version, const std::vector<ServerBuild>& builds) {
  return std::any_of(builds.begin(), builds.end(),
                     [&](const ServerBuild& build) { return build.version.same_minor(version); });
}

tl::unexpected<Error> missing_builds(const std::set<Version>& missing, const std::vector<ServerBuild>& builds,
                                     const std::string& where) {
  std::string versions;
  std::string minors;
  for (const Version& version : missing) {
    versions += (versions.empty() ? "" : ", ") + version.text();
    if (minors.find(version.minor_text()) == std::string::npos)
      minors += (minors.empty() ? "" : ", ") + version.minor_text();
  }
  return input_error(where,
                     "the plan has a control plane " + versions + ", and no folder of --control-plane a " +
                         "kube-apiserver of " + minors + ": there are " + versions_of(builds),
                     "'ci/real-apiserver " + missing.begin()->text() + "' builds one and prints its folder");
}

// Each release of the plan, with the place that first names it.
std::vector<std::pair<Version, std::string>> servers_of(const Plan& plan) {
  std::vector<std::pair<Version, std::string>> out = {{plan.control_plane.version, plan.file}};
  for (const Plan::Step& step : plan.steps) {
    for (const Plan::Action& action : step.actions) {
      const auto* change = std::get_if<Plan::ChangeControlPlane>(&action);
      if (change == nullptr) continue;
      for (const auto& [server, to] : change->to) out.emplace_back(to.version, step.where);
    }
  }
  return out;
}

// Reports all missing builds at once, because each takes a while to build.
Result<void> has_all_builds(const Plan& plan, const std::vector<ServerBuild>& builds) {
  std::set<Version> missing;
  std::string where;
  for (const auto& [version, said] : servers_of(plan)) {
    if (has_build_of_minor(version, builds)) continue;
    if (missing.empty()) where = said;
    missing.insert(version);
  }
  if (missing.empty()) return {};
  return missing_builds(missing, builds, where);
}

}  // namespace

std::string versions_of(const std::vector<ServerBuild>& builds) {
  std::string out;
  for (const ServerBuild& build : builds) out += (out.empty() ? "" : ", ") + build.version.text();
  return out;
}

Result<Version> version_of_output(std::string_view output, const std::string& program) {
  constexpr std::string_view begin = "Kubernetes v";
  const auto version = output.starts_with(begin) ? Version::parse(output.substr(begin.size())) : std::nullopt;
  if (version) return *version;
  return input_error(program, "--version printed \"" + std::string(output) + "\", expected \"Kubernetes v1.36.3\"",
                     "is it a kube-apiserver that runs on this machine?");
}

Result<std::vector<ServerBuild>> find_builds(const std::vector<std::string>& directories) {
  const auto folder = TemporaryDirectory::make();
  if (!folder) return tl::unexpected(folder.error());
  std::vector<ServerBuild> out;
  for (const std::string& directory : directories) {
    const std::filesystem::path program = std::filesystem::path(directory) / "kube-apiserver";
    if (!std::filesystem::is_regular_file(program)) {
      return input_error("--control-plane", "there is no " + program.string(),
                         "'ci/real-apiserver VERSION' builds one and prints its folder");
    }
    const Result<Version> version = ask_version(absolute(program), *folder);
    if (!version) return tl::unexpected(version.error());
    out.push_back({directory, *version});
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.version < b.version; });
  return out;
}

Result<ServerBuild> build_of(const Version& version, const std::vector<ServerBuild>& builds, const std::string& where) {
  std::vector<ServerBuild> of_minor;
  for (const ServerBuild& build : builds) {
    if (build.version == version) return build;
    if (build.version.same_minor(version)) of_minor.push_back(build);
  }
  if (of_minor.size() == 1) return of_minor.front();
  if (of_minor.empty()) return missing_builds({version}, builds, where);
  return input_error(where,
                     "the plan has a control plane " + version.text() + ", which --control-plane has not, but " +
                         versions_of(of_minor) + ", of which either may be meant",
                     "say the patch release in the plan, or give one folder of " + version.minor_text());
}

Result<Plan> on_builds(Plan plan, const std::vector<ServerBuild>& builds) {
  const auto set = [&](Plan::ControlPlane& control_plane, const std::string& where) -> Result<void> {
    const Result<ServerBuild> build = build_of(control_plane.version, builds, where);
    if (!build) return tl::unexpected(build.error());
    control_plane.version = build->version;
    return {};
  };
  if (plan.servers > 1) {
    return input_error(plan.file,
                       "the plan has " + std::to_string(plan.servers) +
                           " API servers behind one address; of real builds there is one at a time",
                       "run it on the reference, without --control-plane");
  }
  if (Result<void> all = has_all_builds(plan, builds); !all) return tl::unexpected(all.error());
  if (Result<void> done = set(plan.control_plane, plan.file); !done) return tl::unexpected(done.error());
  for (Plan::Step& step : plan.steps) {
    for (Plan::Action& action : step.actions) {
      auto* change = std::get_if<Plan::ChangeControlPlane>(&action);
      if (change == nullptr) continue;
      for (auto& [server, to] : change->to) {
        if (Result<void> done = set(to, step.where); !done) return tl::unexpected(done.error());
      }
    }
  }
  return plan;
}

}  // namespace nodebound::simulate
