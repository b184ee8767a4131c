#include "fakes/apiserver/write/owned_fields.h"

namespace nodebound {
namespace {

// Fields that every configuration contains and nobody owns.
bool is_identity(const FieldPath& path, const std::string& field) {
  if (path.empty()) return field == "apiVersion" || field == "kind";
  return path.size() == 1 && path.front() == "f:metadata" &&
         (field == "name" || field == "namespace" || field == "managedFields");
}

/// Calls visit(path, value, owned) for every field and list item of an object. Leaves and items can be owned; an item
/// is removed with its last owner.
template <typename Visit>
void walk(const Object& object, FieldPath& path, const Visit& visit) {
  for (const auto& [name, value] : object.items()) {
    if (is_identity(path, name)) continue;
    path.push_back("f:" + name);
    const auto keys = item_keys(name, value);
    const bool is_map = value.is_object() && !value.empty();
    visit(path, value, !is_map && !keys);
    if (is_map) walk(value, path, visit);
    if (keys) {
      for (const Object& item : value) {
        path.push_back(element_of(item, *keys));
        visit(path, item, true);
        if (item.is_object()) walk(item, path, visit);
        path.pop_back();
      }
    }
    path.pop_back();
  }
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

std::string element_text(const std::string& element) {
  const std::string rest = element.substr(2);
  if (element.starts_with("f:")) return "." + rest;
  if (element.starts_with("v:")) return "[=" + rest + "]";
  std::string out;
  const Object keys = Object::parse(rest, nullptr, false);
  for (const auto& [key, value] : keys.items()) out += (out.empty() ? "[" : ",") + key + "=" + value.dump();
  return out + "]";
}

}  // namespace

bool is_item(const FieldPath& path) {
  return !path.back().starts_with("f:");
}

std::string path_text(const FieldPath& path) {
  std::string out;
  for (const std::string& element : path) out += element_text(element);
  return out;
}

std::optional<std::vector<ListKey>> item_keys(const std::string& name, const Object& value) {
  if (!value.is_array() || value.empty()) return std::nullopt;
  std::vector<ListKey> keys = list_keys_of(name, value);
  return keys.empty() && !is_value_set(name) ? std::nullopt : std::optional(std::move(keys));
}

std::string element_of(const Object& item, const std::vector<ListKey>& keys) {
  const auto text_of = [](const Object& value) { return value.dump(-1, ' ', false, Object::error_handler_t::replace); };
  if (keys.empty()) return "v:" + text_of(item);
  Object out = Object::object();
  for (const ListKey& key : keys) {
    const Object& own = member(item, key.name);
    out[key.name] = own.is_null() ? key.otherwise : own;
  }
  return "k:" + text_of(out);
}

FieldSet fields_of(const Object& configuration) {
  FieldSet out;
  FieldPath path;
  walk(configuration, path, [&](const FieldPath& at, const Object&, bool owned) {
    if (owned) out.insert(at);
  });
  return out;
}

FieldValues values_of(const Object& object) {
  FieldValues out;
  FieldPath path;
  walk(object, path, [&](const FieldPath& at, const Object& value, bool) { out.try_emplace(at, &value); });
  return out;
}

bool same_at(const FieldValues& some, const FieldValues& others, const FieldPath& path) {
  const auto own = some.find(path);
  const auto other = others.find(path);
  if (own == some.end() || other == others.end()) return (own == some.end()) == (other == others.end());
  return *own->second == *other->second;
}

FieldSet read_fields_v1(const Object& tree) {
  FieldSet out;
  FieldPath path;
  read_fields(tree, path, out);
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

}  // namespace nodebound
