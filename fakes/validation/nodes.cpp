#include <algorithm>
#include <array>
#include <iterator>

#include "fakes/validation/kinds.h"
#include "fakes/validation/object.h"
#include "fakes/validation/quantity.h"
#include "reference/cluster/names.h"
#include "reference/release/behaviour_ids.h"
#include "reference/release/refusal_text.h"

// pkg/apis/core/validation/validation.go

namespace nodebound::validation {
namespace {

FieldMistakes wrong_node_resources(const Object& node) {
  FieldMistakes out;
  for (const char* list : {"capacity", "allocatable"}) {
    for (const auto& [name, value] : member(node, "status", list).items()) {
      append(out, wrong_amount(std::string("status.") + list + "." + name, name, value));
    }
  }
  return out;
}

bool has_sizes_of_huge_pages(const Object& resources) {
  std::size_t sizes = 0;
  for (const auto& [name, value] : resources.items()) {
    const Quantity amount = Quantity::of(value);
    if (is_huge_pages(name) && !amount.is_zero() && !amount.is_negative()) ++sizes;
  }
  return sizes > 1;
}

// Upstream names a resource that is different each time; here it is the last one.
FieldMistakes wrong_sizes_of_huge_pages(const Object& node, const Object& before, const Release& release) {
  FieldMistakes out;
  if (!release.does(Behaviour::one_size_of_huge_pages)) return out;
  constexpr std::array lists = {"capacity", "allocatable"};
  const auto had = [&](const char* list) { return has_sizes_of_huge_pages(member(before, "status", list)); };
  const bool kept = release.does(Behaviour::sizes_of_huge_pages_kept);
  if (kept && std::any_of(lists.begin(), lists.end(), had)) return out;
  for (const char* list : lists) {
    const Object& resources = member(node, "status", list);
    if (!has_sizes_of_huge_pages(resources)) continue;
    const auto last = std::prev(resources.end());
    out.push_back(invalid_field(std::string("status.") + list + "." + last.key(), Shown(last.value()),
                                "may not have pre-allocated hugepages for multiple page sizes"));
  }
  return out;
}

// The ConfigMap that configures a kubelet, in the spec of its Node or in the status.
FieldMistakes wrong_config_source(const std::string& field, const Object& source, bool of_status) {
  const Object& map = member(source, "configMap");
  if (!map.is_object()) {
    return {invalid_field(field, {{"ConfigMap", nullptr}}, "exactly one reference subfield must be non-nil")};
  }
  FieldMistakes out;
  const auto at = [&](const char* part) { return field + ".configMap." + part; };
  for (const char* part : {"uid", "resourceVersion"}) {
    const bool set = !text(map, part).empty();
    if (of_status && !set) out.push_back(required_field(at(part), std::string(part) + " must be set in status"));
    if (!of_status && set) out.push_back(forbidden_field(at(part), std::string(part) + " must not be set in spec"));
  }
  const auto check = [&](const char* part, std::vector<std::string> (*wrong)(std::string_view)) {
    const std::string value(text(map, part));
    if (value.empty()) out.push_back(required_field(at(part), std::string(part) + " must be set"));
    if (!value.empty()) append(out, invalid_field_each(at(part), value, wrong(value)));
  };
  check("namespace", wrong_dns_label);
  check("name", wrong_dns_subdomain);
  check("kubeletConfigKey", wrong_config_key);
  return out;
}

FieldMistakes wrong_config_sources(const Object& node, const Release& release) {
  FieldMistakes out;
  if (!release.does(Behaviour::config_source_validated)) return out;
  const Object& source = member(node, "spec", "configSource");
  if (source.is_object()) append(out, wrong_config_source("spec.configSource", source, false));
  for (const char* of : {"assigned", "active", "lastKnownGood"}) {
    const Object& used = member(node, "status", "config", of);
    if (used.is_object()) append(out, wrong_config_source(std::string("status.config.") + of, used, true));
  }
  return out;
}

FieldMistakes repeated_addresses(const Object& addresses) {
  FieldMistakes out;
  for (std::size_t at = 0; at < addresses.size(); ++at) {
    const auto own = addresses.begin() + static_cast<std::ptrdiff_t>(at);
    if (std::find(addresses.begin(), own, *own) == own) continue;
    const Shown shown = {{"Type", text(*own, "type")}, {"Address", text(*own, "address")}};
    out.push_back(duplicate_field("status.addresses[" + std::to_string(at) + "]", shown));
  }
  return out;
}

bool is_feature_name(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  char before = '/';
  for (const char c : name) {
    if (before == '/' ? !is_letter(c) : !is_letter(c) && !is_digit(c) && c != '/') return false;
    before = c;
  }
  return before != '/' && name.front() >= 'A' && name.front() <= 'Z';
}

std::string wrong_feature(std::string_view name) {
  constexpr std::size_t longest = 253;
  const std::string begin = "invalid feature name " + go_quoted(name) + ": ";
  if (name.size() > longest) return begin + "must be no more than " + std::to_string(longest) + " characters";
  if (is_feature_name(name)) return {};
  return begin +
         "must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or "
         "MyFeature/mySubFeature), and contain only alphanumeric characters and slashes";
}

FieldMistakes wrong_declared_features(const Object& node) {
  const std::vector<std::string> features = strings_of(member(node, "status", "declaredFeatures"));
  const auto field = [](std::size_t at) { return "status.declaredFeatures[" + std::to_string(at) + "]"; };
  FieldMistakes out;
  for (std::size_t at = 0; at < features.size(); ++at) {
    if (const std::string why = wrong_feature(features[at]); !why.empty()) {
      out.push_back(invalid_field(field(at), features[at], why));
    }
    if (at + 1 == features.size()) break;
    const std::string& next = features[at + 1];
    if (next == features[at]) out.push_back(duplicate_field(field(at + 1), next));
    if (next < features[at]) out.push_back(invalid_field(field(at + 1), next, "list must be sorted alphabetically"));
  }
  return out;
}

FieldMistakes wrong_swap(const Object& node) {
  const Object& capacity = member(node, "status", "nodeInfo", "swap", "capacity");
  if (!capacity.is_number_integer() || capacity > 0) return {};
  return {invalid_field("metadata.nodeSwapStatus.capacity", capacity, "must be greater than zero")};
}

FieldMistakes changed_pod_cidrs(const Object& node, const Object& before, const Release& release) {
  const bool listed = release.does(Behaviour::pod_cidrs);
  const FieldMistake changed = forbidden_field(listed ? "spec.podCIDRs" : "spec.podCIDR",
                                               "node updates may not change podCIDR except from \"\" to valid");
  if (!listed) {
    const std::string_view old = text(before, "spec", "podCIDR");
    return old.empty() || old == text(node, "spec", "podCIDR") ? FieldMistakes() : FieldMistakes{changed};
  }
  const std::vector<std::string> old = strings_of(member(before, "spec", "podCIDRs"));
  const std::vector<std::string> now = strings_of(member(node, "spec", "podCIDRs"));
  if (old.empty()) return {};
  if (old.size() != now.size()) return {changed};
  FieldMistakes out;
  for (std::size_t i = 0; i < old.size(); ++i) {
    if (old[i] != now[i]) out.push_back(changed);
  }
  return out;
}

FieldMistakes changed_external_id(const Object& node, const Object& before, const Release& release) {
  if (text(node, "spec", "externalID") == text(before, "spec", "externalID")) return {};
  if (release.does(Behaviour::external_id_told)) return {forbidden_field("spec.externalID", "may not be updated")};
  return {forbidden_field("", release.does(Behaviour::node_changes_with_config_source)
                                  ? "node updates may only change labels, taints, or capacity (or configSource, if the "
                                    "DynamicKubeletConfig feature gate is enabled)"
                                  : "node updates may only change labels, taints or capacity")};
}

FieldMistakes changed_provider_id(const Object& node, const Object& before, const Release& release) {
  constexpr const char* field = "spec.providerID";
  const std::string_view old = text(before, "spec", "providerID");
  const std::string_view now = text(node, "spec", "providerID");
  if (old.empty() || old == now) return {};
  if (!release.does(Behaviour::provider_id_set_once)) {
    return {forbidden_field(field, "node updates may not change providerID except from \"\" to valid")};
  }
  return {invalid_field(field, nullptr,
                        now.empty() ? "field cannot be cleared once set" : "field cannot be modified once set")};
}

}  // namespace

FieldMistakes wrong_taints(const std::string& list, const Object& taints) {
  FieldMistakes out;
  std::vector<std::pair<std::string, std::string>> seen;
  std::size_t at = 0;
  for (const Object& taint : taints) {
    const std::string field = list + "[" + std::to_string(at++) + "]";
    const std::string key(text(taint, "key"));
    const std::string effect(text(taint, "effect"));
    append(out, invalid_field_each(field + ".key", key, wrong_label_key(key)));
    const std::string value(text(taint, "value"));
    append(out, wrong_taint_value(field + ".value", value));
    if (effect.empty()) {
      out.push_back(required_field(field + ".effect", ""));
    } else if (effect != "NoSchedule" && effect != "PreferNoSchedule" && effect != "NoExecute") {
      out.push_back(unsupported_field(field + ".effect", effect, {"NoSchedule", "PreferNoSchedule", "NoExecute"}));
    }
    const std::pair<std::string, std::string> own{effect, key};
    if (std::find(seen.begin(), seen.end(), own) != seen.end()) {
      const Shown shown = {{"Key", key}, {"Value", value}, {"Effect", effect}, {"TimeAdded", nullptr}};
      FieldMistake twice = duplicate_field(field, shown);
      twice.why = "taints must be unique by key and effect pair";
      out.push_back(std::move(twice));
    }
    seen.push_back(own);
  }
  return out;
}

FieldMistakes wrong_node(const Object& node) {
  FieldMistakes out = wrong_taints("metadata.taints", member(node, "spec", "taints"));
  append(out, wrong_node_resources(node));
  append(out, wrong_swap(node));
  append(out, wrong_declared_features(node));
  return out;
}

FieldMistakes wrong_new_node(const Object& node, const Release& release) {
  return wrong_sizes_of_huge_pages(node, nullptr, release);
}

FieldMistakes wrong_node_change(const Object& node, const Object& before, const Release& release) {
  FieldMistakes out = wrong_node_resources(node);
  append(out, wrong_sizes_of_huge_pages(node, before, release));
  append(out, wrong_declared_features(node));
  append(out, repeated_addresses(member(node, "status", "addresses")));
  append(out, changed_pod_cidrs(node, before, release));
  append(out, changed_provider_id(node, before, release));
  append(out, wrong_config_sources(node, release));
  append(out, wrong_taints("metadata.taints", member(node, "spec", "taints")));
  append(out, changed_external_id(node, before, release));
  return out;
}

}  // namespace nodebound::validation
