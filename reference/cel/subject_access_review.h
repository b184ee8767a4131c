#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace nodebound::cel {

/// One requirement of a selector, as a SubjectAccessReview sends it.
struct SelectorRequirement {
  std::string key;
  std::string op;  ///< `In`, `NotIn`, `Exists` or `DoesNotExist`
  std::vector<std::string> values;
};

/// A field or label selector. A review has either the requirements or, if they could not be parsed, the text.
struct SelectorAttributes {
  std::string raw_selector;
  std::vector<SelectorRequirement> requirements;
};

struct ResourceAttributes {
  std::string namespace_;
  std::string verb;
  std::string group;
  std::string version;
  std::string resource;
  std::string subresource;
  std::string name;
  std::optional<SelectorAttributes> field_selector;
  std::optional<SelectorAttributes> label_selector;
};

struct NonResourceAttributes {
  std::string path;
  std::string verb;
};

/// The spec of a SubjectAccessReview: what a match condition knows as `request`
/// (k8s.io/api/authorization/v1/types.go).
struct SubjectAccessReviewSpec {
  std::optional<ResourceAttributes> resource_attributes;
  std::optional<NonResourceAttributes> non_resource_attributes;
  std::string user;
  std::vector<std::string> groups;
  std::map<std::string, std::vector<std::string>> extra;
  std::string uid;
};

}  // namespace nodebound::cel
