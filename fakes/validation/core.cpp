#include <algorithm>
#include <numeric>

#include "fakes/validation/kinds.h"
#include "fakes/validation/object.h"
#include "reference/cluster/names.h"
#include "reference/release/behaviour_ids.h"

// pkg/apis/core/validation/validation.go (secrets, config maps, nodes); pkg/apis/coordination/validation

namespace nodebound::validation {
namespace {

constexpr std::size_t most_data = 1024UL * 1024;

FieldMistakes wrong_keys(const char* field, const Object& data) {
  FieldMistakes out;
  for (const auto& [key, value] : data.items()) {
    append(out, invalid_field_each(std::string(field) + "[" + key + "]", key, wrong_config_key(key)));
  }
  return out;
}

// An object marked as immutable must not change.
FieldMistakes changed_though_immutable(const Object& object, const Object& before,
                                       std::initializer_list<const char*> fields) {
  FieldMistakes out;
  constexpr const char* why = "field is immutable when `immutable` is set";
  if (!is_true(before, "immutable")) return out;
  if (!is_true(object, "immutable")) out.push_back(forbidden_field("immutable", why));
  for (const char* field : fields) {
    if (!means_the_same(member(object, field), member(before, field))) out.push_back(forbidden_field(field, why));
  }
  return out;
}

std::vector<std::string> required_keys(std::string_view type) {
  if (type == "kubernetes.io/dockercfg") return {".dockercfg"};
  if (type == "kubernetes.io/dockerconfigjson") return {".dockerconfigjson"};
  if (type == "kubernetes.io/ssh-auth") return {"ssh-privatekey"};
  if (type == "kubernetes.io/tls") return {"tls.crt", "tls.key"};
  return {};
}

FieldMistakes wrong_taints(const Object& taints) {
  FieldMistakes out;
  std::vector<std::pair<std::string, std::string>> seen;
  std::size_t at = 0;
  for (const Object& taint : taints) {
    const std::string field = "metadata.taints[" + std::to_string(at++) + "]";
    const std::string key(text(taint, "key"));
    const std::string effect(text(taint, "effect"));
    append(out, invalid_field_each(field + ".key", key, wrong_label_key(key)));
    if (effect.empty()) {
      out.push_back(required_field(field + ".effect", ""));
    } else if (effect != "NoSchedule" && effect != "PreferNoSchedule" && effect != "NoExecute") {
      out.push_back(unsupported_field(field + ".effect", effect, {"NoExecute", "NoSchedule", "PreferNoSchedule"}));
    }
    const std::pair<std::string, std::string> own{effect, key};
    if (std::find(seen.begin(), seen.end(), own) != seen.end()) {
      const Shown shown = {{"Key", key}, {"Value", text(taint, "value")}, {"Effect", effect}, {"TimeAdded", nullptr}};
      FieldMistake twice = duplicate_field(field, shown);
      twice.why = "taints must be unique by key and effect pair";
      out.push_back(std::move(twice));
    }
    seen.push_back(own);
  }
  return out;
}

FieldMistakes wrong_node_resources(const Object& node) {
  FieldMistakes out;
  for (const char* list : {"capacity", "allocatable"}) {
    for (const auto& [name, value] : member(node, "status", list).items()) {
      append(out, wrong_amount(std::string("status.") + list + "." + name, name, value));
    }
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

std::size_t size_of(const Object& value) {
  return value.is_string() ? value.get_ref<const std::string&>().size() : 0;
}

// Of base64: three bytes for four characters.
std::size_t size_of_bytes(const Object& value) {
  if (!value.is_string()) return 0;
  const auto& text = value.get_ref<const std::string&>();
  return text.size() / 4 * 3 - static_cast<std::size_t>(std::count(text.begin(), text.end(), '='));
}

template <typename Size>
std::size_t size_of_all(const Object& data, Size size) {
  return std::accumulate(data.begin(), data.end(), std::size_t{0},
                         [&](std::size_t sum, const Object& value) { return sum + size(value); });
}

}  // namespace

FieldMistakes wrong_secret(const Object& secret) {
  FieldMistakes out = wrong_keys("data", member(secret, "data"));
  if (size_of_all(member(secret, "data"), size_of_bytes) > most_data) out.push_back(too_long_field("data", most_data));
  const std::string_view type = text(secret, "type");
  if (type == "kubernetes.io/service-account-token" &&
      text(member(secret, "metadata", "annotations"), "kubernetes.io/service-account.name").empty()) {
    out.push_back(required_field("metadata.annotations[kubernetes.io/service-account.name]", ""));
  }
  for (const std::string& key : required_keys(type)) {
    if (!member(secret, "data").contains(key)) out.push_back(required_field("data[" + key + "]", ""));
  }
  return out;
}

FieldMistakes wrong_secret_change(const Object& secret, const Object& before) {
  FieldMistakes out;
  const std::string_view type = text(secret, "type");
  if (type != text(before, "type")) out.push_back(invalid_field("type", type, "field is immutable"));
  append(out, changed_though_immutable(secret, before, {"data"}));
  return out;
}

FieldMistakes wrong_config_map(const Object& map) {
  const Object& texts = member(map, "data");
  const Object& bytes = member(map, "binaryData");
  FieldMistakes out = wrong_keys("data", texts);
  for (const auto& [key, value] : texts.items()) {
    if (!bytes.contains(key)) continue;
    out.push_back(invalid_field("data[" + key + "]", key, "duplicate of key present in binaryData"));
  }
  append(out, wrong_keys("binaryData", bytes));
  // The error is about the whole object.
  const std::size_t all = size_of_all(texts, size_of) + size_of_all(bytes, size_of_bytes);
  if (all > most_data) out.push_back(too_long_field("[]", most_data));
  return out;
}

FieldMistakes wrong_config_map_change(const Object& map, const Object& before) {
  return changed_though_immutable(map, before, {"data", "binaryData"});
}

FieldMistakes wrong_lease(const Object& lease) {
  FieldMistakes out;
  const Object& duration = member(lease, "spec", "leaseDurationSeconds");
  if (duration.is_number_integer() && duration <= 0) {
    out.push_back(invalid_field("spec.leaseDurationSeconds", duration, "must be greater than 0"));
  }
  const Object& transitions = member(lease, "spec", "leaseTransitions");
  if (transitions.is_number_integer() && transitions < 0) {
    out.push_back(invalid_field("spec.leaseTransitions", transitions, "must be greater than or equal to 0"));
  }
  return out;
}

namespace {

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

}  // namespace

FieldMistakes wrong_node(const Object& node) {
  FieldMistakes out = wrong_taints(member(node, "spec", "taints"));
  append(out, wrong_node_resources(node));
  return out;
}

FieldMistakes wrong_node_change(const Object& node, const Object& before, const Release& release) {
  FieldMistakes out = wrong_node_resources(node);
  append(out, repeated_addresses(member(node, "status", "addresses")));
  append(out, changed_pod_cidrs(node, before, release));
  const std::string_view old_provider = text(before, "spec", "providerID");
  if (!old_provider.empty() && old_provider != text(node, "spec", "providerID")) {
    out.push_back(
        forbidden_field("spec.providerID", "node updates may not change providerID except from \"\" to valid"));
  }
  append(out, wrong_taints(member(node, "spec", "taints")));
  append(out, changed_external_id(node, before, release));
  return out;
}

}  // namespace nodebound::validation
