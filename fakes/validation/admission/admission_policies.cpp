#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "fakes/validation/admission/match_conditions.h"
#include "fakes/validation/admission/operation_rules.h"
#include "fakes/validation/kinds.h"
#include "reference/cel/admission/policy_expressions.h"
#include "reference/cluster/names.h"
#include "reference/encoding/ascii.h"
#include "reference/encoding/joined.h"
#include "reference/release/behaviour_ids.h"

// pkg/apis/admissionregistration/validation/validation.go

namespace nodebound::validation {
namespace {

std::string policy_item(const std::string& field, std::size_t at) {
  return field + "[" + std::to_string(at) + "]";
}

FieldMistakes wrong_param_version(const std::string& field, const std::string& version) {
  if (version.empty()) return {required_field(field, "")};
  const auto slashes = std::count(version.begin(), version.end(), '/');
  if (version != "/" && slashes > 1) {
    return {invalid_field(field, version, "unexpected GroupVersion string: " + version)};
  }
  const std::size_t slash = version.find('/');
  const bool none = version == "/";
  const std::string group = none || slash == std::string::npos ? "" : version.substr(0, slash);
  const std::string own = none ? "" : slash == std::string::npos ? version : version.substr(slash + 1);
  FieldMistakes out;
  if (!group.empty()) {
    if (const auto wrong = wrong_dns_subdomain(group); !wrong.empty()) {
      out.push_back(invalid_field(field, group, joined(wrong, ",")));
    }
  }
  if (own.empty()) {
    out.push_back(invalid_field(field, version, "version must be specified"));
  } else if (const auto wrong = wrong_dns_1035_label(own); !wrong.empty()) {
    out.push_back(invalid_field(field, own, joined(wrong, ",")));
  }
  return out;
}

FieldMistakes wrong_param_kind(const std::string& field, const Object& param_kind) {
  FieldMistakes out = wrong_param_version(field + ".apiVersion", std::string(text(param_kind, "apiVersion")));
  const std::string kind(text(param_kind, "kind"));
  if (kind.empty()) {
    out.push_back(required_field(field + ".kind", ""));
  } else if (const auto wrong = wrong_dns_1035_label(in_lower_case(kind)); !wrong.empty()) {
    out.push_back(
        invalid_field(field + ".kind", kind, "may have mixed case, but should otherwise match: " + joined(wrong, ",")));
  }
  return out;
}

FieldMistakes wrong_named_rule(const std::string& field, const Object& rule) {
  FieldMistakes out;
  std::set<std::string> names;
  std::size_t at = 0;
  for (const std::string& name : strings_of(member(rule, "resourceNames"))) {
    const std::string here = policy_item(field + ".resourceNames", at++);
    append(out, invalid_field_each(here, name, wrong_path_segment(name)));
    if (!names.insert(name).second) out.push_back(duplicate_field(here, name));
  }
  append(out, wrong_operation_rule(field, rule));
  return out;
}

FieldMistakes wrong_match_resources(const std::string& field, const Object& matches) {
  FieldMistakes out = wrong_choice(field + ".matchPolicy", member(matches, "matchPolicy"), {"Equivalent", "Exact"});
  for (const char* selector : {"namespaceSelector", "objectSelector"}) {
    append(out, wrong_label_selector(field + "." + selector, member(matches, selector)));
  }
  for (const char* rules : {"resourceRules", "excludeResourceRules"}) {
    std::size_t at = 0;
    for (const Object& rule : member(matches, rules)) {
      append(out, wrong_named_rule(policy_item(field + "." + rules, at++), rule));
    }
  }
  return out;
}

bool is_cel_identifier(const std::string& name) {
  constexpr std::array reserved = {"true",     "false",   "null",      "in",       "as",  "break",  "const",
                                   "continue", "else",    "for",       "function", "if",  "import", "let",
                                   "loop",     "package", "namespace", "return",   "var", "void",   "while"};
  const auto starts = [](char c) { return c == '_' || (in_lower_case(c) >= 'a' && in_lower_case(c) <= 'z'); };
  return !name.empty() && starts(name[0]) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return starts(c) || is_digit(c); }) &&
         std::find(reserved.begin(), reserved.end(), name) == reserved.end();
}

