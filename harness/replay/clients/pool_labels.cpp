#include "harness/replay/clients/pool_labels.h"

#include <array>

namespace nodebound::replay {
namespace {

/// Labels by which installers and clouds say of which pool a Node is.
constexpr std::array<std::string_view, 9> kPoolLabels = {"eks.amazonaws.com/nodegroup",
                                                         "alpha.eksctl.io/nodegroup-name",
                                                         "cloud.google.com/gke-nodepool",
                                                         "kubernetes.azure.com/agentpool",
                                                         "agentpool",
                                                         "karpenter.sh/nodepool",
                                                         "kops.k8s.io/instancegroup",
                                                         "doks.digitalocean.com/node-pool",
                                                         "node.kubernetes.io/instance-type"};

}  // namespace

std::string_view pool_of_labels(const Object& labels, const std::string& pool_label) {
  if (!pool_label.empty()) return text(labels, pool_label);
  for (const std::string_view label : kPoolLabels) {
    if (const std::string_view value = text(labels, label); !value.empty()) return value;
  }
  return {};
}

}  // namespace nodebound::replay
