#include "fakes/apiserver/review/reviewed_selectors.h"

#include "reference/cluster/label_selector.h"

namespace nodebound::apiserver {
namespace {

/// How much of a selector could be used.
struct Understood {
  bool something = false;
  bool all = true;
};

// Authorizers can use only In and NotIn with a single value.
Understood read_requirements(const Object& requirements, std::vector<FieldRequirement>& out) {
  Understood understood;
  for (const Object& requirement : requirements) {
    const std::string_view op = text(requirement, "operator");
    const Object& values = member(requirement, "values");
    if ((op != "In" && op != "NotIn") || values.size() != 1 || !values.front().is_string()) {
      understood.all = false;
      continue;
    }
    understood.something = true;
    out.push_back({std::string(text(requirement, "key")), op == "In" ? "=" : "!=", values.front().get<std::string>()});
  }
  return understood;
}

Understood read_fields(const Object& selector, std::vector<FieldRequirement>& out) {
  const Object& requirements = member(selector, "requirements");
  if (!requirements.empty()) return read_requirements(requirements, out);
  const std::string_view raw = text(selector, "rawSelector");
  out = parse_field_selector(raw);
  return {!out.empty(), !out.empty() || raw.empty()};
}

Understood read_labels(const Object& selector) {
  const Object& requirements = member(selector, "requirements");
  if (requirements.empty()) {
    const bool parsed = LabelSelector::parse(text(selector, "rawSelector")).has_value();
    return {parsed, parsed};
  }
  Understood understood;
  for (const Object& requirement : requirements) {
    const std::string_view op = text(requirement, "operator");
    const bool known = op == "In" || op == "NotIn" || op == "Exists" || op == "DoesNotExist";
    understood.something = understood.something || known;
    understood.all = understood.all && known;
  }
  return understood;
}

void note(const Understood& understood, const char* selector, std::string& ignored) {
  if (understood.all) return;
  if (!ignored.empty()) ignored += "; ";
  ignored += std::string("spec.resourceAttributes.") + selector + (understood.something ? " partially" : "") +
             " ignored due to parse error";
}

}  // namespace

ReviewedSelectors ReviewedSelectors::of(const Object& resource_attributes) {
  ReviewedSelectors out;
  note(read_fields(member(resource_attributes, "fieldSelector"), out.fields), "fieldSelector", out.ignored);
  note(read_labels(member(resource_attributes, "labelSelector")), "labelSelector", out.ignored);
  return out;
}

}  // namespace nodebound::apiserver
