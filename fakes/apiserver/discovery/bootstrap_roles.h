#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "reference/cluster/cluster.h"
#include "reference/release/catalogue.h"

namespace nodebound::apiserver {

inline constexpr const char* rbac_group = "rbac.authorization.k8s.io";

/// An object with its key.
using KeyedObjects = std::vector<std::pair<ObjectKey, Object>>;

/// The metadata of an object that an API server makes when it starts, and repairs if somebody has changed it.
Object bootstrap_metadata(const std::string& name);

/// A rule as it is in a Role.
Object rule_object(const PolicyRule& rule);

/// The roles and bindings of bootstrap_roles.toml that a release has.
KeyedObjects bootstrap_roles(const Release& release);

/// Reads the data file, for all releases; errors carry `name:line:column`.
struct BootstrapEntry {
  ObjectKey key;
  Object object;
  ReleaseRange range;
};
Result<std::vector<BootstrapEntry>> parse_bootstrap_roles(std::string_view text);

}  // namespace nodebound::apiserver
