#pragma once

#include <optional>
#include <string_view>

#include "reference/identity/subject.h"
#include "reference/release/rule_set.h"

namespace nodebound {

inline constexpr std::string_view node_user_prefix = "system:node:";
inline constexpr std::string_view nodes_group = "system:nodes";

/// The name of the subject's node, as a view into its user name; nothing if the subject is not a node. The name is
/// empty for a node that does not say which one it is (pkg/auth/nodeidentifier/default.go).
std::optional<std::string_view> node_identity(const RuleSet& rules, const Subject& subject);

}  // namespace nodebound