FieldMistakes wrong_variable(const std::string& field, const Object& variable, const cel::PolicyVariable& compiled,
                             const Release& release) {
  FieldMistakes out;
  if (trimmed_as_go(compiled.name).empty()) {
    out.push_back(required_field(field + ".name", "name is not specified"));
  } else if (!is_cel_identifier(compiled.name)) {
    const bool bare = release.does(Behaviour::policy_mistakes_name_no_field);
    out.push_back(invalid_field(field + ".name", compiled.name,
                                bare ? "must be a valid CEL identifier" : "name is not a valid CEL identifier"));
  }
  const std::string_view expression = text(variable, "expression");
  if (trimmed_as_go(expression).empty()) {
    out.push_back(required_field(field + ".expression", "expression is not specified"));
  } else {
    append(out, wrong_expression(field + ".expression", expression, compiled.expression));
  }
  return out;
}

FieldMistakes wrong_policy_validation(const std::string& field, const Object& validation,
                                      const cel::AdmissionExpression::Compiled& compiled,
                                      const std::optional<cel::AdmissionExpression::Compiled>& compiled_message,
                                      const Release& release) {
  FieldMistakes out;
  const std::string_view expression = text(validation, "expression");
  if (trimmed_as_go(expression).empty()) {
    out.push_back(required_field(field + ".expression", "expression is not specified"));
  } else {
    append(out, wrong_expression(field + ".expression", expression, compiled));
  }
  const std::string_view message_expression = text(validation, "messageExpression");
  if (!message_expression.empty() && trimmed_as_go(message_expression).empty()) {
    out.push_back(invalid_field(field + ".messageExpression", message_expression, "must be non-empty if specified"));
  } else if (compiled_message) {
    append(out, wrong_expression(field + ".messageExpression", message_expression, *compiled_message));
  }
  const std::string_view message = text(validation, "message");
  const std::string subject = release.does(Behaviour::policy_mistakes_name_no_field) ? "" : "message ";
  if (!message.empty() && trimmed_as_go(message).empty()) {
    out.push_back(invalid_field(field + ".message", message, subject + "must be non-empty if specified"));
  } else if (trimmed_as_go(message).find_first_of("\r\n") != std::string_view::npos) {
    out.push_back(invalid_field(field + ".message", message, subject + "must not contain line breaks"));
  }
  append(out, wrong_choice(field + ".reason", member(validation, "reason"),
                           {"Forbidden", "Invalid", "RequestEntityTooLarge"}));
  return out;
}

FieldMistakes wrong_audit_annotation(const std::string& field, const std::string& policy, const Object& annotation,
                                     const cel::AdmissionExpression::Compiled& compiled) {
  constexpr std::size_t most_bytes = 5 * 1024;
  const std::string key(text(annotation, "key"));
  FieldMistakes out;
  if (policy.empty()) {
    out.push_back(invalid_field(field + ".key", key, "requires metadata.name be non-empty"));
  } else {
    const std::string name = policy + "/" + key;
    append(out, invalid_field_each(field + ".key", name, wrong_label_key(name)));
  }
  const std::string_view expression = text(annotation, "valueExpression");
  const std::string_view trimmed = trimmed_as_go(expression);
  if (trimmed.empty()) {
    out.push_back(required_field(field + ".valueExpression", "valueExpression is not specified"));
  } else if (trimmed.size() > most_bytes) {
    out.push_back(required_field(field + ".valueExpression", "must not exceed 5120 bytes in length"));
  } else {
    append(out, wrong_expression(field + ".valueExpression", expression, compiled));
  }
  return out;
}

FieldMistakes wrong_audit_annotations(const std::string& field, const std::string& policy, const Object& annotations,
                                      const cel::PolicyExpressions& compiled) {
  constexpr std::size_t most = 20;
  FieldMistakes out;
  if (annotations.size() > most) {
    out.push_back(invalid_field(field, annotations, "must not have more than 20 auditAnnotations"));
  }
  std::set<std::string> keys;
  for (std::size_t i = 0; i < annotations.size(); ++i) {
    const std::string here = policy_item(field, i);
    append(out, wrong_audit_annotation(here, policy, annotations[i], compiled.audit_annotations[i]));
    const std::string key(text(annotations[i], "key"));
    if (!keys.insert(key).second) out.push_back(duplicate_field(here + ".key", key));
  }
  return out;
}

FieldMistakes wrong_constraints(const Object& constraints) {
  if (!constraints.is_object()) return {required_field("spec.matchConstraints", "")};
  FieldMistakes out = wrong_match_resources("spec.matchConstraints", constraints);
  if (member(constraints, "resourceRules").empty()) {
    out.push_back(required_field("spec.matchConstraints.resourceRules", ""));
  }
  return out;
}

