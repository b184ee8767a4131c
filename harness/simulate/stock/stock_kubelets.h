#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/simulate/plan/plan.h"
#include "reference/release/version.h"

namespace nodebound::simulate {

/// A folder with a stock kubelet, as `ci/real-components` makes it.
struct StockKubelet {
  std::filesystem::path directory;
  Version version;
};

/// Asks the kubelet of each folder for its version.
Result<std::vector<StockKubelet>> find_stock_kubelets(const std::vector<std::string>& directories);

/// The kubelets of the plan, from the first step to the last, each once.
std::vector<Version> kubelets_of(const Plan& plan);

/// Has each stock kubelet that the plan has, too, join a `nodebound serve` of the plan's first control plane, beside a
/// fake kubelet of the same release; each gets a pod with a Secret, a ConfigMap and a token. A line for each request
/// that one of them sent and the other did not, and one for each kubelet that asked alike or that there is no stock one
/// of. `nodebound` is the program.
Result<std::vector<std::string>> compare_stock_kubelets(const Plan& plan, const std::vector<StockKubelet>& kubelets,
                                                        const std::filesystem::path& nodebound);

}  // namespace nodebound::simulate
