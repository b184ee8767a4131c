#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/release/release_range.h"
#include "reference/result.h"

namespace nodebound::lint {

/// What kube-apiserver reads of a configuration. `admission_plugins.toml` explains the fields.
struct ConfigurationForm {
  struct Kind {
    std::string api_version;
    std::string kind;
    ReleaseRange known;
  };
  struct LateField {
    std::string name;
    ReleaseRange known;
  };

  std::optional<ReleaseRange> strict;
  std::vector<Kind> kinds;
  std::map<std::string, std::vector<std::string>> fields;
  std::vector<LateField> later_fields;
  std::string absolute_path;
  std::optional<ReleaseRange> path_needed;
  std::string selectors;
  bool opaque = false;

  [[nodiscard]] bool is_strict(const Release& release) const { return strict && strict->holds(release); }
};

struct ConfigurablePlugin {
  std::string name;
  ReleaseRange known;
  std::optional<ConfigurationForm> configuration;  ///< nothing: the plugin reads none
};

struct AdmissionPlugins {
  std::vector<ConfigurablePlugin> plugins;
  ConfigurationForm file;  ///< AdmissionConfiguration itself

  /// The plugin of that name, if the release has it.
  [[nodiscard]] const ConfigurablePlugin* find(std::string_view name, const Release& release) const;
};

const AdmissionPlugins& admission_plugins();

/// Reads the data file; errors carry `name:line:column`.
Result<AdmissionPlugins> parse_admission_plugins(std::string_view text);

}  // namespace nodebound::lint
