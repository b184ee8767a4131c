#pragma once

#include <optional>
#include <string_view>

#include "reference/identity/subject.h"
#include "reference/release/rule_set.h"

namespace nodebound {

inline constexpr std::string_view node_user_prefix = "system:node:";
inline constexpr std::string_view nodes_group = "system:nodes";

/// The name of the node that the subject is, as a view into its user name; nothing if it is no node. The name is empty
/// for a subject that is a node but does not say which (pkg/auth/nodeidentifier/default.go).
std::optional<std::string_view> node_identity(const RuleSet& rules, const Subject& subject);

}  // namespace nodebound
