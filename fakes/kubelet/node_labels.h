#pragma once

#include <optional>
#include <string>

#include "fakes/kubelet/kubelet_options.h"
#include "fakes/kubelet/kubelet_traits.h"

namespace nodebound {

/// What a kubelet of a release says to its --node-labels (KEP-279).
struct NodeLabelsVerdict {
  std::string warning;  ///< what it logs; empty for nothing
  std::string exit;     ///< what it exits with; empty if it starts
};
NodeLabelsVerdict check_node_labels(const KubeletTraits& traits, const KubeletOptions& options);

}  // namespace nodebound
