#include <array>
#include <string>

#include "fakes/apiserver/resources/registry.h"
#include "fakes/apiserver/write/write_context.h"
#include "fakes/validation/kinds.h"

namespace nodebound::apiserver {
namespace {

using Column = TableColumns::Column;
using Now = const std::string&;

constexpr Column storage_class_columns[] = {
    name_column,
    {"Provisioner", [](const Object& o, Now) { return Object(text(o, "provisioner")); }},
    {"ReclaimPolicy", [](const Object& o, Now) { return text_cell(text(o, "reclaimPolicy"), "Delete"); }},
    {"VolumeBindingMode", [](const Object& o, Now) { return text_cell(text(o, "volumeBindingMode"), "Immediate"); }},
    {"AllowVolumeExpansion", [](const Object& o, Now) { return Object(is_true(o, "allowVolumeExpansion")); }, 0,
     "boolean"},
    age_column};

constexpr Column attachment_columns[] = {
    name_column,
    {"Attacher", [](const Object& o, Now) { return Object(text(o, "spec", "attacher")); }, 0, "string", "name"},
    {"PV", [](const Object& o, Now) { return Object(text(o, "spec", "source", "persistentVolumeName")); }},
    {"Node", [](const Object& o, Now) { return Object(text(o, "spec", "nodeName")); }},
    {"Attached", [](const Object& o, Now) { return Object(is_true(o, "status", "attached")); }, 0, "boolean"},
    age_column};

constexpr Column csi_node_columns[] = {
    name_column,
    {"Drivers", [](const Object& o, Now) { return Object(member(o, "spec", "drivers").size()); }, 0, "integer"},
    age_column};

Object token_requests(const Object& driver, Now) {
  const Object& requests = member(driver, "spec", "tokenRequests");
  if (!requests.is_array()) return "<unset>";
  std::string out;
  for (const Object& request : requests) out += (out.empty() ? "" : ",") + std::string(text(request, "audience"));
  return out;
}

Object lifecycle_modes(const Object& driver, Now) {
  std::string out;
  for (const Object& mode : member(driver, "spec", "volumeLifecycleModes")) {
    if (mode.is_string()) out += (out.empty() ? "" : ",") + mode.get<std::string>();
  }
  return text_cell(out, "<none>");
}

Object is_set(const Object& driver, const char* field) {
  return is_true(driver, "spec", field);
}

constexpr Column csi_driver_columns[] = {
    name_column,
    {"AttachRequired", [](const Object& o, Now) { return is_set(o, "attachRequired"); }, 0, "boolean"},
    {"PodInfoOnMount", [](const Object& o, Now) { return is_set(o, "podInfoOnMount"); }, 0, "boolean"},
    {"StorageCapacity", [](const Object& o, Now) { return is_set(o, "storageCapacity"); }, 0, "boolean"},
    {"TokenRequests", token_requests},
    {"RequiresRepublish", [](const Object& o, Now) { return is_set(o, "requiresRepublish"); }, 0, "boolean"},
    {"Modes", lifecycle_modes},
    age_column};

// The store does not tell an empty list from a missing one, and JSON must contain a required list.
void decode_csi_node(const WriteContext&, Object& node) {
  if (member(node, "spec").is_object() && member(node, "spec", "drivers").empty()) node["spec"]["drivers"] = nullptr;
}

constexpr Column attributes_class_columns[] = {
    name_column, {"DriverName", [](const Object& o, Now) { return Object(text(o, "driverName")); }}, age_column};

constexpr std::string_view storage_group = "storage.k8s.io";

}  // namespace

std::span<const Strategy> strategies::storage() {
  static constexpr std::array kinds = {
      Strategy{.group = storage_group, .resource = "storageclasses", .columns = TableColumns(storage_class_columns)},
      Strategy{.group = storage_group,
               .resource = "volumeattachments",
               .columns = TableColumns(attachment_columns),
               .checks = {.in_release = validation::wrong_attachment,
                          .change_in_release = validation::wrong_attachment_change,
                          .metadata_checks = 3}},
      Strategy{.group = storage_group,
               .resource = "csinodes",
               .columns = TableColumns(csi_node_columns),
               .decode = decode_csi_node,
               .checks = {.in_release = validation::wrong_csi_node,
                          .change_in_release = validation::wrong_csi_node_change,
                          .metadata_checks = 3}},
      Strategy{.group = storage_group,
               .resource = "csidrivers",
               .columns = TableColumns(csi_driver_columns),
               .checks = {.metadata_checks = 3}},
      Strategy{.group = storage_group,
               .resource = "volumeattributesclasses",
               .columns = TableColumns(attributes_class_columns)},
  };
  return kinds;
}

}  // namespace nodebound::apiserver
