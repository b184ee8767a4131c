#include <algorithm>
#include <array>

#include "fakes/validation/kinds.h"
#include "fakes/validation/quantity.h"
#include "reference/cluster/names.h"

// ValidateResourceQuantityValue and validateResourceRequirements in pkg/apis/core/validation/validation.go; the names
// of resources in pkg/apis/core/helper/helpers.go. Upstream visits resources in random order, this code by name.

namespace nodebound::validation {
namespace {

constexpr std::string_view huge_pages = "hugepages-";
constexpr std::string_view of_quota = "requests.";

template <std::size_t size>
bool is_one_of(const std::array<std::string_view, size>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::array<std::string_view, 9> whole_resources = {
    "pods",       "resourcequotas",         "services",           "replicationcontrollers", "secrets",
    "configmaps", "persistentvolumeclaims", "services.nodeports", "services.loadbalancers"};

constexpr std::array<std::string_view, 3> container_resources = {"cpu", "memory", "ephemeral-storage"};

constexpr std::array<std::string_view, 8> other_resources = {
    "requests.cpu", "requests.memory", "requests.ephemeral-storage",
    "limits.cpu",   "limits.memory",   "limits.ephemeral-storage",
    "storage",      "requests.storage"};

// A name without a domain is as good as one of kubernetes.io.
bool is_native(std::string_view name) {
  return name.find('/') == std::string_view::npos || name.find("kubernetes.io/") != std::string_view::npos;
}

bool is_extended(std::string_view name) {
  if (is_native(name) || name.starts_with(of_quota)) return false;
  return wrong_label_key(std::string(of_quota) + std::string(name)).empty();
}

}  // namespace

bool is_huge_pages(std::string_view resource) {
  return resource.starts_with(huge_pages);
}

namespace {

bool is_standard(std::string_view name) {
  return is_one_of(container_resources, name) || is_one_of(whole_resources, name) || is_one_of(other_resources, name) ||
         is_huge_pages(name) || name.starts_with("requests.hugepages-");
}

FieldMistakes wrong_container_resource(const std::string& field, const std::string& name) {
  FieldMistakes out = invalid_field_each(field, name, wrong_label_key(name));
  const bool plain = name.find('/') == std::string::npos;
  if (out.empty() && plain && !is_standard(name)) {
    out.push_back(invalid_field(field, name, "must be a standard resource type or fully qualified"));
  }
  if (plain && !is_one_of(container_resources, name) && !is_huge_pages(name)) {
    out.push_back(invalid_field(field, name, "must be a standard resource for containers"));
  } else if (!is_native(name) && !is_extended(name)) {
    out.push_back(invalid_field(field, name, "doesn't follow extended resource name standard"));
  }
  for (FieldMistake& each : out) each.type = GoType::resource_name;
  return out;
}

FieldMistakes wrong_huge_pages(const std::string& field, const std::string& name, const Quantity& amount) {
  if (!is_huge_pages(name)) return {};
  const Quantity page = Quantity::of(name.substr(huge_pages.size()));
  if (!page.is_zero() && amount.is_multiple_of(page)) return {};
  return {invalid_field(field, amount.text(), amount.text() + " is not positive integer multiple of " + name)};
}

FieldMistakes wrong_resource(const std::string& field, const std::string& name, const Object& value) {
  FieldMistakes out = wrong_container_resource(field, name);
  append(out, wrong_amount(field, name, value));
  return out;
}

FieldMistakes wrong_request(const std::string& field, const std::string& name, const Quantity& request,
                            const Object& limits) {
  const bool more_than_there_is = is_native(name) && !is_huge_pages(name);
  if (!limits.contains(name)) {
    if (more_than_there_is) return {};
    return {required_field(field + ".limits", "Limit must be set for non overcommitable resources")};
  }
  const Quantity limit = Quantity::of(limits.at(name));
  const std::string what = name + " limit of " + limit.text();
  if (request != limit && !more_than_there_is) {
    return {invalid_field(field + ".requests", request.text(), "must be equal to " + what)};
  }
  if (request <= limit) return {};
  return {invalid_field(field + ".requests", request.text(), "must be less than or equal to " + what)};
}

}  // namespace

FieldMistakes wrong_amount(const std::string& field, std::string_view resource, const Object& value) {
  FieldMistakes out;
  const Quantity amount = Quantity::of(value);
  if (amount.is_negative()) out.push_back(invalid_field(field, amount.text(), "must be greater than or equal to 0"));
  if ((is_one_of(whole_resources, resource) || is_extended(resource)) && !amount.is_whole()) {
    out.push_back(invalid_field(field, amount.text(), "must be an integer"));
    out.back().type = GoType::quantity;
  }
  return out;
}

FieldMistakes wrong_container_resources(const std::string& field, const Object& resources) {
  FieldMistakes out;
  const Object& limits = member(resources, "limits");
  const Object& requests = member(resources, "requests");
  bool huge = false;
  bool computes = false;
  const auto note = [&](const std::string& name) {
    huge |= is_huge_pages(name);
    computes |= name == "cpu" || name == "memory";
  };
  for (const auto& [name, value] : limits.items()) {
    const std::string own = field + ".limits[" + name + "]";
    append(out, wrong_resource(own, name, value));
    append(out, wrong_huge_pages(own, name, Quantity::of(value)));
    note(name);
  }
  for (const auto& [name, value] : requests.items()) {
    const std::string own = field + ".requests[" + name + "]";
    append(out, wrong_resource(own, name, value));
    append(out, wrong_request(field, name, Quantity::of(value), limits));
    append(out, wrong_huge_pages(own, name, Quantity::of(value)));
    note(name);
  }
  if (huge && !computes) out.push_back(forbidden_field(field, "HugePages require cpu or memory"));
  return out;
}

}  // namespace nodebound::validation
