#pragma once

#include <string>
#include <vector>

#include "harness/cli/target.h"
#include "harness/run/runner.h"

namespace nodebound {

// What a run is allowed on a cluster that others use: by who runs it, and by the cluster.

/// Says what will be made and where. Where others have workloads, an error unless --i-may-write-to names the context.
/// `makes` completes "It would make …". Nothing is said of a target that ends with the run.
Result<void> ask_to_write(const Target& target, const TargetFlags& flags, const std::string& makes);

/// The same for scenarios, at the release that the target is judged as.
Result<void> ask_to_write(const Target& target, const TargetFlags& flags, const std::vector<Scenario>& scenarios,
                          const std::string& run_id);

/// Sees which rights the target's administrator lacks, tells what they cost, and has the run skip that.
Result<void> allow_for_missing_rights(const Target& target, const TargetFlags& flags,
                                      const std::vector<Scenario>& scenarios, RunOptions& options);

/// Prints the ClusterRole that the scenarios need. Returns the exit code.
int print_rights(const std::vector<Scenario>& scenarios, const TargetFlags& flags, bool read_only);

/// Prints that of `--target kubelet:URL --kubelet-cluster`.
int print_rights_of_kubelet_run(const TargetFlags& flags);

}  // namespace nodebound
