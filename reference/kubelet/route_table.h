#pragma once

#include <vector>

#include "reference/kubelet/routes.h"

namespace nodebound {

/// What routes.toml comes to for a release, its settings and a port.
std::vector<KubeletRoutes::Pattern> kubelet_patterns(const RuleSet& rules, const KubeletSettings& settings,
                                                     KubeletRoutes::Port port);

}  // namespace nodebound
