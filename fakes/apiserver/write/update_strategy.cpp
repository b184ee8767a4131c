#include "fakes/apiserver/write/update_strategy.h"

#include "fakes/apiserver/resources/strategy.h"

namespace nodebound::apiserver {
namespace {

Object prepared(const WriteContext& write, const SubresourceStrategy* through, const Object& before, Object submitted) {
  if (through != nullptr && through->prepared != nullptr) return through->prepared(write, before, std::move(submitted));
  if (write.resource.subresource("status") != nullptr) keep_field(submitted, before, "status");
  const auto keep_of_kind = through == nullptr ? write.strategy.prepare_for_update : nullptr;
  if (keep_of_kind != nullptr) keep_of_kind(write, before, submitted);
  return submitted;
}

}  // namespace

void keep_field(Object& submitted, const Object& before, const char* field) {
  submitted.erase(field);
  if (before.contains(field)) submitted[field] = before[field];
}

void keep_metadata(Object& submitted, const Object& before, std::initializer_list<const char*> fields) {
  const Object& metadata = member(before, "metadata");
  for (const char* field : fields) keep_field(submitted["metadata"], metadata, field);
}

Object prepared_status(const WriteContext& write, const Object& before, Object submitted) {
  keep_field(submitted, before, "spec");
  const ApiSubresource* status = write.resource.subresource("status");
  if (status != nullptr && status->keeps_metadata) {
    keep_metadata(submitted, before, {"labels", "annotations", "finalizers", "ownerReferences", "generation"});
  }
  return submitted;
}

Object prepared_for_update(const WriteContext& write, const SubresourceStrategy* through, const Object& before,
                           Object submitted) {
  submitted = prepared(write, through, before, std::move(submitted));
  keep_metadata(submitted, before, {"creationTimestamp", "name", "namespace", "resourceVersion", "generation"});
  // What else a client names here must be as it is: validation refuses another (apiserver's registry/rest/update.go).
  const Object& old = member(before, "metadata");
  if (text(submitted, "metadata", "uid").empty() || !submitted["metadata"]["uid"].is_string())
    keep_metadata(submitted, before, {"uid"});
  if (old.contains("deletionTimestamp")) keep_metadata(submitted, before, {"deletionTimestamp"});
  if (member(submitted, "metadata", "deletionGracePeriodSeconds").is_null())
    keep_metadata(submitted, before, {"deletionGracePeriodSeconds"});
  return submitted;
}

}  // namespace nodebound::apiserver