FieldMistakes wrong_param_ref(const std::string& field, const Object& param_ref) {
  FieldMistakes out;
  const std::string name(text(param_ref, "name"));
  const Object& selector = member(param_ref, "selector");
  const bool both = !name.empty() && selector.is_object();
  if (!name.empty()) append(out, invalid_field_each(field + ".name", name, wrong_path_segment(name)));
  if (both) out.push_back(forbidden_field(field + ".name", "name and selector are mutually exclusive"));
  append(out, wrong_label_selector(field + ".selector", selector));
  if (both) out.push_back(forbidden_field(field + ".selector", "name and selector are mutually exclusive"));
  if (name.empty() && !selector.is_object()) {
    out.push_back(required_field(field, "one of name or selector must be specified"));
  }
  const Object& action = member(param_ref, "parameterNotFoundAction");
  if (!action.is_string() || is_empty_text(action)) {
    out.push_back(required_field(field + ".parameterNotFoundAction", ""));
  } else {
    append(out, wrong_choice(field + ".parameterNotFoundAction", action, {"Deny", "Allow"}));
  }
  return out;
}

FieldMistakes wrong_actions(const std::string& field, const Object& actions) {
  FieldMistakes out;
  std::set<std::string> seen;
  std::size_t at = 0;
  for (const std::string& action : strings_of(actions)) {
    const std::string here = policy_item(field, at++);
    append(out, wrong_choice(here, action, {"Audit", "Deny", "Warn"}));
    if (!seen.insert(action).second) out.push_back(duplicate_field(here, action));
  }
  if (seen.contains("Deny") && seen.contains("Warn")) {
    out.push_back(invalid_field(field, actions,
                                "must not contain both Deny and Warn (repeating the same validation failure "
                                "information in the API response and headers serves no purpose)"));
  }
  if (seen.empty()) out.push_back(required_field(field, "at least one validation action is required"));
  return out;
}

}  // namespace

FieldMistakes wrong_admission_policy(const Object& policy, const Release& release) {
  const Object& spec = member(policy, "spec");
  const cel::PolicyExpressions compiled = cel::policy_expressions(spec, release);
  const Object& param_kind = member(spec, "paramKind");
  FieldMistakes out = wrong_choice("spec.failurePolicy", member(spec, "failurePolicy"), {"Fail", "Ignore"});
  if (param_kind.is_object()) append(out, wrong_param_kind("spec.paramKind", param_kind));
  append(out, wrong_constraints(member(spec, "matchConstraints")));
  append(out, wrong_match_conditions("spec.matchConditions", member(spec, "matchConditions"),
                                     {.params = param_kind.is_object()}, release));
  const Object& variables = member(spec, "variables");
  for (std::size_t i = 0; i < variables.size(); ++i) {
    append(out, wrong_variable(policy_item("spec.variables", i), variables[i], compiled.variables[i], release));
  }
  const Object& validations = member(spec, "validations");
  const Object& annotations = member(spec, "auditAnnotations");
  if (validations.empty() && annotations.empty()) {
    for (const char* field : {"spec.validations", "spec.auditAnnotations"}) {
      out.push_back(required_field(field, "validations or auditAnnotations must contain at least one item"));
    }
  }
  for (std::size_t i = 0; i < validations.size(); ++i) {
    append(out, wrong_policy_validation(policy_item("spec.validations", i), validations[i], compiled.validations[i],
                                        compiled.messages[i], release));
  }
  append(out, wrong_audit_annotations("spec.auditAnnotations", std::string(text(policy, "metadata", "name")),
                                      annotations, compiled));
  return out;
}

FieldMistakes wrong_admission_policy_binding(const Object& binding, const Release& release) {
  const Object& spec = member(binding, "spec");
  const std::string policy(text(spec, "policyName"));
  FieldMistakes out;
  if (policy.empty()) {
    out.push_back(required_field("spec.policyName", ""));
  } else {
    append(out, invalid_field_each("spec.policyName", policy, wrong_dns_subdomain(policy)));
  }
  if (const Object& ref = member(spec, "paramRef"); ref.is_object()) append(out, wrong_param_ref("spec.paramRef", ref));
  if (const Object& matches = member(spec, "matchResources"); matches.is_object()) {
    const char* const field =
        release.does(Behaviour::match_resources_misspelled) ? "spec.matchResouces" : "spec.matchResources";
    append(out, wrong_match_resources(field, matches));
  }
  append(out, wrong_actions("spec.validationActions", member(spec, "validationActions")));
  return out;
}

}  // namespace nodebound::validation
