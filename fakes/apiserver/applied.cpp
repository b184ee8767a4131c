#include "fakes/apiserver/applied.h"

#include <algorithm>
#include <map>
#include <set>

#include "fakes/apiserver/status.h"
#include "fakes/apiserver/strategic_merge.h"
#include "reference/authorizer/attributes.h"

namespace nodebound {
namespace {

/// The way to a field in the elements of FieldsV1: `f:spec`, `f:containers`, `k:{"name":"web"}`, `f:image`.
using FieldPath = std::vector<std::string>;
using FieldSet = std::set<FieldPath>;

// What every configuration says and nobody owns.
bool is_identity(const FieldPath& path, const std::string& field) {
  if (path.empty()) return field == "apiVersion" || field == "kind";
  return path.size() == 1 && path.front() == "f:metadata" &&
         (field == "name" || field == "namespace" || field == "managedFields");
}

void collect_fields(const Object& value, std::string_view key, FieldPath& path, FieldSet& out) {
  if (value.is_object() && !value.empty()) {
    for (const auto& [name, own] : value.items()) {
      if (is_identity(path, name)) continue;
      path.push_back("f:" + name);
      collect_fields(own, own.is_array() ? merge_key_of(name, own) : std::string_view(), path, out);
      path.pop_back();
    }
    return;
  }
  if (!value.is_array() || key.empty()) {
    out.insert(path);
    return;
  }
  for (const Object& item : value) {
    path.push_back("k:" + Object{{std::string(key), member(item, key)}}.dump());
    // An item is owned itself, too: it goes with the last who has it.
    out.insert(path);
    collect_fields(item, "", path, out);
    path.pop_back();
  }
}

FieldSet fields_of(const Object& configuration) {
  FieldSet out;
  FieldPath path;
  collect_fields(configuration, "", path, out);
  out.erase(FieldPath());
  return out;
}

void read_fields(const Object& tree, FieldPath& path, FieldSet& out) {
  if (!tree.is_object()) return;
  if (tree.empty()) out.insert(path);
  for (const auto& [element, below] : tree.items()) {
    if (element == ".") {
      out.insert(path);
      continue;
    }
    path.push_back(element);
    read_fields(below, path, out);
    path.pop_back();
  }
}

FieldSet owned_fields(const Object& entry) {
  FieldSet out;
  FieldPath path;
  read_fields(member(entry, "fieldsV1"), path, out);
  out.erase(FieldPath());
  return out;
}

Object fields_v1(const FieldSet& fields) {
  Object tree = Object::object();
  for (const FieldPath& path : fields) {
    Object* at = &tree;
    for (const std::string& element : path) {
      Object& below = (*at)[element];
      if (below.is_null()) below = Object::object();
      at = &below;
    }
    if (path.back().starts_with("k:")) (*at)["."] = Object::object();
  }
  return tree;
}

bool is_item(const Object& item, const Object& keys) {
  return std::all_of(keys.items().begin(), keys.items().end(),
                     [&](const auto& key) { return member(item, key.key()) == key.value(); });
}

/// What is at a path; null if nothing is.
const Object* found_at(const Object& object, const FieldPath& path) {
  const Object* at = &object;
  for (const std::string& element : path) {
    const std::string rest = element.substr(2);
    if (element.starts_with("f:")) {
      at = &member(*at, rest);
    } else {
      const Object keys = Object::parse(rest, nullptr, false);
      if (!at->is_array() || !keys.is_object()) return nullptr;
      const auto item = std::find_if(at->begin(), at->end(), [&](const Object& own) { return is_item(own, keys); });
      if (item == at->end()) return nullptr;
      at = &*item;
    }
    if (at->is_null()) return nullptr;
  }
  return at;
}

// Takes away what is at a path, and what it leaves empty above it.
void remove_at(Object& at, const FieldPath& path, std::size_t depth = 0) {
  const std::string& element = path[depth];
  const std::string rest = element.substr(2);
  const bool last = depth + 1 == path.size();
  if (element.starts_with("f:")) {
    if (!at.is_object() || !at.contains(rest)) return;
    if (!last) remove_at(at[rest], path, depth + 1);
    if (last || (at[rest].is_structured() && at[rest].empty())) at.erase(rest);
    return;
  }
  const Object keys = Object::parse(rest, nullptr, false);
  if (!at.is_array() || !keys.is_object()) return;
  const auto item = std::find_if(at.begin(), at.end(), [&](const Object& own) { return is_item(own, keys); });
  if (item == at.end()) return;
  if (last) {
    at.erase(item);
  } else {
    remove_at(*item, path, depth + 1);
  }
}

// As fieldpath.Path prints it.
std::string text_of(const FieldPath& path) {
  std::string out;
  for (const std::string& element : path) {
    const std::string rest = element.substr(2);
    if (element.starts_with("f:")) {
      out += "." + rest;
      continue;
    }
    const Object keys = Object::parse(rest, nullptr, false);
    out += "[";
    for (const auto& [key, value] : keys.items()) out += (out.back() == '[' ? "" : ",") + key + "=" + value.dump();
    out += "]";
  }
  return out;
}

/// Who has applied what, by manager.
using Owners = std::map<std::string, Object>;

Owners owners_of(const Object& object) {
  Owners out;
  for (const Object& entry : member(object, "metadata", "managedFields")) {
    if (text(entry, "operation") == "Apply") out[std::string(text(entry, "manager"))] = entry;
  }
  return out;
}

void set_owners(Object& object, const Owners& owners) {
  Object entries = Object::array();
  for (const auto& [manager, entry] : owners) {
    if (!member(entry, "fieldsV1").empty()) entries.push_back(entry);
  }
  if (member(object, "metadata").is_object()) object["metadata"].erase("managedFields");
  if (!entries.empty()) object["metadata"]["managedFields"] = std::move(entries);
}

bool same_at(const Object& object, const Object& other, const FieldPath& path) {
  const Object* own = found_at(object, path);
  const Object* theirs = found_at(other, path);
  return own == nullptr || theirs == nullptr ? own == theirs : *own == *theirs;
}

}  // namespace

Applied applied(const Object& live, const Object& configuration, const Applier& applier) {
  Applied out;
  Owners owners = owners_of(live);
  const FieldSet wanted = fields_of(configuration);
  const FieldSet had = owned_fields(owners[applier.manager]);
  FieldSet of_others;
  for (auto& [manager, entry] : owners) {
    if (manager == applier.manager) continue;
    FieldSet theirs = owned_fields(entry);
    for (const FieldPath& path : wanted) {
      const bool item = path.back().starts_with("k:");
      if (item || !theirs.contains(path) || same_at(live, configuration, path)) continue;
      if (!applier.force) out.conflicts.push_back({manager, text_of(path)});
      theirs.erase(path);
    }
    entry["fieldsV1"] = fields_v1(theirs);
    of_others.insert(theirs.begin(), theirs.end());
  }
  if (!out.conflicts.empty()) return out;
  out.object = live;
  merge_strategically(out.object, configuration, Merging::apply);
  for (const FieldPath& path : had) {
    if (!wanted.contains(path) && !of_others.contains(path)) remove_at(out.object, path);
  }
  owners[applier.manager] = {{"manager", applier.manager},        {"operation", "Apply"},
                             {"apiVersion", applier.api_version}, {"time", applier.time},
                             {"fieldsType", "FieldsV1"},          {"fieldsV1", fields_v1(wanted)}};
  set_owners(out.object, owners);
  return out;
}

void disown_changed_fields(const Object& before, Object& after) {
  Owners owners = owners_of(before);
  if (owners.empty()) return;
  for (Owners::value_type& owner : owners) {
    FieldSet fields = owned_fields(owner.second);
    std::erase_if(fields, [&](const FieldPath& path) {
      return path.back().starts_with("k:") ? found_at(after, path) == nullptr : !same_at(before, after, path);
    });
    owner.second["fieldsV1"] = fields_v1(fields);
  }
  set_owners(after, owners);
}

HttpResponse apply_conflict(const std::vector<ApplyConflict>& conflicts) {
  Object causes = Object::array();
  std::map<std::string, std::string> fields;
  for (const ApplyConflict& conflict : conflicts) {
    const std::string with = "conflict with " + go_quoted(conflict.manager);
    causes.push_back({{"reason", "FieldManagerConflict"}, {"message", with}, {"field", conflict.field}});
    fields[conflict.manager] += "\n- " + conflict.field;
  }
  std::string message = "Apply failed with ";
  if (conflicts.size() == 1) {
    message += "1 conflict: conflict with " + go_quoted(conflicts[0].manager) + ": " + conflicts[0].field;
  } else {
    message += std::to_string(conflicts.size()) + " conflicts: ";
    std::string managers;
    for (const auto& [manager, own] : fields) {
      managers += (managers.empty() ? "conflicts with " : "\nconflicts with ") + go_quoted(manager) + ":" + own;
    }
    message += managers;
  }
  return failure(409, "Conflict", message, {{"causes", std::move(causes)}});
}

}  // namespace nodebound
