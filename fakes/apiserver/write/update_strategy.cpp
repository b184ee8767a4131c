#include "fakes/apiserver/write/update_strategy.h"

#include <initializer_list>

namespace nodebound {
namespace {

/// Replaces a submitted field by its old value, or removes it if there was none.
void keep(Object& submitted, const Object& before, const char* field) {
  submitted.erase(field);
  if (before.contains(field)) submitted[field] = before[field];
}

void keep_metadata(Object& submitted, const Object& before, std::initializer_list<const char*> fields) {
  const Object& metadata = member(before, "metadata");
  for (const char* field : fields) keep(submitted["metadata"], metadata, field);
}

// A resize changes only the resources of containers. Validation refuses other changes to the list of containers.
Object resized(const Object& before, const Object& submitted) {
  Object out = before;
  keep_metadata(out, submitted, {"managedFields"});
  for (const char* list : {"containers", "initContainers"}) {
    const Object& asked = member(submitted, "spec", list);
    const Object& own = member(before, "spec", list);
    if (asked.size() != own.size()) return submitted;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (text(asked[i], "name") != text(own[i], "name")) return submitted;
      for (const char* field : {"resources", "resizePolicy"}) keep(out["spec"][list][i], asked[i], field);
    }
  }
  return out;
}

// Restores the fields that the strategy of the main resource does not let an update change.
void keep_of_main(const WriteContext& write, const std::string& subresource, const Object& before, Object& submitted) {
  const ApiResource& resource = write.resource;
  if (resource.subresource("status") != nullptr) keep(submitted, before, "status");
  if (!resource.group.empty()) return;
  if (resource.resource == "namespaces" && subresource.empty()) {
    keep(submitted["spec"], member(before, "spec"), "finalizers");
  }
  const bool configured = !member(before, "spec", "configSource").is_null();
  if (resource.resource == "nodes" && !write.defaults.does(Behaviour::config_source) && !configured) {
    submitted["spec"].erase("configSource");
  }
}

// Records when a volume entered its phase.
void date_phase(const WriteContext& write, const Object& before, Object& volume) {
  constexpr const char* since = "lastPhaseTransitionTime";
  if (text(volume, "status", "phase").empty()) volume["status"]["phase"] = "Pending";
  if (!write.defaults.does(Behaviour::phase_transition_time)) return;
  const Object& was = member(before, "status", since);
  const Object& now = member(volume, "status", since);
  const bool same_phase = text(before, "status", "phase") == text(volume, "status", "phase");
  if (same_phase && now.is_null() && !was.is_null()) volume["status"][since] = was;
  if (!same_phase && (now.is_null() || now == was)) volume["status"][since] = write.now;
}

void keep_of_status(const WriteContext& write, const ApiSubresource* status, const Object& before, Object& submitted) {
  keep(submitted, before, "spec");
  if (status != nullptr && status->keeps_metadata) {
    keep_metadata(submitted, before, {"labels", "annotations", "finalizers", "ownerReferences", "generation"});
  }
  if (!write.resource.group.empty()) return;
  if (write.resource.resource == "persistentvolumes") date_phase(write, before, submitted);
  if (write.resource.resource != "pods") return;
  // Old kubelets corrupt the owner references of pods and drop their QoS class.
  keep_metadata(submitted, before, {"ownerReferences"});
  if (!write.defaults.does(Behaviour::quality_kept)) return;
  const Object& quality = member(before, "status", "qosClass");
  if (text(submitted, "status", "qosClass").empty() && quality.is_string()) submitted["status"]["qosClass"] = quality;
}

// An approval decides whether a certificate may be issued; it does not issue one.
void keep_of_approval(const Object& before, Object& submitted) {
  const Object said = member(submitted, "status");
  for (const char* field : {"spec", "status"}) keep(submitted, before, field);
  keep(submitted["status"], said, "conditions");
}

}  // namespace

Object prepared_for_update(const WriteContext& write, const std::string& subresource, const Object& before,
                           Object submitted) {
  if (subresource == "ephemeralcontainers") {
    Object out = before;
    keep_metadata(out, submitted, {"managedFields"});
    keep(out["spec"], member(submitted, "spec"), "ephemeralContainers");
    submitted = std::move(out);
  } else if (subresource == "resize") {
    submitted = resized(before, submitted);
  } else if (subresource == "approval") {
    keep_of_approval(before, submitted);
  } else if (subresource == "status") {
    keep_of_status(write, write.resource.subresource(subresource), before, submitted);
  } else {
    keep_of_main(write, subresource, before, submitted);
  }
  keep_metadata(submitted, before,
                {"uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "name", "namespace",
                 "resourceVersion"});
  return submitted;
}

}  // namespace nodebound
