#pragma once

#include <initializer_list>
#include <span>
#include <string_view>

#include "reference/release/rule_set.h"

namespace nodebound {

/// A resource that the fake API server serves.
struct ApiResource {
  std::string_view group;
  std::string_view version;
  std::string_view resource;
  std::string_view kind;
  bool namespaced;
  std::string_view subresources;  ///< separated by blanks
  std::string_view gate = {};     ///< without which it is not served

  [[nodiscard]] bool has_subresource(std::string_view name) const;
  [[nodiscard]] std::string api_version() const;
};

std::span<const ApiResource> api_resources();

/// The resource, if it is served at this release; null otherwise.
const ApiResource* find_resource(const RuleSet& rules, std::string_view group, std::string_view version,
                                 std::string_view resource);

}  // namespace nodebound
