#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/result.h"

namespace nodebound {

/// One term of a field selector.
struct FieldRequirement {
  std::string field;
  std::string op;  ///< `=` (also for `==`) or `!=`
  std::string value;

  bool operator==(const FieldRequirement&) const = default;
};

/// What an authorizer knows about a request, except who sends it.
struct Attributes {
  std::string verb;
  bool resource_request = false;
  std::string api_group;
  std::string api_version;
  std::string resource;
  std::string subresource;
  std::string namespace_;
  std::string name;
  std::string path;     ///< the whole decoded path; decides about non-resource requests
  bool beyond = false;  ///< the path continues after the subresource
  /// Only for list, watch and deletecollection; empty if there is none or it cannot be parsed.
  std::vector<FieldRequirement> field_selector;

  bool operator==(const Attributes&) const = default;

  /// `resource` or `resource/subresource`, as RBAC rules spell it.
  [[nodiscard]] std::string full_resource() const {
    return subresource.empty() ? resource : resource + "/" + subresource;
  }
};

/// Reads a request line as an API server does: `method` in upper case, `target` with path and query, percent-encoded
/// (staging/src/k8s.io/apiserver/pkg/endpoints/request/requestinfo.go).
Attributes attributes_of(std::string_view method, std::string_view target);

/// Value of the first query parameter of that name, decoded; empty if there is none.
std::string query_parameter(std::string_view target, std::string_view name);

/// Values of all query parameters of that name, decoded.
std::vector<std::string> query_parameters(std::string_view target, std::string_view name);

/// `%2F` becomes `/`, and `+` a blank if `plus_is_blank`; a broken escape stays as it is.
std::string percent_decoded(std::string_view text, bool plus_is_blank);

/// The opposite: escapes everything except letters, digits and `-._~`.
std::string percent_encoded(std::string_view text);

/// The terms of a field selector without escapes; empty if the text is no field selector.
std::vector<FieldRequirement> parse_field_selector(std::string_view text);

}  // namespace nodebound
