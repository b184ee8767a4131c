#include "fakes/validation/review.h"

#include "reference/cluster/names.h"

namespace nodebound::validation {
namespace {

// Errors show the value as the Go API type.
Shown shown_non_resource(const Object& attributes) {
  if (attributes.is_null()) return nullptr;
  return {{"Path", text(attributes, "path")}, {"Verb", text(attributes, "verb")}};
}

FieldMistakes wrong_requirement(const Object& requirement, bool of_labels, const std::string& field) {
  FieldMistakes out;
  const std::string key(text(requirement, "key"));
  if (!of_labels && key.empty()) out.push_back(required_field(field + ".key", "must be specified"));
  const std::string_view op = text(requirement, "operator");
  const Object& values = member(requirement, "values");
  if ((op == "In" || op == "NotIn") && values.empty()) {
    out.push_back(required_field(field + ".values", "must be specified when `operator` is 'In' or 'NotIn'"));
  }
  if ((op == "Exists" || op == "DoesNotExist") && !values.empty()) {
    out.push_back(
        forbidden_field(field + ".values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
  }
  if (!of_labels) return out;
  append(out, invalid_field_each(field + ".key", key, wrong_label_key(key)));
  std::size_t at = 0;
  for (const Object& value : values) {
    const std::string text = value.is_string() ? value.get<std::string>() : std::string();
    append(out, invalid_field_each(field + ".values[" + std::to_string(at++) + "]", text, wrong_label_value(text)));
  }
  return out;
}

FieldMistakes wrong_selector(const Object& selector, bool of_labels, const std::string& field) {
  FieldMistakes out;
  if (selector.is_null()) return out;
  const std::string_view raw = text(selector, "rawSelector");
  const Object& requirements = member(selector, "requirements");
  if (!raw.empty() && !requirements.empty()) {
    out.push_back(invalid_field(field + ".rawSelector", raw, "may not specified at the same time as requirements"));
  }
  if (raw.empty() && requirements.empty()) {
    out.push_back(required_field(field + ".requirements",
                                 "when " + field + " is specified, requirements or rawSelector is required"));
  }
  std::size_t at = 0;
  for (const Object& requirement : requirements) {
    append(out, wrong_requirement(requirement, of_labels, field + ".requirements[" + std::to_string(at++) + "]"));
  }
  return out;
}

FieldMistakes wrong_attributes(const Object& spec, bool self) {
  FieldMistakes out;
  const Object& resource = member(spec, "resourceAttributes");
  const Object& other = member(spec, "nonResourceAttributes");
  if (resource.is_null() == other.is_null()) {
    out.push_back(invalid_field("spec", shown_non_resource(other),
                                "exactly one of nonResourceAttributes or resourceAttributes must be specified"));
  }
  if (!self && text(spec, "user").empty() && member(spec, "groups").empty()) {
    out.push_back(invalid_field("spec.user", "", "at least one of user or group must be specified"));
  }
  append(out, wrong_selector(member(resource, "fieldSelector"), false, "spec.resourceAttributes.fieldSelector"));
  append(out, wrong_selector(member(resource, "labelSelector"), true, "spec.resourceAttributes.labelSelector"));
  return out;
}

}  // namespace

FieldMistakes wrong_access_review(const Object& review, bool self, bool local) {
  const Object& spec = member(review, "spec");
  FieldMistakes out = wrong_attributes(spec, self);
  if (!local) return out;
  const Object& resource = member(spec, "resourceAttributes");
  const std::string_view in = text(resource, "namespace");
  if (!resource.is_null() && in != text(review, "metadata", "namespace")) {
    out.push_back(invalid_field("spec.resourceAttributes.namespace", in, "must match metadata.namespace"));
  }
  if (const Object& other = member(spec, "nonResourceAttributes"); !other.is_null()) {
    out.push_back(
        invalid_field("spec.nonResourceAttributes", shown_non_resource(other), "disallowed on this kind of request"));
  }
  return out;
}

}  // namespace nodebound::validation
