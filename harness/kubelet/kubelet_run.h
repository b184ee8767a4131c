#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/kubelet/kubelet_scenario.h"
#include "reference/release/rule_set.h"
#include "reference/result.h"
#include "reports/report.h"

namespace nodebound {

/// A kubelet under test.
struct KubeletTarget {
  std::string command;  ///< starts it; it gets --config, --kubeconfig and --hostname-override
  std::string folder;   ///< for its files
};

struct KubeletRunOptions {
  std::function<void(const CheckResult&)> judged;
};

/// Runs the scenarios that hold at the release, each against a kubelet of its own. Scenarios that need gates which the
/// release does not have are skipped.
Result<Report> run_kubelet_scenarios(const std::vector<KubeletScenario>& scenarios, const KubeletTarget& target,
                                     const Catalogue& catalogue, const Release& release,
                                     const KubeletRunOptions& options);

}  // namespace nodebound
