#include "fakes/apiserver/write/fields/applied.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "fakes/apiserver/status.h"
#include "fakes/store/change.h"

namespace nodebound::apiserver {
namespace {

bool has_below(const FieldSet& fields, const FieldPath& path) {
  const auto next = fields.lower_bound(path);
  return next != fields.end() && next->size() >= path.size() && std::equal(path.begin(), path.end(), next->begin());
}

/// Removes the values at some paths, and the fields above them in which no owned field remains.
class Removal {
 public:
  Removal(const FieldSet& gone, const FieldSet& nobodys) : gone_(gone), nobodys_(nobodys) {}

  void of_fields(const ValueType& type, Object& object) {
    for (auto field = object.begin(); field != object.end();) {
      path_.push_back("f:" + field.key());
      const bool goes = has_below(gone_, path_) && leaves_nothing(type.member(field.key()), *field);
      path_.pop_back();
      field = goes ? object.erase(field) : std::next(field);
    }
  }

 private:
  // A map or list that was applied empty may since have got entries of other owners.
  bool leaves_nothing(const ValueType& type, Object& value) {
    if (value.empty()) return true;
    const Merging::By by = type.merging(&value);
    const bool by_parts = by == Merging::By::parts && value.is_object();
    if (by == Merging::By::whole || (!by_parts && !value.is_array())) return gone_.contains(path_);
    if (!by_parts) {
      of_items(type, value);
      return value.empty();
    }
    of_fields(type, value);
    return std::all_of(value.items().begin(), value.items().end(), [&](const auto& left) {
      FieldPath path = path_;
      path.push_back("f:" + left.key());
      return nobodys_.contains(path);
    });
  }

  void of_items(const ValueType& type, Object& items) {
    Object kept = Object::array();
    for (Object& item : items) {
      path_.push_back(element_of(item, type.keys()));
      const bool stays = !gone_.contains(path_);
      if (stays && item.is_object() && has_below(gone_, path_)) of_fields(type.item(), item);
      path_.pop_back();
      if (stays) kept.push_back(std::move(item));
    }
    items = std::move(kept);
  }

