#include "fakes/validation/field_mistake.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>

#include "reference/cluster/names.h"
#include "reference/encoding/base64.h"
#include "reference/release/behaviour_ids.h"
#include "reference/release/refusal_text.h"

namespace nodebound::validation {
namespace {

std::string list_of(const Shown& texts) {
  std::string out;
  for (const Shown& text : texts) {
    if (text.is_string()) out += (out.empty() ? "" : ", ") + go_quoted(text.get_ref<const std::string&>());
  }
  return out;
}

std::string shown(const Shown& value) {
  return value.is_string() ? go_quoted(value.get_ref<const std::string&>()) : value.dump();
}

// Go prints where a pointer leads to, which is never the same.
std::string pointer_shown_as_go(const std::string& type, const Shown& value) {
  return "(*" + type + ")(" + (value.is_null() ? "nil" : "0xc000000000") + ")";
}

std::string attachment_shown_as_go(const Shown& spec) {
  const Shown& source = spec.at("Source");
  return "storage.VolumeAttachmentSpec{Attacher:" + shown(spec.at("Attacher")) +
         ", Source:storage.VolumeAttachmentSource{PersistentVolumeName:" +
         pointer_shown_as_go("string", source.at("PersistentVolumeName")) +
         ", InlineVolumeSpec:" + pointer_shown_as_go("core.PersistentVolumeSpec", source.at("InlineVolumeSpec")) +
         "}, NodeName:" + shown(spec.at("NodeName")) + "}";
}

std::string driver_shown_as_go(const Shown& driver) {
  const Shown& keys = driver.at("TopologyKeys");
  return "storage.CSINodeDriver{Name:" + shown(driver.at("Name")) + ", NodeID:" + shown(driver.at("NodeID")) +
         ", TopologyKeys:[]string" + (keys.is_null() ? "(nil)" : "{" + list_of(keys) + "}") +
         ", Allocatable:" + pointer_shown_as_go("storage.VolumeNodeResources", driver.at("Allocatable")) + "}";
}

std::string bytes_shown_as_go(const std::string& encoded) {
  std::string out;
  for (const char byte : base64_decode(encoded).value_or("")) {
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "0x%x", static_cast<unsigned>(static_cast<unsigned char>(byte)));
    out.append(out.empty() ? "" : ", ").append(text.data());
  }
  return "[]byte{" + out + "}";
}

std::string address_shown_as_go(const Shown& address) {
  return "core.NodeAddress{Type:" + shown(address.at("Type")) + ", Address:" + shown(address.at("Address")) + "}";
}

std::string owner_shown_as_go(const Shown& owner) {
  const auto flag = [&](const char* name) {
    return pointer_shown_as_go("bool", owner.contains(name) ? owner.at(name) : Shown());
  };
  return "v1.OwnerReference{APIVersion:" + shown(owner.value("apiVersion", Shown(""))) +
         ", Kind:" + shown(owner.value("kind", Shown(""))) + ", Name:" + shown(owner.value("name", Shown(""))) +
         ", UID:" + shown(owner.value("uid", Shown(""))) + ", Controller:" + flag("controller") +
         ", BlockOwnerDeletion:" + flag("blockOwnerDeletion") + "}";
}

std::string owners_shown_as_go(const Shown& owners) {
  std::string out;
  for (const Shown& owner : owners) out.append(out.empty() ? "" : ", ").append(owner_shown_as_go(owner));
  return "[]v1.OwnerReference{" + out + "}";
}

std::string labels_shown_as_go(const Shown& labels) {
  std::string out;
  for (const auto& [key, value] : labels.items()) {
    out.append(out.empty() ? "" : ", ").append(shown(key)).append(":").append(shown(value));
  }
  return "map[string]string{" + out + "}";
}

// Of an amount in thousandths, like `1500m` or `1500e-3`.
std::string amount_shown_as_go(const std::string& text) {
  const std::size_t unit = text.find_first_not_of("-0123456789");
  return "resource.Quantity{i:resource.int64Amount{value:" + text.substr(0, unit) +
         ", scale:-3}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:" + go_quoted(text) + ", Format:\"" +
         (text.ends_with('m') ? "DecimalSI" : "DecimalExponent") + "\"}";
}

// Older releases show values that are not strings as Go prints them (%#v).
std::string shown_as_go(const std::string& field, const Shown& value) {
  if (value.is_null() && field == "spec.request") return "[]byte(nil)";
  if (value.is_null()) return field == "spec.capacity" ? "core.ResourceList(nil)" : "\"null\"";
  if (field == "metadata.ownerReferences") {
    return value.is_array() ? owners_shown_as_go(value) : owner_shown_as_go(value);
  }
  if (value.is_array()) {
    const bool actions = field == "spec.validationActions";
    return (actions ? "[]admissionregistration.ValidationAction{" : "[]string{") + list_of(value) + "}";
  }
  if (value.is_object() && field == "spec.nonResourceAttributes") {
    return "authorization.NonResourceAttributes{Path:" + shown(value.at("Path")) + ", Verb:" + shown(value.at("Verb")) +
           "}";
  }
  if (value.is_object() && field == "spec" && value.contains("Attacher")) return attachment_shown_as_go(value);
  if (value.is_object() && field == "roleRef") {
    return "rbac.RoleRef{APIGroup:" + shown(value.at("APIGroup")) + ", Kind:" + shown(value.at("Kind")) +
           ", Name:" + shown(value.at("Name")) + "}";
  }
  if (value.is_object() && value.contains("NodeID")) return driver_shown_as_go(value);
  if (value.is_object() && field.starts_with("status.addresses[")) return address_shown_as_go(value);
  if (value.is_object() && field == "spec.template.metadata.labels") return labels_shown_as_go(value);
  if (value == 0 && field == "metadata.resourceVersion") return "0x0";
  if (value.is_string() && field == "spec.request") return bytes_shown_as_go(value.get_ref<const std::string&>());
  return shown(value);
}

void replace(std::string& text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  if (at != std::string::npos) text.replace(at, from.size(), to);
}

std::string why_in_words_of(const Release& release, const FieldMistake& mistake) {
  constexpr std::string_view owners = "metadata.ownerReferences.";
  std::string why = in_words_of(release, mistake.why);
  if (!release.does(Behaviour::values_as_json) && mistake.field.starts_with(owners) &&
      !mistake.field.ends_with(".apiVersion")) {
    replace(why, "must not", mistake.field.substr(owners.size()) + " must not");
  }
  return why;
}

std::string value_of(const FieldMistake& mistake, const Release& release) {
  const Shown& value = *mistake.value;
  if (release.does(Behaviour::values_as_json)) return shown(value);
  switch (mistake.type) {
    case GoType::quantity:
      return amount_shown_as_go(value.get<std::string>());
    case GoType::resource_name:
      return release.does(Behaviour::resource_names_unquoted) ? value.get<std::string>() : shown(value);
    case GoType::any:
      break;
  }
  return shown_as_go(mistake.field, value);
}

bool is_of_pod_address(const std::string& field) {
  return field.starts_with("spec.hostAliases[") || field.starts_with("spec.dnsConfig.nameservers[");
}

// Without examples, it is not told which host alias is wrong.
FieldMistake of_some_address(FieldMistake mistake) {
  if (mistake.why.starts_with("must be a valid IP address")) mistake.why = "must be valid IP address";
  if (const std::size_t dot = mistake.field.find("]."); dot != std::string::npos) {
    const std::string part = mistake.field.substr(dot + 2);
    mistake.field = "spec.hostAliases." + part.substr(0, part.find('['));
  }
  return mistake;
}

// Before 1.37 it is not told which owner is wrong.
FieldMistake of_some_owner(const FieldMistake& mistake) {
  const std::string part = mistake.field.substr(mistake.field.rfind('.') + 1);
  if (part.ends_with(']')) {
    FieldMistake whole = mistake;
    whole.field = "metadata.ownerReferences";
    return whole;
  }
  return invalid_field("metadata.ownerReferences." + part, mistake.value.value_or(Shown("")),
                       part == "apiVersion" ? "version must not be empty" : "must not be empty");
}

}  // namespace

