#include <algorithm>
#include <numeric>

#include "fakes/validation/kinds.h"
#include "fakes/validation/metadata.h"
#include "fakes/validation/object.h"
#include "reference/cluster/names.h"
#include "reference/release/behaviour_ids.h"

// pkg/apis/core/validation/validation.go (secrets, config maps, namespaces); pkg/apis/coordination/validation

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

std::size_t size_of(const Object& value) {
  return value.is_string() ? value.get_ref<const std::string&>().size() : 0;
}

// Of base64: three bytes for four characters.
std::size_t size_of_bytes(const Object& value) {
  if (!value.is_string()) return 0;
  const auto& text = value.get_ref<const std::string&>();
  return text.size() / 4 * 3 - static_cast<std::size_t>(std::count(text.begin(), text.end(), '='));
}

FieldMistakes wrong_namespace_finalizer(const std::string& field, const Object& name) {
  if (!name.is_string()) return {};
  FieldMistakes out = invalid_field_each(field, name, wrong_label_key(name.get_ref<const std::string&>()));
  append(out, nobodys_finalizer(field, name));
  return out;
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

FieldMistakes wrong_new_namespace(const Object& made) {
  FieldMistakes out;
  for (const Object& name : member(made, "spec", "finalizers")) {
    append(out, wrong_namespace_finalizer("spec.finalizers", name));
  }
  return out;
}

FieldMistakes wrong_namespace_finalizers_change(const Object& changed, const Object&) {
  FieldMistakes out;
  std::size_t at = 0;
  for (const Object& name : member(changed, "spec", "finalizers")) {
    append(out, wrong_namespace_finalizer("spec.finalizers[" + std::to_string(at++) + "]", name));
  }
  return out;
}

FieldMistakes wrong_namespace_status_change(const Object& changed, const Object&) {
  const bool terminates = !text(changed, "metadata", "deletionTimestamp").empty();
  const std::string_view phase = text(changed, "status", "phase");
  if (phase == (terminates ? "Terminating" : "Active")) return {};
  return {invalid_field("status.Phase", phase,
                        terminates ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
                                   : "may only be 'Active' if `deletionTimestamp` is empty")};
}

}  // namespace nodebound::validation
