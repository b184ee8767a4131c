#include "fakes/validation/kinds.h"
#include "reference/cluster/names.h"

// ValidateNodeSelector and its parts in pkg/apis/core/validation/validation.go.

namespace nodebound::validation {
namespace {

constexpr const char* no_operator = "not a valid selector operator";

std::string item(const std::string& list, std::size_t at) {
  return list + "[" + std::to_string(at) + "]";
}

FieldMistakes wrong_values_count(const std::string& field, const Object& requirement) {
  const std::string_view how = text(requirement, "operator");
  const std::size_t values = member(requirement, "values").size();
  if (how == "In" || how == "NotIn") {
    if (values > 0) return {};
    return {required_field(field + ".values", "must be specified when `operator` is 'In' or 'NotIn'")};
  }
  if (how == "Exists" || how == "DoesNotExist") {
    if (values == 0) return {};
    return {forbidden_field(field + ".values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")};
  }
  if (how == "Gt" || how == "Lt") {
    if (values == 1) return {};
    return {required_field(field + ".values", "must be specified single value when `operator` is 'Lt' or 'Gt'")};
  }
  return {invalid_field(field + ".operator", how, no_operator)};
}

FieldMistakes wrong_expression(const std::string& field, const Object& requirement, bool checks_values) {
  FieldMistakes out = wrong_values_count(field, requirement);
  const std::string key(text(requirement, "key"));
  append(out, invalid_field_each(field + ".key", key, wrong_label_key(key)));
  std::size_t at = 0;
  for (const Object& value : member(requirement, "values")) {
    const std::string own = item(field + ".values", at++);
    if (checks_values && value.is_string()) {
      append(out, invalid_field_each(own, value, wrong_label_value(value.get_ref<const std::string&>())));
    }
  }
  return out;
}

FieldMistakes wrong_field_requirement(const std::string& field, const Object& requirement) {
  FieldMistakes out;
  const std::string_view how = text(requirement, "operator");
  const Object& values = member(requirement, "values");
  if (how != "In" && how != "NotIn") {
    out.push_back(invalid_field(field + ".operator", how, no_operator));
  } else if (values.size() != 1) {
    out.push_back(required_field(field + ".values",
                                 "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"));
  }
  if (text(requirement, "key") != "metadata.name") {
    out.push_back(invalid_field(field + ".key", text(requirement, "key"), "not a valid field selector key"));
    return out;
  }
  std::size_t at = 0;
  for (const Object& value : values) {
    const std::string own = item(field + ".values", at++);
    if (value.is_string()) {
      append(out, invalid_field_each(own, value, wrong_dns_subdomain(value.get_ref<const std::string&>())));
    }
  }
  return out;
}

FieldMistakes wrong_term(const std::string& field, const Object& term, bool checks_values) {
  FieldMistakes out;
  std::size_t at = 0;
  for (const Object& one : member(term, "matchExpressions")) {
    append(out, wrong_expression(item(field + ".matchExpressions", at++), one, checks_values));
  }
  at = 0;
  for (const Object& one : member(term, "matchFields")) {
    append(out, wrong_field_requirement(item(field + ".matchFields", at++), one));
  }
  return out;
}

}  // namespace

FieldMistakes wrong_node_affinity(const std::string& field, const Object& affinity) {
  FieldMistakes out;
  const Object& required = member(affinity, "requiredDuringSchedulingIgnoredDuringExecution");
  if (!required.is_null()) {
    const std::string terms = field + ".requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";
    if (member(required, "nodeSelectorTerms").empty()) {
      out.push_back(required_field(terms, "must have at least one node selector term"));
    }
    std::size_t at = 0;
    for (const Object& term : member(required, "nodeSelectorTerms")) {
      append(out, wrong_term(item(terms, at++), term, true));
    }
  }
  std::size_t at = 0;
  for (const Object& preferred : member(affinity, "preferredDuringSchedulingIgnoredDuringExecution")) {
    const std::string own = item(field + ".preferredDuringSchedulingIgnoredDuringExecution", at++);
    const Object& weight = member(preferred, "weight");
    if (!weight.is_number() || weight <= 0 || weight > 100) {
      const Shown shown = weight.is_number() ? Shown(weight) : Shown(0);
      out.push_back(invalid_field(own + ".weight", shown, "must be in the range 1-100"));
    }
    append(out, wrong_term(own + ".preference", member(preferred, "preference"), false));
  }
  return out;
}

}  // namespace nodebound::validation
