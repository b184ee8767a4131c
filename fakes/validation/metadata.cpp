#include "fakes/validation/metadata.h"

#include <algorithm>

#include "reference/cluster/names.h"
#include "reference/encoding/ascii.h"

namespace nodebound::validation {
namespace {

constexpr std::size_t most_annotation_bytes = 256UL * 1024;

std::vector<std::string> wrong_name(const std::string& name, NameRule rule, bool prefix) {
  // A generated name ends well, whatever ends its prefix.
  const std::string text =
      prefix && name.size() > 1 && name.ends_with('-') ? name.substr(0, name.size() - 2) + "a" : name;
  switch (rule) {
    case NameRule::subdomain:
      return wrong_dns_subdomain(text);
    case NameRule::label:
      return wrong_dns_label(text);
    case NameRule::label_1035:
      return wrong_dns_1035_label(text);
    case NameRule::path_segment:
      return wrong_path_segment(name, prefix);
  }
  return {};
}

FieldMistakes wrong_annotations(const Object& annotations) {
  FieldMistakes out;
  std::size_t bytes = 0;
  for (const auto& [key, value] : annotations.items()) {
    append(out, invalid_field_each("metadata.annotations", key, wrong_label_key(in_lower_case(key))));
    bytes += key.size() + (value.is_string() ? value.get_ref<const std::string&>().size() : 0);
  }
  if (bytes > most_annotation_bytes) {
    out.push_back(too_long_field("metadata.annotations", most_annotation_bytes));
  }
  return out;
}

// Its fields in the order of the Go type.
Shown shown_owner(const Object& owner) {
  Shown out = Shown::object();
  for (const char* part : {"apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion"}) {
    if (owner.contains(part)) out[part] = owner[part];
  }
  return out;
}

Shown shown_owners(const Object& owners) {
  Shown out = Shown::array();
  for (const Object& owner : owners) out.push_back(shown_owner(owner));
  return out;
}

FieldMistakes wrong_owner(const Object& owner, const std::string& field) {
  FieldMistakes out;
  const std::string_view version = text(owner, "apiVersion");
  const auto slashes = std::count(version.begin(), version.end(), '/');
  if (!version.empty() && (slashes > 1 || version.ends_with('/'))) {
    out.push_back(invalid_field(field + ".apiVersion", version, "must be <group>/<version> or <version>"));
  }
  for (const char* part : {"apiVersion", "kind", "name", "uid"}) {
    if (text(owner, part).empty()) out.push_back(required_field(field + "." + part, "must not be empty"));
  }
  if (version == "v1" && text(owner, "kind") == "Event") {
    out.push_back(invalid_field(field, shown_owner(owner), "/v1, Kind=Event is disallowed from being an owner"));
  }
  return out;
}

FieldMistakes wrong_owners(const Object& owners) {
  FieldMistakes out;
  std::string controller;
  std::size_t at = 0;
  for (const Object& owner : owners) {
    append(out, wrong_owner(owner, "metadata.ownerReferences[" + std::to_string(at++) + "]"));
    if (!is_true(owner, "controller")) continue;
    const std::string named = std::string(text(owner, "kind")) + "/" + std::string(text(owner, "name"));
    if (!controller.empty()) {
      std::string why = "Only one reference can have Controller set to true. Found \"true\" in references for ";
      out.push_back(invalid_field("metadata.ownerReferences", shown_owners(owners),
                                  why.append(controller).append(" and ").append(named)));
    } else {
      controller = named;
    }
  }
  return out;
}

FieldMistakes wrong_finalizers(const Object& finalizers) {
  FieldMistakes out;
  for (const Object& finalizer : finalizers) {
    if (!finalizer.is_string()) continue;
    append(out, invalid_field_each("metadata.finalizers", finalizer,
                                   wrong_label_key(finalizer.get_ref<const std::string&>())));
  }
  return out;
}

FieldMistakes wrong_namespace(const Object& metadata, bool namespaced) {
  const std::string namespace_(text(metadata, "namespace"));
  if (namespace_.empty()) return {};
  if (!namespaced) return {forbidden_field("metadata.namespace", "not allowed on this type")};
  return invalid_field_each("metadata.namespace", namespace_, wrong_dns_label(namespace_));
}

// An object that is being deleted cannot get new finalizers.
FieldMistakes wrong_new_finalizers(const Object& metadata, const Object& before) {
  if (!before.contains("deletionTimestamp")) return {};
  const Object& old = member(before, "finalizers");
  std::string added;
  for (const Object& finalizer : member(metadata, "finalizers")) {
    if (std::find(old.begin(), old.end(), finalizer) != old.end()) continue;
    added += (added.empty() ? "" : ", ") + finalizer.dump();
  }
  if (added.empty()) return {};
  return {forbidden_field("metadata.finalizers",
                          "no new finalizers can be added if the object is being deleted, found new finalizers "
                          "[]string{" +
                              added + "}")};
}

}  // namespace

NameRule name_rule(std::string_view name) {
  if (name == "label") return NameRule::label;
  if (name == "label_1035") return NameRule::label_1035;
  return name == "path_segment" ? NameRule::path_segment : NameRule::subdomain;
}

FieldMistakes wrong_labels(const std::string& field, const Object& labels) {
  FieldMistakes out;
  for (const auto& [key, value] : labels.items()) {
    append(out, invalid_field_each(field, key, wrong_label_key(key)));
    const std::string text = value.is_string() ? value.get<std::string>() : std::string();
    append(out, invalid_field_each(field, text, wrong_label_value(text)));
  }
  return out;
}

FieldMistakes wrong_taint_value(const std::string& field, const std::string& value) {
  std::string why;
  for (const std::string& each : wrong_label_value(value)) why += (why.empty() ? "" : ";") + each;
  return why.empty() ? FieldMistakes() : FieldMistakes{invalid_field(field, value, why)};
}

FieldMistakes wrong_metadata(const Object& metadata, bool namespaced, NameRule rule) {
  FieldMistakes out;
  const std::string prefix(text(metadata, "generateName"));
  const std::string name(text(metadata, "name"));
  if (!prefix.empty()) append(out, invalid_field_each("metadata.generateName", prefix, wrong_name(prefix, rule, true)));
  if (name.empty()) {
    out.push_back(required_field("metadata.name", "name or generateName is required"));
  } else {
    append(out, invalid_field_each("metadata.name", name, wrong_name(name, rule, false)));
  }
  append(out, wrong_namespace(metadata, namespaced));
  const Object& generation = member(metadata, "generation");
  if (generation.is_number_integer() && generation < 0) {
    out.push_back(invalid_field("metadata.generation", generation, "must be greater than or equal to 0"));
  }
  append(out, wrong_labels("metadata.labels", member(metadata, "labels")));
  append(out, wrong_annotations(member(metadata, "annotations")));
  append(out, wrong_owners(member(metadata, "ownerReferences")));
  append(out, wrong_finalizers(member(metadata, "finalizers")));
  return out;
}

FieldMistakes wrong_metadata_change(const Object& metadata, const Object& before) {
  FieldMistakes out = wrong_new_finalizers(metadata, before);
  for (const char* field : {"name", "namespace", "uid"}) {
    const std::string_view value = text(metadata, field);
    if (!value.empty() && value != text(before, field)) {
      out.push_back(invalid_field(std::string("metadata.") + field, value, "field is immutable"));
    }
  }
  for (const char* field : {"deletionTimestamp", "deletionGracePeriodSeconds"}) {
    const Object& value = member(metadata, field);
    if (!value.is_null() && value != member(before, field))
      out.push_back(invalid_field(std::string("metadata.") + field, value, "field is immutable"));
  }
  append(out, wrong_labels("metadata.labels", member(metadata, "labels")));
  append(out, wrong_annotations(member(metadata, "annotations")));
  append(out, wrong_owners(member(metadata, "ownerReferences")));
  return out;
}

FieldMistakes nobodys_finalizer(const std::string& field, const Object& name) {
  const bool standard = name == "orphan" || name == "foregroundDeletion" || name == "kubernetes";
  if (!name.is_string() || standard || name.get_ref<const std::string&>().find('/') != std::string::npos) return {};
  return {invalid_field(field, name, "name is neither a standard finalizer name nor is it fully qualified")};
}

FieldMistakes nobodys_finalizers(const Object& metadata) {
  FieldMistakes out;
  std::size_t at = 0;
  for (const Object& finalizer : member(metadata, "finalizers")) {
    append(out, nobodys_finalizer("metadata.finalizers[" + std::to_string(at++) + "]", finalizer));
  }
  return out;
}

}  // namespace nodebound::validation