std::string in_words_of(const Release& release, std::string why) {
  if (!release.does(Behaviour::lengths_in_bytes)) {
    replace(why, "no more than 63 bytes", "no more than 63 characters");
    replace(why, "a valid label key must", "a qualified name must");
  }
  if (!release.does(Behaviour::too_long_is_more_than) && why.ends_with(" bytes")) {
    replace(why, "may not be more than", "must have at most");
  }
  if (!release.does(Behaviour::types_of_expressions_told) && why.starts_with("must evaluate to ")) {
    why.resize(std::min(why.size(), why.find(" but got ")));
  }
  if (!release.does(Behaviour::slices_by_device)) {
    replace(why, "`allNodes`, `perDeviceNodeSelection` is", "or `allNodes` is");
  }
  if (!release.does(Behaviour::variables_of_files)) {
    replace(why, "`configMapKeyRef`, `secretKeyRef` or `fileKeyRef`", "`configMapKeyRef` or `secretKeyRef`");
  }
  if (!release.does(Behaviour::relaxed_variables)) {
    replace(why, "variable name must consist only of printable ASCII characters other than '='",
            "variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a "
            "digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is "
            "'[-._a-zA-Z][-._a-zA-Z0-9]*')");
  }
  if (!release.does(Behaviour::dots_in_labels_told)) {
    replace(why, "must not contain dots", wrong_dns_label("?").front());
  }
  if (!release.does(Behaviour::limits_told)) {
    why.resize(std::min(why.size(), why.find(" of ", why.find(" limit of "))));
  }
  if (!release.does(Behaviour::lengths_in_bytes)) replace(why, "no more than 15 bytes", "no more than 15 characters");
  if (release.does(Behaviour::roles_validated_by_declarations)) {
    replace(why, "verbs must contain at least one value", "");
    replace(why, "cannot change roleRef", "field is immutable");
  }
  if (!release.does(Behaviour::claims_of_devices_explained)) {
    replace(why,
            "as 'claim:<claimName>/<requestName>' when container.resources.claims[*].request is set or "
            "'claim:<claimName>' when it is empty",
            "in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty");
  }
  return why;
}

