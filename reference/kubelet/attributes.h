#pragma once

#include <string_view>
#include <vector>

#include "reference/authorizer/attributes.h"
#include "reference/release/rule_set.h"

namespace nodebound {

/// What a kubelet asks about before it answers a request, in the order in which it asks: one that is allowed is enough.
/// `path` is decoded (pkg/kubelet/server/auth.go, GetRequestAttributes; KEP-2862).
std::vector<Attributes> kubelet_attributes(std::string_view method, std::string_view path, std::string_view node,
                                           const RuleSet& rules);

/// The rule that names the subresource that is asked about first.
Rule kubelet_subresource_rule(std::string_view path, const RuleSet& rules);

}  // namespace nodebound
