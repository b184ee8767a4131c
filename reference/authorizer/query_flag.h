#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/authorizer/attributes.h"
#include "reference/encoding/ascii.h"

namespace nodebound {

/// Whether a flag that a query has is set, as the API server decodes it: by every value but `0` and `false`, so by an
/// empty one, too (staging/src/k8s.io/apimachinery/pkg/runtime/conversion.go).
inline bool is_set_flag(std::string_view value) {
  return value != "0" && in_lower_case(value) != "false";
}

/// What a flag of a query says; nothing if the query does not have it.
inline std::optional<bool> query_flag(std::string_view target, std::string_view name) {
  const std::vector<std::string> values = query_parameters(target, name);
  if (values.empty()) return std::nullopt;
  return is_set_flag(values.front());
}

}  // namespace nodebound
