#pragma once

#include <string>
#include <vector>

#include "harness/scenario/substitute.h"
#include "reference/identity/subject.h"

namespace nodebound::simulate {

/// The text with `{node}` replaced by the node's name.
inline std::string filled_in(const std::string& text, const std::string& node) {
  return substitute(text, [&](std::string_view name) { return name == "node" ? std::optional(node) : std::nullopt; });
}

/// A user of a plan with its groups, with `{node}` replaced.
inline Subject subject_of(const std::string& user, const std::vector<std::string>& groups, const std::string& node) {
  Subject out{filled_in(user, node), {}, "", {}};
  for (const std::string& group : groups) out.groups.push_back(filled_in(group, node));
  return out;
}

}  // namespace nodebound::simulate
