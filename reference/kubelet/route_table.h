#pragma once

#include <vector>

#include "reference/kubelet/routes.h"

namespace nodebound {

/// The patterns of routes.toml for a release, its settings and a port.
std::vector<KubeletRoutes::Pattern> kubelet_patterns(const RuleSet& rules, const KubeletSettings& settings,
                                                     KubeletRoutes::Port port);

}  // namespace nodebound
