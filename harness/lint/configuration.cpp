#include "harness/lint/configuration.h"

#include <algorithm>
#include <optional>

#include "fakes/wire/yaml/yaml.h"
#include "harness/lint/abac_lint.h"
#include "harness/lint/admission_configuration_lint.h"
#include "harness/lint/admission_policy_lint.h"
#include "harness/lint/apiserver_flags.h"
#include "harness/lint/apiserver_flags_lint.h"
#include "harness/lint/authorization_configuration_lint.h"
#include "harness/lint/kubelet_configuration_lint.h"

namespace nodebound::lint {
namespace {

constexpr std::string_view known =
    "known are the flags of kube-apiserver (in a Pod manifest, a unit file or a command), "
    "AuthorizationConfiguration, AdmissionConfiguration, KubeletConfiguration, ValidatingAdmissionPolicies and their "
    "bindings, and policies of "
    "mode ABAC";

// Read as YAML, a text takes eighty times as much memory. A policy file is read line by line.
constexpr std::size_t largest_document = std::size_t{1} << 20U;

// A policy file is no YAML document if it has several lines of JSON, so its first line decides.
bool is_policy(std::string_view line) {
  if (line.size() > largest_document) return false;
  const auto object = read_yaml(line);
  if (!object || !object->is_object()) return false;
  if (text(*object, "kind") == "Policy") return true;
  return object->contains("user") || object->contains("group");
}

std::string_view first_line(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin != std::string_view::npos && line[begin] != '#') return line;
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return {};
}

std::optional<ConfigurationKind> kind_of(std::string_view text) {
  if (is_policy(first_line(text))) return ConfigurationKind::abac_policies;
  const auto object = read_yaml(text);
  const std::string_view kind = object && object->is_object() ? nodebound::text(*object, "kind") : "";
  if (kind == "KubeletConfiguration") return ConfigurationKind::kubelet_configuration;
  if (kind == "AuthorizationConfiguration") return ConfigurationKind::authorization_configuration;
  if (kind == "AdmissionConfiguration") return ConfigurationKind::admission_configuration;
  if (object && object->is_object() && object->contains("podNodeSelectorPluginConfig")) {
    return ConfigurationKind::admission_configuration;
  }
  if (kind == "ValidatingAdmissionPolicy" || kind == "ValidatingAdmissionPolicyBinding") {
    return ConfigurationKind::admission_policy;
  }
  if (!read_apiserver_flags(text).empty()) return ConfigurationKind::apiserver_flags;
  return std::nullopt;
}

Remarks remarks_on(ConfigurationKind kind, std::string_view text, const std::string& file, const RuleSet& rules) {
  switch (kind) {
    case ConfigurationKind::apiserver_flags:
      return lint_apiserver_flags(read_apiserver_flags(text), file, rules);
    case ConfigurationKind::abac_policies:
      return lint_abac_policies(text, file, rules);
    case ConfigurationKind::admission_configuration:
      return lint_admission_configuration(text, file, rules.release());
    case ConfigurationKind::admission_policy:
      return lint_admission_policy(text, file, rules.release());
    case ConfigurationKind::authorization_configuration:
      return lint_authorization_configuration(text, file, rules.release());
    case ConfigurationKind::kubelet_configuration:
      break;
  }
  return lint_kubelet_configuration(text, file, rules);
}

}  // namespace

std::string_view to_string(ConfigurationKind kind) {
  switch (kind) {
    case ConfigurationKind::apiserver_flags:
      return "flags of kube-apiserver";
    case ConfigurationKind::abac_policies:
      return "policies of mode ABAC";
    case ConfigurationKind::admission_configuration:
      return "AdmissionConfiguration";
    case ConfigurationKind::admission_policy:
      return "ValidatingAdmissionPolicy";
    case ConfigurationKind::authorization_configuration:
      return "AuthorizationConfiguration";
    case ConfigurationKind::kubelet_configuration:
      break;
  }
  return "KubeletConfiguration";
}

Result<LintedConfiguration> lint_configuration(std::string_view text, const std::string& file, const RuleSet& rules) {
  if (text.size() > largest_document && !is_policy(first_line(text))) {
    return input_error(file, "a configuration of more than 1 MiB is not read, unless it is a file of policies");
  }
  const std::optional<ConfigurationKind> kind = kind_of(text);
  if (!kind) return input_error(file, "this is no configuration that nodebound knows", std::string(known));
  return LintedConfiguration{*kind, remarks_on(*kind, text, file, rules)};
}

}  // namespace nodebound::lint
