#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/release/rule_set.h"

namespace nodebound {

/// A write or connect, with the attributes by which admission plugins choose what they check.
struct WrittenResource {
  std::string_view operation;  ///< create, update, delete or connect
  std::string_view group;
  std::string_view resource;
  std::string_view subresource;
  bool namespaced = false;
};

/// An entry of default_plugins.toml, which explains the fields.
struct DefaultPlugin {
  struct LooksAt {
    std::vector<std::string> resources;
    std::vector<std::string> operations;
    bool namespaced = false;
  };

  std::string name;
  ReleaseRange on;
  std::vector<LooksAt> looks_at;
  bool only_changes = false;

  [[nodiscard]] bool looks(const WrittenResource& written) const;
};

/// The admission plugins that kube-apiserver enables by default, in the order in which they are asked.
const std::vector<DefaultPlugin>& default_plugins();

/// The admission plugins of the reference that are off unless somebody turns them on.
const std::vector<std::string>& optional_plugins();

/// Reads the data file; errors carry `name:line:column`.
Result<std::vector<DefaultPlugin>> parse_default_plugins(std::string_view text);

/// The names of the plugins that may refuse the write at the release.
std::vector<std::string> plugins_that_look(const RuleSet& rules, const WrittenResource& written);

}  // namespace nodebound
