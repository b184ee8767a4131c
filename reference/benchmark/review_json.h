#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "reference/cel/subject_access_review.h"

namespace nodebound::cel {

inline std::string text_of(const nlohmann::json& object, const char* key) {
  return object.value(key, std::string());
}

inline std::optional<SelectorAttributes> selector_of(const nlohmann::json& attributes, const char* key) {
  if (!attributes.contains(key)) return std::nullopt;
  const nlohmann::json& from = attributes[key];
  SelectorAttributes out;
  out.raw_selector = text_of(from, "rawSelector");
  for (const nlohmann::json& one : from.value("requirements", nlohmann::json::array())) {
    out.requirements.push_back(
        {text_of(one, "key"), text_of(one, "operator"), one.value("values", std::vector<std::string>())});
  }
  return out;
}

/// Reads the spec of a SubjectAccessReview.
inline SubjectAccessReviewSpec spec_of(const nlohmann::json& from) {
  SubjectAccessReviewSpec out;
  out.user = text_of(from, "user");
  out.uid = text_of(from, "uid");
  out.groups = from.value("groups", std::vector<std::string>());
  out.extra = from.value("extra", std::map<std::string, std::vector<std::string>>());
  if (from.contains("resourceAttributes")) {
    const nlohmann::json& a = from["resourceAttributes"];
    out.resource_attributes = ResourceAttributes{
        text_of(a, "namespace"),        text_of(a, "verb"),        text_of(a, "group"), text_of(a, "version"),
        text_of(a, "resource"),         text_of(a, "subresource"), text_of(a, "name"),  selector_of(a, "fieldSelector"),
        selector_of(a, "labelSelector")};
  }
  if (from.contains("nonResourceAttributes")) {
    const nlohmann::json& a = from["nonResourceAttributes"];
    out.non_resource_attributes = NonResourceAttributes{text_of(a, "path"), text_of(a, "verb")};
  }
  return out;
}

}  // namespace nodebound::cel
