#include "fakes/scheduler/placement.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace nodebound {
namespace {

std::optional<std::int64_t> number_of(std::string_view digits) {
  std::int64_t out = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  return error == std::errc() && end == digits.data() + digits.size() ? std::optional(out) : std::nullopt;
}

bool names_value(const Object& values, std::string_view value) {
  return std::any_of(values.begin(), values.end(), [&](const Object& one) { return one == value; });
}

// Of `Gt` and `Lt`: numbers alone, and one of them.
bool compares(const Object& values, std::string_view value, bool greater) {
  if (values.size() != 1 || !values[0].is_string()) return false;
  const auto left = number_of(value);
  const auto right = number_of(values[0].get_ref<const std::string&>());
  return left && right && (greater ? *left > *right : *left < *right);
}

bool holds(const Object& requirement, const Object& having) {
  const std::string_view op = text(requirement, "operator");
  const Object& values = member(requirement, "values");
  const Object& found = member(having, text(requirement, "key"));
  const std::string_view value = found.is_string() ? std::string_view(found.get_ref<const std::string&>()) : "";
  if (op == "Exists") return !found.is_null();
  if (op == "DoesNotExist") return found.is_null();
  if (op == "In") return !found.is_null() && names_value(values, value);
  if (op == "NotIn") return found.is_null() || !names_value(values, value);
  if (op == "Gt" || op == "Lt") return !found.is_null() && compares(values, value, op == "Gt");
  return false;
}

bool term_holds(const Object& term, const Object& node) {
  const Object& labels = member(node, "metadata", "labels");
  const Object fields = {{"metadata.name", text(node, "metadata", "name")}};
  const Object& expressions = member(term, "matchExpressions");
  const Object& of_fields = member(term, "matchFields");
  if (expressions.empty() && of_fields.empty()) return false;
  return std::all_of(expressions.begin(), expressions.end(), [&](const Object& one) { return holds(one, labels); }) &&
         std::all_of(of_fields.begin(), of_fields.end(), [&](const Object& one) { return holds(one, fields); });
}

bool is_selected(const Object& spec, const Object& node) {
  const Object& labels = member(node, "metadata", "labels");
  for (const auto& [key, value] : member(spec, "nodeSelector").items()) {
    if (member(labels, key) != value) return false;
  }
  const Object& required = member(spec, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution");
  if (required.is_null()) return true;
  const Object& terms = member(required, "nodeSelectorTerms");
  return std::any_of(terms.begin(), terms.end(), [&](const Object& term) { return term_holds(term, node); });
}

bool tolerates(const Object& toleration, const Object& taint) {
  const std::string_view effect = text(toleration, "effect");
  if (!effect.empty() && effect != text(taint, "effect")) return false;
  const std::string_view key = text(toleration, "key");
  const bool exists = text(toleration, "operator") == "Exists";
  if (key.empty()) return exists;
  return key == text(taint, "key") && (exists || text(toleration, "value") == text(taint, "value"));
}

bool is_kept_off(const Object& spec, const Object& node) {
  const Object& tolerations = member(spec, "tolerations");
  const Object& taints = member(node, "spec", "taints");
  return std::any_of(taints.begin(), taints.end(), [&](const Object& taint) {
    if (text(taint, "effect") == "PreferNoSchedule") return false;
    return std::none_of(tolerations.begin(), tolerations.end(),
                        [&](const Object& toleration) { return tolerates(toleration, taint); });
  });
}

}  // namespace

bool fits(const Object& pod, const Object& node) {
  const Object& spec = member(pod, "spec");
  return is_selected(spec, node) && !is_kept_off(spec, node);
}

}  // namespace nodebound
