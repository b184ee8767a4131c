#include "fakes/validation/admission/operation_rules.h"

#include <algorithm>
#include <set>

#include "reference/cluster/names.h"

// pkg/apis/admissionregistration/validation/validation.go

namespace nodebound::validation {
namespace {

std::string rule_item(const std::string& field, std::size_t at) {
  return field + "[" + std::to_string(at) + "]";
}

// A list that must not be empty, and holds nothing else if it holds `*`.
FieldMistakes wrong_pattern_list(const std::string& field, const Object& list, const char* others) {
  if (list.empty()) return {required_field(field, "")};
  const bool any = std::any_of(list.begin(), list.end(), [](const Object& item) { return item == "*"; });
  if (!any || list.size() == 1) return {};
  return {invalid_field(field, list, std::string("if '*' is present, must not specify other ") + others)};
}

FieldMistakes wrong_rule_resources(const std::string& field, const Object& list) {
  if (list.empty()) return {required_field(field, "")};
  FieldMistakes out;
  std::set<std::string> all_below;
  std::set<std::string> below_all;
  bool plain = false;
  bool everything = false;
  bool every_resource = false;
  std::size_t at = 0;
  for (const std::string& name : strings_of(list)) {
    const std::string here = rule_item(field, at++);
    if (name.empty()) {
      out.push_back(required_field(here, ""));
      continue;
    }
    everything = everything || name == "*/*";
    every_resource = every_resource || name == "*";
    const std::size_t slash = name.find('/');
    if (slash == std::string::npos) {
      plain = name != "*";
      continue;
    }
    const std::string resource = name.substr(0, slash);
    const std::string below = name.substr(slash + 1);
    if (all_below.contains(resource)) {
      out.push_back(
          invalid_field(here, name, "if '" + resource + "/*' is present, must not specify " + std::string(name)));
    }
    if (below_all.contains(below)) {
      out.push_back(
          invalid_field(here, name, "if '*/" + below + "' is present, must not specify " + std::string(name)));
    }
    if (below == "*") all_below.insert(resource);
    if (resource == "*") below_all.insert(below);
  }
  if (list.size() > 1 && everything) {
    out.push_back(invalid_field(field, list, "if '*/*' is present, must not specify other resources"));
  }
  if (every_resource && plain) {
    out.push_back(
        invalid_field(field, list, "if '*' is present, must not specify other resources without subresources"));
  }
  return out;
}

FieldMistakes wrong_requirement(const std::string& field, const Object& expression) {
  FieldMistakes out;
  const std::string op(text(expression, "operator"));
  const Object& values = member(expression, "values");
  if (op == "In" || op == "NotIn") {
    if (values.empty()) {
      out.push_back(required_field(field + ".values", "must be specified when `operator` is 'In' or 'NotIn'"));
    }
  } else if (op == "Exists" || op == "DoesNotExist") {
    if (!values.empty()) {
      out.push_back(
          forbidden_field(field + ".values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
    }
  } else {
    out.push_back(invalid_field(field + ".operator", op, "not a valid selector operator"));
  }
  const std::string key(text(expression, "key"));
  append(out, invalid_field_each(field + ".key", key, wrong_label_key(key)));
  std::size_t at = 0;
  for (const std::string& value : strings_of(values)) {
    append(out, invalid_field_each(rule_item(field + ".values", at++), value, wrong_label_value(value)));
  }
  return out;
}

}  // namespace

FieldMistakes wrong_choice(const std::string& field, const Object& value, const std::vector<std::string>& known) {
  if (!value.is_string() || std::find(known.begin(), known.end(), value.get<std::string>()) != known.end()) return {};
  return {unsupported_field(field, value, known)};
}

FieldMistakes wrong_operation_rule(const std::string& field, const Object& rule) {
  FieldMistakes out;
  const std::vector<std::string> operations = {"*", "CONNECT", "CREATE", "DELETE", "UPDATE"};
  append(out, wrong_pattern_list(field + ".operations", member(rule, "operations"), "operations"));
  std::size_t at = 0;
  for (const Object& operation : member(rule, "operations")) {
    append(out, wrong_choice(rule_item(field + ".operations", at++), operation, operations));
  }
  append(out, wrong_pattern_list(field + ".apiGroups", member(rule, "apiGroups"), "API groups"));
  append(out, wrong_pattern_list(field + ".apiVersions", member(rule, "apiVersions"), "API versions"));
  at = 0;
  for (const Object& version : member(rule, "apiVersions")) {
    if (is_empty_text(version)) out.push_back(required_field(rule_item(field + ".apiVersions", at), ""));
    ++at;
  }
  append(out, wrong_rule_resources(field + ".resources", member(rule, "resources")));
  append(out, wrong_choice(field + ".scope", member(rule, "scope"), {"*", "Cluster", "Namespaced"}));
  return out;
}

FieldMistakes wrong_label_selector(const std::string& field, const Object& selector) {
  FieldMistakes out;
  for (const auto& [key, value] : member(selector, "matchLabels").items()) {
    append(out, invalid_field_each(field + ".matchLabels", key, wrong_label_key(key)));
    const std::string label = value.is_string() ? value.get<std::string>() : "";
    append(out, invalid_field_each(field + ".matchLabels", label, wrong_label_value(label)));
  }
  std::size_t at = 0;
  for (const Object& expression : member(selector, "matchExpressions")) {
    append(out, wrong_requirement(rule_item(field + ".matchExpressions", at++), expression));
  }
  return out;
}

}  // namespace nodebound::validation
