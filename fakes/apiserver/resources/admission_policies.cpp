#include <array>
#include <string>

#include "fakes/apiserver/resources/registry.h"
#include "fakes/validation/kinds.h"
#include "fakes/wire/go/go_text.h"

namespace nodebound::apiserver {
namespace {

Object shown_param_kind(const Object& policy, const std::string& /*now*/) {
  const Object& kind = member(policy, "spec", "paramKind");
  if (!kind.is_object()) return "<unset>";
  return std::string(text(kind, "apiVersion")) + "/" + std::string(text(kind, "kind"));
}

// As a message of protobuf prints itself.
std::string printed_selector(const Object& selector) {
  std::string out = "&LabelSelector{MatchLabels:map[string]string{";
  for (const auto& [key, value] : member(selector, "matchLabels").items()) {
    if (value.is_string()) out.append(key).append(": ").append(value.get<std::string>()).append(",");
  }
  out += "},MatchExpressions:[]LabelSelectorRequirement{";
  for (const Object& one : member(selector, "matchExpressions")) {
    out.append("LabelSelectorRequirement{Key:").append(text(one, "key"));
    out.append(",Operator:").append(text(one, "operator"));
    const Object& values = member(one, "values");
    out.append(",Values:").append(go_text(values.is_null() ? Object::array() : values)).append(",},");
  }
  return out + "},}";
}

Object shown_param_ref(const Object& binding, const std::string& /*now*/) {
  const Object& ref = member(binding, "spec", "paramRef");
  const std::string name(text(ref, "name"));
  const std::string in(text(ref, "namespace"));
  if (!name.empty()) return (in.empty() ? "*" : in) + "/" + name;
  const Object& selector = member(ref, "selector");
  return selector.is_object() ? printed_selector(selector) : "<unset>";
}

constexpr TableColumns::Column policy_columns[] = {
    name_column,
    {"Validations", [](const Object& o, const std::string&) { return Object(member(o, "spec", "validations").size()); },
     0, "integer"},
    {"ParamKind", shown_param_kind},
    age_column};

constexpr TableColumns::Column binding_columns[] = {
    name_column,
    {"PolicyName", [](const Object& o, const std::string&) { return Object(text(o, "spec", "policyName")); }},
    {"ParamRef", shown_param_ref},
    age_column};

}  // namespace

std::span<const Strategy> strategies::admission_policies() {
  static constexpr std::array kinds = {
      Strategy{
          .group = "admissionregistration.k8s.io",
          .resource = "validatingadmissionpolicies",
          .columns = TableColumns(policy_columns),
          .checks = {.in_release = validation::wrong_admission_policy, .metadata_checks = 3, .any_finalizers = true}},
      Strategy{
          .group = "admissionregistration.k8s.io",
          .resource = "validatingadmissionpolicybindings",
          .columns = TableColumns(binding_columns),
          .checks = {
              .in_release = validation::wrong_admission_policy_binding, .metadata_checks = 3, .any_finalizers = true}}};
  return kinds;
}

}  // namespace nodebound::apiserver
