#pragma once

#include <string>
#include <vector>

#include "harness/cli/target.h"
#include "harness/run/runner.h"

namespace nodebound::cli {

// What a run may do on a cluster that others use: what its user permits, and what the cluster permits.

/// Prints what will be made and where. On a cluster where others have workloads, an error unless --i-may-write-to names
/// the context. `makes` completes "It would make …". Prints nothing for a target that ends with the run.
Result<void> ask_to_write(const Target& target, const TargetFlags& flags, const std::string& makes);

/// The same for scenarios, at the release by which the target is judged.
Result<void> ask_to_write(const Target& target, const TargetFlags& flags, const std::vector<Scenario>& scenarios,
                          const std::string& run_id);

/// Finds the rights that the target's administrator lacks, prints what the run loses without them, and has the run skip
/// those checks.
Result<void> allow_for_missing_rights(const Target& target, const TargetFlags& flags,
                                      const std::vector<Scenario>& scenarios, RunOptions& options);

/// Prints the ClusterRole that the scenarios need. Returns the exit code.
int print_rights(const std::vector<Scenario>& scenarios, const TargetFlags& flags, bool read_only);

/// Prints the ClusterRole that `--target kubelet:URL --kubelet-cluster` needs.
int print_rights_of_kubelet_run(const TargetFlags& flags);

}  // namespace nodebound::cli
