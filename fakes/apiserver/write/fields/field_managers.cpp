#include "fakes/apiserver/write/fields/field_managers.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "reference/release/refusal_text.h"

namespace nodebound::apiserver {
namespace {

constexpr const char* apply_operation = "Apply";
constexpr const char* update_operation = "Update";

// With more managers that update, the oldest become one.
constexpr std::size_t most_updaters = 10;

std::optional<FieldManagers> read_managers(const Object& entries) {
  FieldManagers out;
  for (const Object& entry : entries) {
    const std::string operation(text(entry, "operation"));
    const std::string version(text(entry, "apiVersion"));
    const bool applies = operation == apply_operation;
    if ((!applies && operation != update_operation) || version.empty()) return std::nullopt;
    if (text(entry, "fieldsType") != "FieldsV1") return std::nullopt;
    const ManagerId id{std::string(text(entry, "manager")), operation, applies ? "" : version,
                       std::string(text(entry, "subresource"))};
    out[id] = {version, member(entry, "time"), read_fields_v1(member(entry, "fieldsV1"))};
  }
  return out;
}

Object entry_of(const ManagerId& id, const ManagedFields& own) {
  Object out = {{"manager", id.manager},
                {"operation", id.operation},
                {"apiVersion", own.api_version},
                {"fieldsType", "FieldsV1"},
                {"fieldsV1", fields_v1(own.fields)}};
  if (!own.time.is_null()) out["time"] = own.time;
  if (!id.subresource.empty()) out["subresource"] = id.subresource;
  return out;
}

bool entry_comes_before(const Object& a, const Object& b) {
  const auto key = [](const Object& entry) {
    return std::tuple(text(entry, "operation"), text(entry, "time"), text(entry, "manager"), text(entry, "apiVersion"),
                      text(entry, "subresource"));
  };
  return key(a) < key(b);
}

// An empty list, or one with an empty entry, asks to forget all managers.
bool resets_managers(const Object& entries) {
  if (!entries.is_array()) return false;
  return entries.empty() || (entries.size() == 1 && entries.front().empty());
}

// What the client has sent counts, unless it is nothing or cannot be read: clients may not know the field.
FieldManagers managers_before(const FieldWriter& writer, const Object& before, const Object& after) {
  if (!writer.subresource.empty()) return managers_of(before);
  const Object& sent = member(after, "metadata", "managedFields");
  if (resets_managers(sent)) return {};
  FieldManagers out = managers_of(after);
  return out.empty() ? managers_of(before) : out;
}

// Makes one manager per version of the oldest that update (capmanagers.go).
void join_oldest(FieldManagers& managers) {
  std::vector<ManagerId> updaters;
  for (const auto& [id, own] : managers) {
    if (id.operation == update_operation) updaters.push_back(id);
  }
  std::stable_sort(updaters.begin(), updaters.end(), [&](const ManagerId& a, const ManagerId& b) {
    return std::tuple(managers[a].time, a) < std::tuple(managers[b].time, b);
  });
  std::map<std::string, ManagerId> first_of_version;
  std::size_t count = updaters.size();
  for (const ManagerId& id : updaters) {
    if (count <= most_updaters) return;
    const auto [first, is_first] = first_of_version.try_emplace(id.api_version, id);
    if (is_first) continue;
    const ManagerId joined{"ancient-changes", update_operation, id.api_version, ""};
    if (!managers.contains(joined)) {
      managers[joined] = managers[first->second];
      managers.erase(first->second);
    }
    ManagedFields& all = managers[joined];
    all.fields.insert(managers[id].fields.begin(), managers[id].fields.end());
    all.time = managers[id].time;
    managers.erase(id);
    --count;
  }
}

void take_from(FieldManagers& managers, const FieldChanges& change) {
  for (FieldManagers::value_type& each : managers) {
    remove_exactly(each.second.fields, change.written());
    remove_exactly(each.second.fields, change.removed);
  }
}

void give(FieldManagers& managers, const ManagerId& id, const FieldWriter& writer, FieldSet fields) {
  strip_unowned(fields);
  if (fields.empty()) return;
  ManagedFields& own = managers[id];
  own.api_version = writer.api_version;
  own.time = writer.time;
  own.fields.merge(fields);
}

}  // namespace

std::string ManagerId::text() const {
  std::string out = go_quoted(manager);
  if (!subresource.empty()) out += " with subresource " + go_quoted(subresource);
  return operation == update_operation ? out + " using " + api_version : out;
}

FieldManagers managers_of(const Object& object) {
  return read_managers(member(object, "metadata", "managedFields")).value_or(FieldManagers());
}

void set_managers(Object& object, const FieldManagers& managers) {
  std::vector<Object> entries;
  for (const auto& [id, own] : managers) {
    if (!own.fields.empty()) entries.push_back(entry_of(id, own));
  }
  std::sort(entries.begin(), entries.end(), entry_comes_before);
  if (member(object, "metadata").is_object()) object["metadata"].erase("managedFields");
  if (!entries.empty()) object["metadata"]["managedFields"] = entries;
}

bool same_but_for_times(const Object& some, const Object& other) {
  if (!member(other, "metadata", "managedFields").is_array()) return some == other;
  const auto without_times = [](Object object) {
    if (!member(object, "metadata", "managedFields").is_array()) return object;
    for (Object& entry : object["metadata"]["managedFields"]) entry.erase("time");
    return object;
  };
  return some == other || without_times(some) == without_times(other);
}

FieldChanges change_by(const FieldWriter& writer, Object before, Object after) {
  for (Object* object : {&before, &after}) {
    if (member(*object, "metadata").is_object()) (*object)["metadata"].erase("managedFields");
    writer.type.complete(*object);
  }
  FieldChanges out = compared(writer.type, before, after);
  for (FieldSet* fields : {&out.removed, &out.modified, &out.added}) remove_below(*fields, writer.reset);
  return out;
}

void strip_unowned(FieldSet& fields) {
  static const FieldSet unowned = {{"f:apiVersion"},
                                   {"f:kind"},
                                   {"f:metadata"},
                                   {"f:metadata", "f:name"},
                                   {"f:metadata", "f:namespace"},
                                   {"f:metadata", "f:creationTimestamp"},
                                   {"f:metadata", "f:selfLink"},
                                   {"f:metadata", "f:uid"},
                                   {"f:metadata", "f:clusterName"},
                                   {"f:metadata", "f:generation"},
                                   {"f:metadata", "f:managedFields"},
                                   {"f:metadata", "f:resourceVersion"}};
  remove_exactly(fields, unowned);
}

void record_update(const FieldWriter& writer, Tracked tracked, const Object& before, Object& after) {
  FieldManagers managers = managers_before(writer, before, after);
  const bool is_new = nodebound::text(before, "metadata", "uid").empty();
  if (managers.empty() && (tracked == Tracked::appliers || !is_new)) return set_managers(after, {});
  const FieldChanges change = change_by(writer, before, after);
  take_from(managers, change);
  if (tracked == Tracked::all) {
    const std::string& name = writer.manager.empty() ? "unknown" : writer.manager;
    give(managers, {name, update_operation, writer.api_version, writer.subresource}, writer, change.written());
    join_oldest(managers);
  }
  set_managers(after, managers);
}

void record_before_first_apply(const FieldWriter& writer, const Object& live, FieldManagers& managers) {
  const ManagerId id{"before-first-apply", update_operation, writer.api_version, writer.subresource};
  give(managers, id, writer, change_by(writer, Object::object(), live).written());
}

}  // namespace nodebound::apiserver
