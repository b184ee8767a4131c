#include "fakes/scheduler/placement.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace nodebound::scheduler {
namespace {

std::optional<std::int64_t> number_of(std::string_view digits) {
  std::int64_t out = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  return error == std::errc() && end == digits.data() + digits.size() ? std::optional(out) : std::nullopt;
}

bool names_value(const Object& values, std::string_view value) {
  return std::any_of(values.begin(), values.end(), [&](const Object& one) { return one == value; });
}

// The operators `Gt` and `Lt`: both sides must be numbers, and there must be exactly one value.
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

std::string why_not_selected(const Object& spec, const Object& node) {
  const Object& labels = member(node, "metadata", "labels");
  for (const auto& [key, value] : member(spec, "nodeSelector").items()) {
    if (member(labels, key) == value) continue;
    return "has no label " + key + "=" + (value.is_string() ? value.get_ref<const std::string&>() : value.dump());
  }
  const Object& required = member(spec, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution");
  if (required.is_null()) return {};
  const Object& terms = member(required, "nodeSelectorTerms");
  const bool holds =
      std::any_of(terms.begin(), terms.end(), [&](const Object& term) { return term_holds(term, node); });
  return holds ? "" : "is not what the required node affinity asks for";
}

bool tolerates(const Object& toleration, const Object& taint) {
  const std::string_view effect = text(toleration, "effect");
  if (!effect.empty() && effect != text(taint, "effect")) return false;
  const std::string_view key = text(toleration, "key");
  const bool exists = text(toleration, "operator") == "Exists";
  if (key.empty()) return exists;
  return key == text(taint, "key") && (exists || text(toleration, "value") == text(taint, "value"));
}

std::string why_kept_off(const Object& spec, const Object& node) {
  const Object& tolerations = member(spec, "tolerations");
  for (const Object& taint : member(node, "spec", "taints")) {
    if (text(taint, "effect") == "PreferNoSchedule") continue;
    if (std::any_of(tolerations.begin(), tolerations.end(),
                    [&](const Object& toleration) { return tolerates(toleration, taint); })) {
      continue;
    }
    const std::string value(text(taint, "value"));
    return "has the taint " + std::string(text(taint, "key")) + (value.empty() ? "" : "=" + value) + ":" +
           std::string(text(taint, "effect")) + ", which the pod does not tolerate";
  }
  return {};
}

}  // namespace

bool fits(const Object& pod, const Object& node) {
  return why_not(pod, node).empty();
}

std::string why_not(const Object& pod, const Object& node) {
  const Object& spec = member(pod, "spec");
  std::string out = why_not_selected(spec, node);
  return out.empty() ? why_kept_off(spec, node) : out;
}

}  // namespace nodebound::scheduler
