#include "fakes/apiserver/read/other_tables.h"

#include <array>
#include <cstdint>
#include <string>

namespace nodebound {
namespace {

using Column = TableColumns::Column;
using Now = const std::string&;

Object age_of(const Object& object, Now now) {
  return age_between(text(object, "metadata", "creationTimestamp"), now);
}

Object own_text(std::string_view value, const char* otherwise = "") {
  return value.empty() ? Object(otherwise) : Object(value);
}

constexpr Column name_column = {"Name", [](const Object& o, Now) { return member(o, "metadata", "name"); }, 0, "string",
                                "name"};
constexpr Column age_column = {"Age", age_of};

// events -------------------------------------------------------------------------------------------------------------

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

Object event_object(const Object& event, Now) {
  const Object& involved = member(event, "involvedObject");
  const Object& object = involved.is_object() ? involved : member(event, "regarding");
  return lower(text(object, "kind")) + "/" + std::string(text(object, "name"));
}

Object event_source(const Object& event, Now) {
  const std::string component(text(event, "source", "component"));
  if (component.empty()) return std::string(text(event, "reportingComponent"));
  const std::string_view host = text(event, "source", "host");
  return host.empty() ? component : component + ", " + std::string(host);
}

Object event_age(const Object& event, const char* field, Now now) {
  std::string_view time = text(event, field);
  if (time.empty()) time = text(event, "eventTime");
  return age_between(time, now);
}

Object event_count(const Object& event, Now) {
  const Object& count = member(event, "count");
  return count.is_number() ? count : Object(1);
}

constexpr Column event_columns[] = {
    {"Last Seen", [](const Object& o, Now now) { return event_age(o, "lastTimestamp", now); }},
    {"Type", [](const Object& o, Now) { return Object(text(o, "type")); }},
    {"Reason", [](const Object& o, Now) { return Object(text(o, "reason")); }},
    {"Object", event_object},
    {"Subobject", [](const Object& o, Now) { return Object(text(o, "involvedObject", "fieldPath")); }, 1},
    {"Source", event_source, 1},
    {"Message", [](const Object& o, Now) { return Object(text(o, "message")); }},
    {"First Seen", [](const Object& o, Now now) { return event_age(o, "firstTimestamp", now); }, 1},
    {"Count", event_count, 1},
    {"Name", [](const Object& o, Now) { return member(o, "metadata", "name"); }, 1, "string", "name"}};

// RBAC ---------------------------------------------------------------------------------------------------------------

Object role_of(const Object& binding, Now) {
  return std::string(text(binding, "roleRef", "kind")) + "/" + std::string(text(binding, "roleRef", "name"));
}

Object subjects_of(const Object& binding, std::string_view kind) {
  std::string out;
  for (const Object& subject : member(binding, "subjects")) {
    if (text(subject, "kind") != kind) continue;
    const std::string_view in = text(subject, "namespace");
    if (!out.empty()) out += ", ";
    if (kind == "ServiceAccount" && !in.empty()) out += std::string(in) + "/";
    out += text(subject, "name");
  }
  return out;
}

constexpr Column binding_columns[] = {
    name_column,
    {"Role", role_of},
    age_column,
    {"Users", [](const Object& o, Now) { return subjects_of(o, "User"); }, 1},
    {"Groups", [](const Object& o, Now) { return subjects_of(o, "Group"); }, 1},
    {"ServiceAccounts", [](const Object& o, Now) { return subjects_of(o, "ServiceAccount"); }, 1}};

// volumes ------------------------------------------------------------------------------------------------------------

Object modes_of(const Object& list) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> known = {
      {{"ReadWriteOnce", "RWO"}, {"ReadOnlyMany", "ROX"}, {"ReadWriteMany", "RWX"}, {"ReadWriteOncePod", "RWOP"}}};
  std::string out;
  for (const auto& [mode, abbreviation] : known) {
    for (const Object& own : list) {
      if (own != mode) continue;
      out += (out.empty() ? "" : ",") + std::string(abbreviation);
      break;
    }
  }
  return out;
}

Object phase_of(const Object& object, Now) {
  return text(object, "metadata", "deletionTimestamp").empty() ? Object(text(object, "status", "phase"))
                                                               : Object("Terminating");
}

Object claim_of(const Object& volume, Now) {
  const Object& claim = member(volume, "spec", "claimRef");
  if (!claim.is_object()) return "";
  return std::string(text(claim, "namespace")) + "/" + std::string(text(claim, "name"));
}

Object storage_of(const Object& quantities) {
  return own_text(text(quantities, "storage"), "0");
}

Object attributes_class_of(const Object& object, Now) {
  return own_text(text(object, "spec", "volumeAttributesClassName"), "<unset>");
}

Object volume_mode_of(const Object& object, Now) {
  return own_text(text(object, "spec", "volumeMode"), "<unset>");
}

Object storage_class_of(const Object& object, Now) {
  return Object(text(object, "spec", "storageClassName"));
}

constexpr Column volume_columns[] = {
    name_column,
    {"Capacity", [](const Object& o, Now) { return storage_of(member(o, "spec", "capacity")); }},
    {"Access Modes", [](const Object& o, Now) { return modes_of(member(o, "spec", "accessModes")); }},
    {"Reclaim Policy", [](const Object& o, Now) { return Object(text(o, "spec", "persistentVolumeReclaimPolicy")); }},
    {"Status", phase_of},
    {"Claim", claim_of},
    {"StorageClass", storage_class_of},
    {"VolumeAttributesClass", attributes_class_of, 0, "string", "", Behaviour::column_attributes_class},
    {"Reason", [](const Object& o, Now) { return Object(text(o, "status", "reason")); }},
    age_column,
    {"VolumeMode", volume_mode_of, 1}};

bool is_bound(const Object& claim) {
  return !text(claim, "spec", "volumeName").empty();
}

constexpr Column claim_columns[] = {
    name_column,
    {"Status", phase_of},
    {"Volume", [](const Object& o, Now) { return Object(text(o, "spec", "volumeName")); }},
    {"Capacity", [](const Object& o, Now) { return is_bound(o) ? storage_of(member(o, "status", "capacity")) : ""; }},
    {"Access Modes",
     [](const Object& o, Now) { return is_bound(o) ? modes_of(member(o, "status", "accessModes")) : ""; }},
    {"StorageClass", storage_class_of},
    {"VolumeAttributesClass", attributes_class_of, 0, "string", "", Behaviour::column_attributes_class},
    age_column,
    {"VolumeMode", volume_mode_of, 1}};

constexpr Column storage_class_columns[] = {
    name_column,
    {"Provisioner", [](const Object& o, Now) { return Object(text(o, "provisioner")); }},
    {"ReclaimPolicy", [](const Object& o, Now) { return own_text(text(o, "reclaimPolicy"), "Delete"); }},
    {"VolumeBindingMode", [](const Object& o, Now) { return own_text(text(o, "volumeBindingMode"), "Immediate"); }},
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
  return own_text(out, "<none>");
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

// others -------------------------------------------------------------------------------------------------------------

constexpr Column priority_class_columns[] = {
    name_column,
    {"Value", [](const Object& o, Now) { return member(o, "value"); }, 0, "integer"},
    {"Global-Default", [](const Object& o, Now) { return Object(is_true(o, "globalDefault")); }, 0, "boolean"},
    age_column,
    {"PreemptionPolicy", [](const Object& o, Now) { return Object(text(o, "preemptionPolicy")); }, 0, "string", "",
     Behaviour::column_preemption_policy}};

constexpr Column service_account_columns[] = {
    name_column,
    {"Secrets", [](const Object& o, Now) { return Object(member(o, "secrets").size()); }, 0, "string", "",
     Behaviour::column_secrets},
    age_column};

constexpr Column runtime_class_columns[] = {
    name_column, {"Handler", [](const Object& o, Now) { return Object(text(o, "handler")); }}, age_column};

Object requested_duration(const Object& request, Now) {
  const Object& seconds = member(request, "spec", "expirationSeconds");
  if (!seconds.is_number_integer()) return "<none>";
  return elapsed(seconds.get<std::int64_t>());
}

// The request's conditions, in the order approved or denied, failed, issued.
Object request_condition(const Object& request, Now) {
  std::string out;
  for (const char* type : {"Approved", "Denied", "Failed"}) {
    for (const Object& condition : member(request, "status", "conditions")) {
      if (text(condition, "type") == type) out += (out.empty() ? "" : ",") + std::string(type);
    }
  }
  if (out.empty()) out = "Pending";
  if (!text(request, "status", "certificate").empty()) out += ",Issued";
  return out;
}

constexpr Column signing_request_columns[] = {
    name_column,
    age_column,
    {"SignerName", [](const Object& o, Now) { return own_text(text(o, "spec", "signerName"), "<none>"); }},
    {"Requestor", [](const Object& o, Now) { return Object(text(o, "spec", "username")); }},
    {"RequestedDuration", requested_duration},
    {"Condition", request_condition}};

struct KnownTable {
  std::string_view group;
  std::string_view resource;
  TableColumns columns;
};

constexpr KnownTable known_tables[] = {
    {"", "events", TableColumns(event_columns)},
    {"events.k8s.io", "events", TableColumns(event_columns)},
    {"rbac.authorization.k8s.io", "rolebindings", TableColumns(binding_columns)},
    {"rbac.authorization.k8s.io", "clusterrolebindings", TableColumns(binding_columns)},
    {"", "serviceaccounts", TableColumns(service_account_columns)},
    {"", "persistentvolumes", TableColumns(volume_columns)},
    {"", "persistentvolumeclaims", TableColumns(claim_columns)},
    {"storage.k8s.io", "storageclasses", TableColumns(storage_class_columns)},
    {"storage.k8s.io", "volumeattachments", TableColumns(attachment_columns)},
    {"storage.k8s.io", "csinodes", TableColumns(csi_node_columns)},
    {"storage.k8s.io", "csidrivers", TableColumns(csi_driver_columns)},
    {"scheduling.k8s.io", "priorityclasses", TableColumns(priority_class_columns)},
    {"node.k8s.io", "runtimeclasses", TableColumns(runtime_class_columns)},
    {"certificates.k8s.io", "certificatesigningrequests", TableColumns(signing_request_columns)}};

}  // namespace

std::optional<TableColumns> other_columns_of(const ApiResource& resource) {
  for (const KnownTable& table : known_tables) {
    if (table.group == resource.group && table.resource == resource.resource) return table.columns;
  }
  return std::nullopt;
}

}  // namespace nodebound
