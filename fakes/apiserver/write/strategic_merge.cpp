#include "fakes/apiserver/write/strategic_merge.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fakes/wire/go/go_text.h"
#include "fakes/wire/list_keys.h"

namespace nodebound {
namespace {

constexpr std::string_view delete_directive = "$deleteFromPrimitiveList/";
constexpr std::string_view order_directive = "$setElementOrder/";

// `replace`, `delete`, `merge`, or empty.
std::string_view directive_of(const Object& patch) {
  const Object& directive = member(patch, "$patch");
  if (directive.is_null()) return "";
  const std::string_view name = text(patch, "$patch");
  if (name == "replace" || name == "delete" || name == "merge") return name;
  throw StrategicMergeError{"unknown patch type: " + go_text(directive) + " in map: " + go_text(patch)};
}

// Maps the text of values to their places, because searching a list for each of its items would take quadratic time.
using Places = std::unordered_map<std::string, std::size_t>;

std::string text_of(const Object& value) {
  return value.dump(-1, ' ', false, Object::error_handler_t::replace);
}

// An item without its key counts as having an empty key.
std::string place_of(const Object& item, std::string_view key) {
  if (key.empty()) return text_of(item);
  const Object& said = member(item, key);
  return said.is_null() ? "\"\"" : text_of(said);
}

// The first place of each value in a list, or of each value of `key` among its items.
Places places_in(const Object& list, std::string_view key = {}) {
  Places out;
  for (std::size_t i = 0; i < list.size(); ++i) out.try_emplace(place_of(list[i], key), i);
  return out;
}

void erase_all(Object& list, const std::vector<bool>& erased) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i < erased.size() && erased[i]) continue;
    if (kept != i) list[kept] = std::move(list[i]);
    ++kept;
  }
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(kept), list.end());
}

void merge_list(Object& target, const Object& patch, std::string_view key) {
  if (!target.is_array()) target = Object::array();
  const auto replaces = [](const Object& item) { return item.is_object() && directive_of(item) == "replace"; };
  if (std::any_of(patch.begin(), patch.end(), replaces)) {
    target = Object::array();
    for (const Object& item : patch) {
      if (!item.is_object() || !item.contains("$patch")) target.push_back(item);
    }
    return;
  }
  Places places = places_in(target, key);
  std::vector<bool> erased(target.size());
  for (const Object& item : patch) {
    if (member(item, key).is_null()) {
      throw StrategicMergeError{"map: " + go_text(item) + " does not contain declared merge key: " + std::string(key)};
    }
    const auto same = places.find(place_of(item, key));
    const bool deletes = directive_of(item) == "delete";
    if (same == places.end()) {
      if (deletes) continue;
      places.emplace(place_of(item, key), target.size());
      target.push_back(item);
      target.back().erase("$patch");
    } else if (deletes) {
      erased.resize(target.size());
      erased[same->second] = true;
      places.erase(same);
    } else {
      merge_strategically(target[same->second], item);
    }
  }
  erase_all(target, erased);
}

// Of the lists of plain values, only finalizers are united: first those of the patch, then the others.
void unite(Object& target, const Object& patch) {
  Object out = Object::array();
  Places known;
  const auto add = [&](const Object& values) {
    if (!values.is_array()) return;
    for (const Object& value : values) {
      if (known.try_emplace(text_of(value), 0).second) out.push_back(value);
    }
  };
  add(patch);
  add(target);
  target = std::move(out);
}

void retain_keys(Object& target, const Object& keys) {
  if (!keys.is_array()) return;
  const Places kept = places_in(keys);
  for (auto field = target.begin(); field != target.end();) {
    field = kept.contains(text_of(field.key())) ? std::next(field) : target.erase(field);
  }
}

void delete_values(Object& target, const std::string& field, const Object& values) {
  if (!member(target, field).is_array() || !values.is_array()) return;
  const Places gone = places_in(values);
  Object kept = Object::array();
  for (const Object& value : target[field]) {
    if (!gone.contains(text_of(value))) kept.push_back(value);
  }
  target[field] = std::move(kept);
}

// Items that the order does not name come after those that it names.
void set_order(Object& list, const Object& order, std::string_view key) {
  if (!list.is_array() || !order.is_array()) return;
  const Places places = places_in(order, key);
  std::vector<std::pair<std::size_t, Object*>> items;
  for (Object& item : list) {
    const auto found = places.find(place_of(item, key));
    items.emplace_back(found == places.end() ? order.size() : found->second, &item);
  }
  std::stable_sort(items.begin(), items.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  Object sorted = Object::array();
  for (const auto& [place, item] : items) sorted.push_back(std::move(*item));
  list = std::move(sorted);
}

bool has_directive(const Object& value) {
  return value.is_object() && value.contains("$patch");
}

// A new value is taken without its nulls, and without maps that hold a directive.
Object taken_whole(const Object& value) {
  if (!value.is_structured()) return value;
  Object out = value.is_object() ? Object::object() : Object::array();
  for (const auto& [key, item] : value.items()) {
    if (has_directive(item)) continue;
    if (value.is_array()) {
      out.push_back(taken_whole(item));
    } else if (!item.is_null() && !key.starts_with('$')) {
      out[key] = taken_whole(item);
    }
  }
  return out;
}

// An empty list counts as missing, as in Go's JSON.
bool has_alike(const Object& target, const std::string& name, const Object& value) {
  const Object& own = member(target, name);
  return value.is_array() ? own.is_array() && !own.empty() : own.is_object() == value.is_object() && !own.is_null();
}

void merge_member(Object& target, const std::string& name, const Object& value) {
  const bool new_to_it = !has_alike(target, name, value);
  if (value.is_null() || (new_to_it && has_directive(value))) {
    target.erase(name);
  } else if (new_to_it) {
    target[name] = taken_whole(value);
  } else if (value.is_object()) {
    merge_strategically(target[name], value);
  } else if (name == "finalizers" && value.is_array()) {
    unite(target[name], value);
  } else if (const std::string_view key = merge_key_of(name, value); value.is_array() && !key.empty()) {
    merge_list(target[name], value, key);
  } else {
    target[name] = value;
  }
}

}  // namespace

void merge_strategically(Object& target, const Object& patch) {
  if (!target.is_object()) target = Object::object();
  const std::string_view directive = directive_of(patch);
  if (directive == "replace") {
    target = patch;
    target.erase("$patch");
    return;
  }
  if (directive == "delete") {
    target = Object::object();
    return;
  }
  for (auto field = patch.begin(); field != patch.end(); ++field) {
    const std::string& name = field.key();
    if (name == "$retainKeys") retain_keys(target, *field);
    if (name.starts_with(delete_directive)) delete_values(target, name.substr(delete_directive.size()), *field);
  }
  for (auto field = patch.begin(); field != patch.end(); ++field) {
    if (!field.key().starts_with('$')) merge_member(target, field.key(), *field);
  }
  for (auto field = patch.begin(); field != patch.end(); ++field) {
    if (!field.key().starts_with(order_directive)) continue;
    const std::string name = field.key().substr(order_directive.size());
    if (target.contains(name)) set_order(target[name], *field, merge_key_of(name, *field));
  }
}

}  // namespace nodebound