  const FieldSet& gone_;
  const FieldSet& nobodys_;
  FieldPath path_;
};

void merge_value(const ValueType& type, Object& live, const Object& configuration);

std::vector<std::string> elements_of(const Object& items, const std::vector<ListKey>& keys) {
  std::vector<std::string> out;
  for (const Object& item : items) out.push_back(element_of(item, keys));
  return out;
}

/// The first index of each element.
std::unordered_map<std::string_view, std::size_t> places_of(const std::vector<std::string>& elements) {
  std::unordered_map<std::string_view, std::size_t> out;
  for (std::size_t i = 0; i < elements.size(); ++i) out.try_emplace(elements[i], i);
  return out;
}

// For each item of a configuration, the first item from there on that the live list has, too.
std::vector<std::string_view> next_shared(const std::vector<std::string>& wanted,
                                          const std::unordered_map<std::string_view, std::size_t>& places) {
  std::vector<std::string_view> out(wanted.size() + 1);
  for (std::size_t i = wanted.size(); i-- > 0;) out[i] = places.contains(wanted[i]) ? wanted[i] : out[i + 1];
  return out;
}

// Items that are not applied stay before the items that followed them; applied items come in the order of the
// configuration (typed/merge.go of structured-merge-diff). An apply may change nothing but the order, and admission
// sees that.
void merge_items(const ValueType& type, Object& live, const Object& configuration) {
  if (!live.is_array()) live = Object::array();
  const std::vector<std::string> had = elements_of(live, type.keys());
  const std::vector<std::string> wanted = elements_of(configuration, type.keys());
  const auto places = places_of(had);
  const auto applied_places = places_of(wanted);
  const std::vector<std::string_view> next = next_shared(wanted, places);
  Object out = Object::array();
  for (std::size_t old = 0, own = 0; old < had.size() || own < wanted.size();) {
    if (old < had.size() && !applied_places.contains(had[old])) {
      out.push_back(std::move(live[old++]));
    } else if (old < had.size() && had[old] != next[own]) {
      ++old;
    } else {
      const auto place = places.find(wanted[own]);
      out.push_back(place == places.end() ? Object() : std::move(live[place->second]));
      merge_value(type.item(), out.back(), configuration[own]);
      if (old < had.size() && had[old] == wanted[own]) ++old;
      ++own;
    }
  }
  live = std::move(out);
}

void merge_members(const ValueType& type, Object& live, const Object& configuration) {
  if (!live.is_object()) live = Object::object();
  for (const auto& [name, value] : configuration.items()) merge_value(type.member(name), live[name], value);
}

void merge_value(const ValueType& type, Object& live, const Object& configuration) {
  const Merging::By by = type.merging(&configuration);
  if (by == Merging::By::parts && configuration.is_object()) {
    merge_members(type, live, configuration);
  } else if ((by == Merging::By::keys || by == Merging::By::values) && configuration.is_array()) {
    merge_items(type, live, configuration);
  } else if (!configuration.is_null() || !live.is_object()) {
    live = configuration;
  }
}

constexpr const char* last_applied = "kubectl.kubernetes.io/last-applied-configuration";

// The fields that kubectl has applied without the server's help, and that nobody has changed since
// (lastappliedmanager.go).
FieldSet applied_by_client(const FieldWriter& writer, const Object& live) {
  const std::string_view annotation = text(member(live, "metadata", "annotations"), last_applied);
  const Object configuration = Object::parse(annotation, nullptr, false);
  if (!configuration.is_object() || text(configuration, "apiVersion") != writer.api_version) return {};
  FieldSet out = fields_of(writer.type, configuration);
  const FieldChanges since = compared(writer.type, configuration, live);
  for (const FieldSet* changed : {&since.modified, &since.added, &since.removed}) remove_exactly(out, *changed);
  return out;
}

// kubectl's annotation is kept up to date where it is there (lastappliedupdater.go).
void tell_client(const Object& configuration, Object& object) {
  if (text(member(object, "metadata", "annotations"), last_applied).empty()) return;
  Object told = configuration;
  if (member(told, "metadata", "annotations").is_object()) told["metadata"]["annotations"].erase(last_applied);
  object["metadata"]["annotations"][last_applied] = json_text(told) + "\n";
}

constexpr const char* kubectl = "kubectl";

void take_over(const FieldWriter& writer, const Applier& applier, const ManagerId& self, const Object& live,
               FieldManagers& managers, Applied& out) {
  const FieldChanges change = change_by(writer, live, out.object);
  const FieldSet written = change.written();
  FieldSet allowed;
  if (writer.manager == kubectl) allowed = applied_by_client(writer, live);
  for (auto& [id, own] : managers) {
    if (id == self) continue;
    for (const FieldPath& path : written) {
      const bool theirs = own.fields.contains(path) && !allowed.contains(path);
      if (theirs && !applier.force) out.conflicts.push_back({id.text(), path_text(path)});
    }
    remove_exactly(own.fields, written);
    remove_exactly(own.fields, change.removed);
  }
}

}  // namespace

Applied applied(const Object& live, const Object& configuration, const Applier& applier) {
  Applied out;
  const FieldWriter& writer = applier.writer;
  FieldManagers managers = managers_of(live);
  const bool exists = !text(live, "metadata", "uid").empty();
  if (managers.empty() && exists && applier.tracked == Tracked::all) record_before_first_apply(writer, live, managers);
  const ManagerId self{writer.manager, "Apply", "", writer.subresource};
  FieldSet wanted = fields_of(writer.type, configuration);
  remove_below(wanted, writer.reset);
  FieldSet of_others;
  for (const auto& [id, own] : managers) {
    if (id != self) of_others.insert(own.fields.begin(), own.fields.end());
  }
  out.object = live;
  merge_members(writer.type, out.object, configuration);
  FieldSet gone;
  for (const FieldPath& path : managers[self].fields) {
    if (!wanted.contains(path) && !of_others.contains(path)) gone.insert(path);
  }
  Removal(gone, applier.nobodys).of_fields(writer.type, out.object);
  take_over(writer, applier, self, live, managers, out);
  if (!out.conflicts.empty()) return out;
  strip_unowned(wanted);
  ManagedFields& own = managers[self];
  if (out.object != live) own.time = writer.time;
  own.api_version = writer.api_version;
  own.fields = std::move(wanted);
  if (writer.manager == kubectl) tell_client(configuration, out.object);
  set_managers(out.object, managers);
  return out;
}

HttpResponse apply_conflict(const std::vector<ApplyConflict>& conflicts) {
  Object causes = Object::array();
  std::map<std::string, std::string> fields;
  for (const ApplyConflict& conflict : conflicts) {
    const std::string with = "conflict with " + conflict.manager;
    causes.push_back({{"reason", "FieldManagerConflict"}, {"message", with}, {"field", conflict.field}});
    fields[conflict.manager] += "\n- " + conflict.field;
  }
  std::string message = "Apply failed with ";
  if (conflicts.size() == 1) {
    message += "1 conflict: conflict with " + conflicts[0].manager + ": " + conflicts[0].field;
  } else {
    message += std::to_string(conflicts.size()) + " conflicts: ";
    std::string managers;
    for (const auto& [manager, own] : fields) {
      managers.append(managers.empty() ? "conflicts with " : "\nconflicts with ")
          .append(manager)
          .append(":")
          .append(own);
    }
    message += managers;
  }
  return failure(409, "Conflict", message, {{"causes", std::move(causes)}});
}

}  // namespace nodebound::apiserver
