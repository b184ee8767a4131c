#pragma once

#include <optional>
#include <string>

#include "fakes/kubelet/kubelet_options.h"
#include "fakes/kubelet/kubelet_traits.h"

namespace nodebound::fake_kubelet {

/// How a kubelet of a release judges its --node-labels (KEP-279).
struct NodeLabelsVerdict {
  std::string warning;  ///< the line that it logs; empty if none
  std::string exit;     ///< the error with which it exits; empty if it starts
};
NodeLabelsVerdict check_node_labels(const KubeletTraits& traits, const KubeletOptions& options);

}  // namespace nodebound::fake_kubelet
