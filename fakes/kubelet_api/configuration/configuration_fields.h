#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "reference/release/release_range.h"

namespace nodebound::kubelet_api {

/// A field of KubeletConfiguration (configuration_fields.txt).
struct ConfigurationField {
  std::string path;  ///< `authentication.anonymous.enabled`
  std::string type;  ///< as the table spells it
  ReleaseRange releases;
  ByRelease<nlohmann::ordered_json> defaults;

  /// The default of the field in a release; null if it has none.
  [[nodiscard]] nlohmann::ordered_json default_in(const Version& version) const;
};

/// All fields, in the order in which they are written.
const std::vector<ConfigurationField>& configuration_fields();

}  // namespace nodebound::kubelet_api
