#include "fakes/apiserver/write/fields/owned_fields.h"

#include <algorithm>
#include <map>

namespace nodebound::apiserver {
namespace {

using By = Merging::By;

std::string field_element(const std::string& name) {
  return "f:" + name;
}

/// The items of a list by what identifies them. Items of one element count as duplicates.
using ItemsByElement = std::map<std::string, std::vector<const Object*>>;

ItemsByElement items_by_element(const ValueType& type, const Object* list) {
  ItemsByElement out;
  if (list == nullptr || !list->is_array()) return out;
  for (const Object& item : *list) out[element_of(item, type.keys())].push_back(&item);
  return out;
}

bool starts_with(const FieldPath& path, const FieldPath& top) {
  return path.size() >= top.size() && std::equal(top.begin(), top.end(), path.begin());
}

/// Collects the fields of a configuration.
class Owned {
 public:
  void value(const ValueType& type, const Object& value) {
    switch (type.merging(&value)) {
      case By::whole:
        fields.insert(path_);
        return;
      case By::parts:
        if (value.is_object()) members(type, value);
        return;
      default:
        items(type, value);
    }
  }

  FieldSet fields;

 private:
  void members(const ValueType& type, const Object& object) {
    for (const auto& [name, own] : object.items()) {
      path_.push_back(field_element(name));
      value(type.member(name), own);
      const bool empty = own.is_null() || (own.is_object() && own.empty());
      if (empty || !type.declares(name)) fields.insert(path_);
      path_.pop_back();
    }
  }

  void items(const ValueType& type, const Object& list) {
    for (const auto& [element, own] : items_by_element(type, &list)) {
      path_.push_back(element);
      if (own.size() == 1) value(type.item(), *own.front());
      fields.insert(path_);
      path_.pop_back();
    }
  }

  FieldPath path_;
};

/// Compares two values; null stands for none.
class Comparing {
 public:
  void values(const ValueType& type, const Object* before, const Object* after) {
    const By by = merging_of_both(type, before, after);
    if (by == By::whole || (is_empty(before) && is_empty(after))) return leaf(before, after);
    if (by == By::parts) {
      members(type, before, after);
    } else {
      items(type, before, after);
    }
    if (before == nullptr) result.added.insert(path_);
    if (after == nullptr) result.removed.insert(path_);
  }

  FieldChanges result;

 private:
  static bool is_empty(const Object* value) { return value == nullptr || value->is_null() || value->empty(); }

  // A value that does not have the shape of its type is replaced as a whole.
  static By merging_of_both(const ValueType& type, const Object* before, const Object* after) {
    const By by = type.merging(after != nullptr && !after->is_null() ? after : before);
    const bool object = by == By::parts;
    for (const Object* value : {before, after}) {
      if (value == nullptr || value->is_null()) continue;
      if (object ? !value->is_object() : !value->is_array()) return By::whole;
    }
    return by;
  }

  void leaf(const Object* before, const Object* after) {
    if (before == nullptr) {
      result.added.insert(path_);
    } else if (after == nullptr) {
      result.removed.insert(path_);
    } else if (*before != *after) {
      result.modified.insert(path_);
    }
  }

  void members(const ValueType& type, const Object* before, const Object* after) {
    std::set<std::string> names;
    for (const Object* object : {before, after}) {
      if (is_empty(object)) continue;
      for (const auto& [name, own] : object->items()) names.insert(name);
    }
    const auto found = [](const Object* object, const std::string& name) -> const Object* {
      if (is_empty(object)) return nullptr;
      const auto own = object->find(name);
      return own == object->end() ? nullptr : &*own;
    };
    for (const std::string& name : names) {
      path_.push_back(field_element(name));
      values(type.member(name), found(before, name), found(after, name));
      path_.pop_back();
    }
  }

  void items(const ValueType& type, const Object* before, const Object* after) {
    ItemsByElement old_items = items_by_element(type, before);
    const ItemsByElement new_items = items_by_element(type, after);
    for (const auto& [element, own] : new_items) old_items.try_emplace(element);
    static const std::vector<const Object*> none;
    for (const auto& [element, was] : old_items) {
      const auto found = new_items.find(element);
      path_.push_back(element);
      item(type.item(), was, found == new_items.end() ? none : found->second);
      path_.pop_back();
    }
  }

  // Duplicates are compared as one.
  void item(const ValueType& type, const std::vector<const Object*>& was, const std::vector<const Object*>& is) {
    const auto first = [](const std::vector<const Object*>& all) { return all.empty() ? nullptr : all.front(); };
    if (was.size() <= 1 && is.size() <= 1) return values(type, first(was), first(is));
    if (was.size() >= 2 && is.size() >= 2) {
      const bool same = std::equal(was.begin(), was.end(), is.begin(), is.end(),
                                   [](const Object* a, const Object* b) { return *a == *b; });
      if (!same) result.modified.insert(path_);
    } else if (was.size() >= 2) {
      if (!is.empty()) values(type, nullptr, first(is));
      result.removed.insert(path_);
    } else {
      if (!was.empty()) values(type, first(was), nullptr);
      result.added.insert(path_);
    }
  }

  FieldPath path_;
};

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
  const std::string rest = element.substr(std::min<std::size_t>(2, element.size()));
  if (element.starts_with("f:")) return "." + rest;
  if (element.starts_with("v:")) return "[=" + rest + "]";
  std::string out;
  const Object keys = Object::parse(rest, nullptr, false);
  for (const auto& [key, value] : keys.items()) out += (out.empty() ? "[" : ",") + key + "=" + value.dump();
  return out + "]";
}

}  // namespace

std::string path_text(const FieldPath& path) {
  std::string out;
  for (const std::string& element : path) out += element_text(element);
  return out;
}

std::string element_of(const Object& item, const std::vector<ListKey>& keys) {
  const auto text_of = [](const Object& value) { return value.dump(-1, ' ', false, Object::error_handler_t::replace); };
  if (keys.empty()) return "v:" + text_of(item);
  Object out = Object::object();
  for (const ListKey& key : keys) {
    const Object& own = member(item, key.name);
    const Object& used = own.is_null() ? key.otherwise : own;
    if (!used.is_null()) out[key.name] = used;
  }
  return "k:" + text_of(out);
}

FieldSet fields_of(const ValueType& type, const Object& configuration) {
  Owned out;
  out.value(type, configuration);
  return std::move(out.fields);
}

FieldSet FieldChanges::written() const {
  FieldSet out = modified;
  out.insert(added.begin(), added.end());
  return out;
}

FieldChanges compared(const ValueType& type, const Object& before, const Object& after) {
  Comparing out;
  out.values(type, &before, &after);
  return std::move(out.result);
}

void remove_below(FieldSet& fields, const FieldSet& tops) {
  std::erase_if(fields, [&](const FieldPath& path) {
    return std::any_of(tops.begin(), tops.end(), [&](const FieldPath& top) { return starts_with(path, top); });
  });
}

void remove_exactly(FieldSet& fields, const FieldSet& others) {
  std::erase_if(fields, [&](const FieldPath& path) { return others.contains(path); });
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
  for (auto path = fields.begin(); path != fields.end(); ++path) {
    Object* at = &tree;
    for (const std::string& element : *path) {
      Object& below = (*at)[element];
      if (below.is_null()) below = Object::object();
      at = &below;
    }
    // A dot tells that the field itself is owned, too, where that is not clear.
    const auto next = std::next(path);
    if (next != fields.end() && starts_with(*next, *path)) (*at)["."] = Object::object();
  }
  return tree;
}

}  // namespace nodebound::apiserver
