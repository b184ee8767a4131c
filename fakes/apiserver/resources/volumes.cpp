#include <algorithm>
#include <array>
#include <string>

#include "fakes/apiserver/resources/pods/deprecated_volumes.h"
#include "fakes/apiserver/resources/registry.h"
#include "fakes/apiserver/write/update_strategy.h"
#include "fakes/apiserver/write/write_context.h"
#include "fakes/validation/kinds.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound::apiserver {
namespace {

using Column = TableColumns::Column;
using Now = const std::string&;

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
  return text_cell(text(quantities, "storage"), "0");
}

Object attributes_class_of(const Object& object, Now) {
  return text_cell(text(object, "spec", "volumeAttributesClassName"), "<unset>");
}

Object volume_mode_of(const Object& object, Now) {
  return text_cell(text(object, "spec", "volumeMode"), "<unset>");
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

// The plugin StorageObjectInUseProtection -----------------------------------------------------------------------------

void protect(Object& object, const char* finalizer) {
  Object& finalizers = object["metadata"]["finalizers"];
  if (!finalizers.is_array()) finalizers = Object::array();
  if (std::find(finalizers.begin(), finalizers.end(), Object(finalizer)) == finalizers.end()) {
    finalizers.push_back(finalizer);
  }
}

std::optional<HttpResponse> protect_volume(const WriteContext& write, Object& volume) {
  if (write.defaults.does(Behaviour::storage_protection)) protect(volume, "kubernetes.io/pv-protection");
  return std::nullopt;
}

std::optional<HttpResponse> protect_claim(const WriteContext& write, Object& claim) {
  if (write.defaults.does(Behaviour::storage_protection)) protect(claim, "kubernetes.io/pvc-protection");
  return std::nullopt;
}

// phases -------------------------------------------------------------------------------------------------------------

constexpr const char* since_when = "lastPhaseTransitionTime";

void prepare_volume(const WriteContext& write, Object& volume) {
  if (write.defaults.does(Behaviour::phase_transition_time)) volume["status"][since_when] = write.now;
}

// Records when a volume entered its phase.
Object prepared_volume_status(const WriteContext& write, const Object& before, Object submitted) {
  submitted = prepared_status(write, before, std::move(submitted));
  Object& status = submitted["status"];
  if (text(status, "phase").empty()) status["phase"] = "Pending";
  if (!write.defaults.does(Behaviour::phase_transition_time)) return submitted;
  const Object& was = member(before, "status", since_when);
  const Object& now = member(status, since_when);
  const bool same_phase = text(before, "status", "phase") == text(status, "phase");
  if (same_phase && now.is_null() && !was.is_null()) status[since_when] = was;
  if (!same_phase && (now.is_null() || now == was)) status[since_when] = write.now;
  return submitted;
}

std::vector<std::string> warnings_of_persistent_volume(const WriteContext& write, const Object&, const Object& volume) {
  if (!write.defaults.does(Behaviour::persistent_volumes_warned)) return {};
  return warnings_of_volume(*write.resource.release, member(volume, "spec"), "spec");
}

constexpr std::array volume_subresources = {
    SubresourceStrategy{.name = "status", .prepared = prepared_volume_status},
};

constexpr std::array late_claim_fields = {LateField{"resizeStatus", Behaviour::claim_resize_status},
                                          LateField{"allocatedResourceStatuses", Behaviour::claim_resize_statuses}};

}  // namespace

std::span<const Strategy> strategies::volumes() {
  static constexpr std::array kinds = {
      Strategy{.resource = "persistentvolumes",
               .columns = TableColumns(volume_columns),
               .subresources = volume_subresources,
               .admit = protect_volume,
               .checks = {.in_release = validation::wrong_volume,
                          .change_in_release = validation::wrong_volume_change,
                          .metadata_change = false},
               .warnings = warnings_of_persistent_volume,
               .prepare_for_create = prepare_volume},
      Strategy{.resource = "persistentvolumeclaims",
               .columns = TableColumns(claim_columns),
               .late_status_fields = late_claim_fields,
               .admit = protect_claim,
               .checks = {.object = validation::wrong_claim, .change = validation::wrong_claim_change}},
  };
  return kinds;
}

}  // namespace nodebound::apiserver
