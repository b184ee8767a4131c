#include "fakes/apiserver/write/applied.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "fakes/apiserver/status.h"
#include "reference/authorizer/attributes.h"

namespace nodebound {
namespace {

bool has_below(const FieldSet& fields, const FieldPath& path) {
  const auto next = fields.lower_bound(path);
  return next != fields.end() && next->size() >= path.size() && std::equal(path.begin(), path.end(), next->begin());
}

/// Removes the values at some paths, and the fields above them in which no owned field remains.
class Removal {
 public:
  Removal(const FieldSet& gone, const FieldSet& nobodys) : gone_(gone), nobodys_(nobodys) {}

  void of_fields(Object& object) {
    for (auto field = object.begin(); field != object.end();) {
      path_.push_back("f:" + field.key());
      const bool goes = has_below(gone_, path_) && leaves_nothing(field.key(), *field);
      path_.pop_back();
      field = goes ? object.erase(field) : std::next(field);
    }
  }

 private:
  // A map or list that was applied empty may since have got entries of other owners.
  bool leaves_nothing(const std::string& name, Object& value) {
    const auto keys = item_keys(name, value);
    if (value.empty()) return true;
    if (!keys && !value.is_object()) return gone_.contains(path_);
    if (keys) {
      of_items(value, *keys);
      return value.empty();
    }
    of_fields(value);
    return std::all_of(value.items().begin(), value.items().end(), [&](const auto& left) {
      FieldPath path = path_;
      path.push_back("f:" + left.key());
      return nobodys_.contains(path);
    });
  }

  void of_items(Object& items, const std::vector<ListKey>& keys) {
    Object kept = Object::array();
    for (Object& item : items) {
      path_.push_back(element_of(item, keys));
      const bool stays = !gone_.contains(path_);
      if (stays && item.is_object() && has_below(gone_, path_)) of_fields(item);
      path_.pop_back();
      if (stays) kept.push_back(std::move(item));
    }
    items = std::move(kept);
  }

  const FieldSet& gone_;
  const FieldSet& nobodys_;
  FieldPath path_;
};

/// Who applies, and through which subresource: each subresource has owners of its own.
using Owner = std::pair<std::string, std::string>;

/// Who has applied what.
using Owners = std::map<Owner, Object>;

std::string owner_text(const Owner& owner) {
  return go_quoted(owner.first) + (owner.second.empty() ? "" : " with subresource " + go_quoted(owner.second));
}

Owners owners_of(const Object& object) {
  Owners out;
  for (const Object& entry : member(object, "metadata", "managedFields")) {
    if (text(entry, "operation") != "Apply") continue;
    out[{std::string(text(entry, "manager")), std::string(text(entry, "subresource"))}] = entry;
  }
  return out;
}

void set_owners(Object& object, const Owners& owners) {
  Object entries = Object::array();
  for (const auto& [owner, entry] : owners) {
    if (!member(entry, "fieldsV1").empty()) entries.push_back(entry);
  }
  if (member(object, "metadata").is_object()) object["metadata"].erase("managedFields");
  if (!entries.empty()) object["metadata"]["managedFields"] = std::move(entries);
}

void merge_value(Object& live, const Object& configuration);

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
void merge_items(Object& live, const Object& configuration, const std::vector<ListKey>& keys) {
  if (!live.is_array()) live = Object::array();
  const std::vector<std::string> had = elements_of(live, keys);
  const std::vector<std::string> wanted = elements_of(configuration, keys);
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
      merge_value(out.back(), configuration[own]);
      if (old < had.size() && had[old] == wanted[own]) ++old;
      ++own;
    }
  }
  live = std::move(out);
}

// Maps are merged member by member, lists by the keys of their items, finalizers by their values; all else is replaced.
void merge(Object& live, const Object& configuration) {
  if (!live.is_object()) live = Object::object();
  for (const auto& [name, value] : configuration.items()) {
    if (const auto keys = item_keys(name, value)) {
      merge_items(live[name], value, *keys);
    } else {
      merge_value(live[name], value);
    }
  }
}

void merge_value(Object& live, const Object& configuration) {
  if (configuration.is_object()) {
    merge(live, configuration);
  } else if (!configuration.is_null() || !live.is_object()) {
    live = configuration;
  }
}

}  // namespace

Applied applied(const Object& live, const Object& configuration, const Applier& applier) {
  Applied out;
  Owners owners = owners_of(live);
  FieldSet wanted = fields_of(configuration);
  std::erase_if(wanted, [&](const FieldPath& path) { return path.front() == "f:" + applier.unwritten; });
  const Owner self(applier.manager, applier.subresource);
  const FieldSet had = read_fields_v1(member(owners[self], "fieldsV1"));
  const FieldValues old_values = values_of(live);
  const FieldValues new_values = values_of(configuration);
  FieldSet of_others;
  for (auto& [owner, entry] : owners) {
    if (owner == self) continue;
    FieldSet theirs = read_fields_v1(member(entry, "fieldsV1"));
    for (const FieldPath& path : wanted) {
      if (!theirs.contains(path) || is_item(path) || same_at(old_values, new_values, path)) continue;
      if (!applier.force) out.conflicts.push_back({owner_text(owner), path_text(path)});
      theirs.erase(path);
    }
    entry["fieldsV1"] = fields_v1(theirs);
    of_others.insert(theirs.begin(), theirs.end());
  }
  if (!out.conflicts.empty()) return out;
  out.object = live;
  merge(out.object, configuration);
  FieldSet gone;
  for (const FieldPath& path : had) {
    if (!wanted.contains(path) && !of_others.contains(path)) gone.insert(path);
  }
  Removal(gone, applier.nobodys).of_fields(out.object);
  Object& own = owners[self];
  own = {{"manager", applier.manager}, {"operation", "Apply"},     {"apiVersion", applier.api_version},
         {"time", applier.time},       {"fieldsType", "FieldsV1"}, {"fieldsV1", fields_v1(wanted)}};
  if (!applier.subresource.empty()) own["subresource"] = applier.subresource;
  set_owners(out.object, owners);
  return out;
}

void disown_changed_fields(const Object& before, Object& after) {
  Owners owners = owners_of(before);
  if (owners.empty()) return;
  const FieldValues old_values = values_of(before);
  const FieldValues values = values_of(after);
  for (Owners::value_type& owner : owners) {
    FieldSet fields = read_fields_v1(member(owner.second, "fieldsV1"));
    std::erase_if(fields, [&](const FieldPath& path) {
      return is_item(path) ? !values.contains(path) : !same_at(old_values, values, path);
    });
    owner.second["fieldsV1"] = fields_v1(fields);
  }
  set_owners(after, owners);
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

}  // namespace nodebound
