#include "fakes/apiserver/write/computed_fields.h"

#include <set>

#include "fakes/apiserver/resources/strategy.h"
#include "fakes/wire/value_type.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound::apiserver {
namespace {

void drop_unknown_fields(const WriteContext& write, Object& object) {
  if (!member(object, "status").is_object()) return;
  for (const std::string& name : unknown_status_fields(write)) object["status"].erase(name);
}

// Removes owner references that occur twice (dedupOwnerReferences in apiserver's endpoints/handlers/rest.go).
void say_owners_once(Object& object) {
  if (!member(object, "metadata", "ownerReferences").is_array()) return;
  Object once = Object::array();
  std::set<Object> seen;
  for (const Object& owner : object["metadata"]["ownerReferences"]) {
    if (seen.insert(owner).second) once.push_back(owner);
  }
  object["metadata"]["ownerReferences"] = std::move(once);
}

Object without_metadata(Object object, bool without_status) {
  object.erase("metadata");
  if (without_status) object.erase("status");
  return object;
}

bool makes_new_generation(const WriteContext& write, const Object& before, const Object& after) {
  if (write.strategy.new_generation != nullptr) return write.strategy.new_generation(before, after);
  if (!write.resource.definition) return member(before, "spec") != member(after, "spec");
  const bool own_status = write.resource.subresource("status") != nullptr;
  return without_metadata(before, own_status) != without_metadata(after, own_status);
}

void complete(const WriteContext& write, Object& object) {
  ValueType::of_kind(kind_of(write.resource), write.resource.release).complete(object);
}

}  // namespace

std::vector<std::string> unknown_status_fields(const WriteContext& write) {
  std::vector<std::string> out;
  for (const LateField& field : write.strategy.late_status_fields) {
    if (!write.defaults.does(field.known_by)) out.emplace_back(field.name);
  }
  return out;
}

void decode(const WriteContext& write, Object& object) {
  write.defaults.apply(write.resource.group, write.resource.resource, Defaults::By::decoder, object);
  if (write.defaults.does(Behaviour::owners_said_once)) say_owners_once(object);
  drop_unknown_fields(write, object);
  if (write.strategy.decode != nullptr) write.strategy.decode(write, object);
  complete(write, object);
}

void prepare_for_create(const WriteContext& write, Object& object) {
  // From here on the status is the server's; the submitted one is gone.
  for (const Defaults::By by : {Defaults::By::strategy, Defaults::By::decoder}) {
    write.defaults.apply(write.resource.group, write.resource.resource, by, object);
  }
  if (write.strategy.prepare_for_create != nullptr) write.strategy.prepare_for_create(write, object);
  complete(write, object);
}

void count_generation(const WriteContext& write, const Object& before, Object& after) {
  const Object& was = member(before, "metadata", "generation");
  if (!was.is_number_integer()) return;
  const bool changed = makes_new_generation(write, before, after);
  after["metadata"]["generation"] = was.get<std::int64_t>() + (changed ? 1 : 0);
}

}  // namespace nodebound::apiserver
