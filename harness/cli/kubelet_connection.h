#pragma once

#include <memory>

#include "harness/cli/kubelet_target.h"
#include "harness/cli/target.h"
#include "harness/journal/journal.h"
#include "harness/kubelet/kubelet_source.h"
#include "harness/kubelet/rbac_cluster.h"

namespace nodebound {

/// The kubelet under test, its cluster, and what they are reached by. The rules that it was connected with must outlive
/// it.
struct KubeletConnection {
  Target target;
  std::unique_ptr<Journal> journal;
  std::unique_ptr<KubeletCluster> cluster;
  RbacCluster* with_rbac = nullptr;  ///< the cluster, where it is a real one
  std::unique_ptr<KubeletSource> kubelets;

  /// Removes what was made on a real cluster; the exit code of that.
  int clean_up(const KubeletRunFlags& flags);
};

Result<KubeletConnection> connect_kubelet(const KubeletRunFlags& flags, const RuleSet& rules);

}  // namespace nodebound
