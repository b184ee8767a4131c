#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/kubelet/kubelet_check.h"

namespace nodebound {

/// A kubelet under test.
struct KubeletTarget {
  std::string command;  ///< starts it; it gets --config, --kubeconfig and --hostname-override
  std::string folder;   ///< for its files
};

struct KubeletRunOptions {
  /// Whether to go on, after each result.
  std::function<bool(const CheckResult&)> judged = [](const CheckResult&) { return true; };
};

/// Runs the scenarios that hold at the release, each against a kubelet of its own. Scenarios that need gates which the
/// release does not have are skipped.
Result<Report> run_kubelet_scenarios(const std::vector<KubeletScenario>& scenarios, const KubeletTarget& target,
                                     const Catalogue& catalogue, const Release& release,
                                     const KubeletRunOptions& options);

/// Kubelets that somebody starts.
struct KubeletRoom {
  KubeletStarter& starter;
  KubeletSurroundings around;
};

/// One scenario, in any such room, where it holds at the release; false if it was not to go on.
bool run_kubelet_scenario(const KubeletScenario& scenario, const KubeletRoom& room, const Catalogue& catalogue,
                          const Release& release, const KubeletRunOptions& options);

}  // namespace nodebound
