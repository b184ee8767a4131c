#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/kubelet/cluster/kubelet_cluster.h"
#include "harness/kubelet/kubelet_scenario.h"
#include "harness/kubelet/target/kubelet_source.h"
#include "reference/release/rule_set.h"
#include "reports/run/report.h"

namespace nodebound::kubelet_conformance {

/// Leaves the scenarios, starts and steps that hold at the version. Each scenario gets the gates besides its own.
void narrow_to(std::vector<KubeletScenario>& scenarios, const Version& version, const GateSettings& gates);

/// The ids of all checks of the scenarios in a folder; none if they cannot be read.
std::vector<std::string> ids_of_checks(const std::filesystem::path& folder, const Catalogue& catalogue);

struct KubeletRunOptions {
  /// Whether to continue; asked after each result.
  std::function<bool(const CheckResult&)> judged = [](const CheckResult&) { return true; };
};

/// Runs the scenarios and steps that hold at the version. Skips those that need feature gates which it lacks, or
/// something that the kubelets or the cluster cannot provide.
Report run_kubelet_scenarios(const std::vector<KubeletScenario>& scenarios, KubeletSource& kubelets,
                             KubeletCluster& cluster, const Catalogue& catalogue, const Version& version,
                             const KubeletRunOptions& options);

}  // namespace nodebound::kubelet_conformance
