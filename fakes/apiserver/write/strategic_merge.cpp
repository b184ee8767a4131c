#include "fakes/apiserver/write/strategic_merge.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "fakes/wire/go/go_text.h"
#include "fakes/wire/list_keys.h"

namespace nodebound::apiserver {
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

// Sorts the items of a merged list by three orders, of which the first that knows both of two items decides: `named`,
// which the patch gives; that of the list before the patch, `server`; and that a named item comes before others.
Object in_order(Object merged, const Object& named, const Places& server, std::string_view key) {
  const Places wanted = places_in(named, key);
  struct Item {
    std::size_t wanted;
    std::optional<std::size_t> server;
    Object value;
  };
  std::vector<Item> by_name;
  std::vector<Item> others;
  for (Object& value : merged) {
    const std::string place = place_of(value, key);
    const auto known = server.find(place);
    const auto found = wanted.find(place);
    Item item{found == wanted.end() ? 0 : found->second,
              known == server.end() ? std::nullopt : std::optional(known->second), std::move(value)};
    (found == wanted.end() ? others : by_name).push_back(std::move(item));
  }
  std::ranges::stable_sort(by_name, {}, &Item::wanted);
  std::ranges::stable_sort(others, {}, [&](const Item& item) { return item.server.value_or(server.size()); });
  Object out = Object::array();
  auto other = others.begin();
  for (Item& item : by_name) {
    for (; other != others.end() && item.server && other->server && *other->server < *item.server; ++other)
      out.push_back(std::move(other->value));
    out.push_back(std::move(item.value));
  }
  for (; other != others.end(); ++other) out.push_back(std::move(other->value));
  return out;
}

Object without_directives(const Object& patch) {
  Object out = Object::array();
  for (const Object& item : patch) {
    if (!item.is_object() || !item.contains("$patch")) out.push_back(item);
  }
  return out;
}

void merge_list(Object& target, const Object& patch, std::string_view key) {
  if (!target.is_array()) target = Object::array();
  std::unordered_set<std::string> deleted;
  bool replaces = false;
  for (const Object& item : patch) {
    const std::string_view directive = directive_of(item);
    replaces = replaces || directive == "replace";
    if (!replaces && member(item, key).is_null()) {
      throw StrategicMergeError{"map: " + go_text(item) + " does not contain declared merge key: " + std::string(key)};
    }
    if (directive == "delete") deleted.insert(place_of(item, key));
  }
  const Object items = without_directives(patch);
  if (replaces) {
    target = items;
    return;
  }
  Object merged = Object::array();
  for (Object& own : target) {
    if (!deleted.contains(place_of(own, key))) merged.push_back(std::move(own));
  }
  const Places server = places_in(merged, key);
  Places places = server;
  for (const Object& item : items) {
    const auto [same, is_new] = places.try_emplace(place_of(item, key), merged.size());
    if (is_new) {
      merged.push_back(item);
    } else {
      merge_strategically(merged[same->second], item);
    }
  }
  target = in_order(std::move(merged), items, server, key);
}

// Of the lists of plain values, only finalizers are united.
void unite(Object& target, const Object& patch) {
  Object merged = Object::array();
  Places known;
  for (const Object* values : {&std::as_const(target), &patch}) {
    if (!values->is_array()) continue;
    for (const Object& value : *values) {
      if (known.try_emplace(text_of(value), 0).second) merged.push_back(value);
    }
  }
  const Places server = places_in(target);
  target = in_order(std::move(merged), patch, server, {});
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

// The items of a patch have to be in the order that the patch gives, which may name more.
void check_order(const Object& patch, const Object& order, std::string_view key) {
  if (patch.empty() || order.empty()) return;
  std::size_t next = 0;
  for (const Object& item : patch) {
    if (has_directive(item)) continue;
    while (next < order.size() && place_of(order[next], key) != place_of(item, key)) ++next;
    if (next++ < order.size()) continue;
    throw StrategicMergeError{"The order in patch list:\n" + go_text(patch) +
                              "\n doesn't match $setElementOrder list:\n" + go_text(order) + "\n"};
  }
}

// A list whose order the patch gives, whether or not it changes the items.
void merge_in_order(Object& target, const std::string& name, const Object& patch, const Object& order) {
  const Object& items = member(patch, name);
  const bool is_changed = items.is_array();
  if (!order.is_array() || (!items.is_null() && !is_changed)) return;
  const std::string_view key = merge_key_of(name, order);
  if (is_changed) check_order(items, order, key);
  const Places server = member(target, name).is_array() ? places_in(target[name], key) : Places();
  if (is_changed) merge_member(target, name, items);
  if (!member(target, name).is_array()) return;
  Object merged = std::move(target[name]);
  target[name] = in_order(std::move(merged), order, server, key);
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
  std::unordered_set<std::string> done;
  for (auto field = patch.begin(); field != patch.end(); ++field) {
    if (!field.key().starts_with(order_directive)) continue;
    const std::string name = field.key().substr(order_directive.size());
    merge_in_order(target, name, patch, *field);
    if (member(patch, name).is_array()) done.insert(name);
  }
  for (auto field = patch.begin(); field != patch.end(); ++field) {
    if (!field.key().starts_with('$') && !done.contains(field.key())) merge_member(target, field.key(), *field);
  }
}

}  // namespace nodebound::apiserver
