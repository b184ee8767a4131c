#pragma once

#include <optional>
#include <string_view>

#include "reference/encoding/short_text.h"
#include "reference/identity/subject.h"
#include "reference/release/rule_set.h"

namespace nodebound {

inline constexpr std::string_view node_user_prefix = "system:node:";
inline constexpr std::string_view nodes_group = "system:nodes";

/// The name of the subject's node, as a view into its user name; nothing if the subject is not a node. The name is
/// empty for a node that does not say which one it is (pkg/auth/nodeidentifier/default.go).
inline std::optional<std::string_view> node_identity(const RuleSet& rules, const Subject& subject) {
  if (!rules.in_force(Rule::node_authorizer)) return std::nullopt;
  const std::string_view name = subject.name;
  // A name that begins with the prefix need not be searched for it.
  const bool begins = same_text(name.substr(0, node_user_prefix.size()), node_user_prefix);
  const std::size_t at = begins ? 0 : name.find(node_user_prefix);
  if (at == std::string_view::npos) return std::nullopt;
  if (at != 0 && rules.in_force(Rule::node_identity_prefix)) return std::nullopt;
  if (!subject.in_group(nodes_group) && rules.in_force(Rule::node_identity_group)) return std::nullopt;
  return name.substr(at + node_user_prefix.size());
}

}  // namespace nodebound
