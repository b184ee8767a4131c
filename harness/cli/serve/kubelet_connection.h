#pragma once

#include <memory>

#include "harness/cli/kubelet_target.h"
#include "harness/cli/target.h"
#include "harness/journal/journal.h"
#include "harness/kubelet/cluster/rbac_cluster.h"
#include "harness/kubelet/target/kubelet_source.h"

namespace nodebound::cli {

/// The kubelet under test, its cluster, and the connections to both. The rules that were passed to connect must outlive
/// it.
struct KubeletConnection {
  Target target;
  std::unique_ptr<journal::Journal> journal;
  std::unique_ptr<kubelet_conformance::KubeletCluster> cluster;
  kubelet_conformance::RbacCluster* with_rbac = nullptr;  ///< the cluster, if it is a real one
  std::unique_ptr<kubelet_conformance::KubeletSource> kubelets;

  /// Removes what the run made on a real cluster. Returns the exit code.
  int clean_up(const KubeletRunFlags& flags);
};

Result<KubeletConnection> connect_kubelet(const KubeletRunFlags& flags, const RuleSet& rules);

}  // namespace nodebound::cli