FieldMistake as_told_by(const Release& release, FieldMistake mistake) {
  const std::string_view owners = "metadata.ownerReferences[";
  if (!release.does(Behaviour::owners_by_index) && mistake.field.starts_with(owners)) return of_some_owner(mistake);
  if (!release.does(Behaviour::address_mistakes_with_examples) && is_of_pod_address(mistake.field)) {
    return of_some_address(std::move(mistake));
  }
  if (!release.does(Behaviour::csi_driver_by_path) && mistake.field == "spec.drivers" &&
      mistake.why == "field is immutable") {
    mistake.field = "CSINodeDriver";
  }
  const bool both_kinds = mistake.field == "spec" && mistake.why.starts_with("exactly one of nonResourceAttributes ");
  if (release.does(Behaviour::review_attributes_together) || !both_kinds) return mistake;
  if (!mistake.value || mistake.value->is_null()) {
    mistake.field = "spec.resourceAttributes";
    return mistake;
  }
  return invalid_field("spec.nonResourceAttributes", *mistake.value,
                       "cannot be specified in combination with resourceAttributes");
}

std::string message_of(const FieldMistake& mistake, const Release& release) {
  std::string out = mistake.what;
  if (mistake.value) out += ": " + value_of(mistake, release);
  const std::string why = why_in_words_of(release, mistake);
  return why.empty() ? out : out + ": " + why;
}

FieldMistake mistake_of_text(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> reasons = {
      {{"Forbidden: ", "FieldValueForbidden"},
       {"Invalid value: ", "FieldValueInvalid"},
       {"Required value", "FieldValueRequired"}}};
  const std::size_t end = std::min(text.find(": "), text.size());
  const std::string_view message = text.substr(std::min(end + 2, text.size()));
  const auto* const found = std::find_if(reasons.begin(), reasons.end(),
                                         [&](const auto& reason) { return message.starts_with(reason.first); });
  const std::string_view reason = found == reasons.end() ? std::string_view() : found->second;
  return {std::string(text.substr(0, end)), std::string(reason), std::string(message), {}, {}};
}

FieldMistake required_field(std::string field, std::string_view why) {
  return {std::move(field), "FieldValueRequired", "Required value", {}, std::string(why)};
}

FieldMistake too_long_field(std::string field, std::size_t most_bytes) {
  return {std::move(field),
          "FieldValueTooLong",
          "Too long",
          {},
          "may not be more than " + std::to_string(most_bytes) + " bytes"};
}

FieldMistake forbidden_field(std::string field, std::string_view why) {
  return {std::move(field), "FieldValueForbidden", "Forbidden", {}, std::string(why)};
}

FieldMistake invalid_field(std::string field, const Shown& value, std::string_view why) {
  return {std::move(field), "FieldValueInvalid", "Invalid value", value, std::string(why)};
}

FieldMistake duplicate_field(std::string field, const Shown& value) {
  return {std::move(field), "FieldValueDuplicate", "Duplicate value", value, {}};
}

FieldMistake missing_reference(std::string field, const Shown& value) {
  return {std::move(field), "FieldValueNotFound", "Not found", value, {}};
}

FieldMistake unsupported_field(std::string field, const Shown& value, const std::vector<std::string>& supported) {
  const std::string all = list_of(supported);
  return {std::move(field), "FieldValueNotSupported", "Unsupported value", value,
          all.empty() ? all : "supported values: " + all};
}

FieldMistakes invalid_field_each(const std::string& field, const Shown& value, const std::vector<std::string>& why) {
  FieldMistakes out;
  for (const std::string& each : why) out.push_back(invalid_field(field, value, each));
  return out;
}

void append(FieldMistakes& all, FieldMistakes more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace nodebound::validation
