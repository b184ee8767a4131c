#pragma once

#include <string_view>
#include <vector>

#include "reference/authorizer/attributes.h"
#include "reference/release/rule_set.h"

namespace nodebound {

/// The questions that a kubelet asks before it answers a request, in order; one that is allowed is enough. `path` is
/// decoded (pkg/kubelet/server/auth.go, GetRequestAttributes; KEP-2862).
std::vector<Attributes> kubelet_attributes(std::string_view method, std::string_view path, std::string_view node,
                                           const RuleSet& rules);

/// The rule about the first subresource that the kubelet asks for.
Rule kubelet_subresource_rule(std::string_view path, const RuleSet& rules);

}  // namespace nodebound
