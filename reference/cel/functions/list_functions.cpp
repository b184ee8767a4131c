#include <algorithm>
#include <array>
#include <vector>

#include "reference/cel/functions/functions.h"

namespace nodebound::cel {

namespace lists {

namespace {

std::vector<Value> elements_of(const Value& list) {
  std::vector<Value> out;
  for (std::size_t i = 0; i < list.list().size(); ++i) out.push_back(list.list().at(i));
  return out;
}

Value is_sorted(Arena&, Arguments arguments) {
  const std::vector<Value> all = elements_of(arguments[0]);
  for (std::size_t i = 1; i < all.size(); ++i) {
    const std::optional<int> order = compare(all[i - 1], all[i]);
    if (order && *order > 0) return Value::of(false);
  }
  return Value::of(true);
}

// The element that `order` prefers to all others; the first of equal ones.
Value preferred(Arena& arena, Arguments arguments, const char* name, int order) {
  const std::vector<Value> all = elements_of(arguments[0]);
  if (all.empty()) return arena.error(std::string(name) + " called on empty list");
  Value out = all[0];
  for (const Value& one : all) {
    if (compare(out, one) == order) out = one;
  }
  return out;
}
Value min(Arena& arena, Arguments arguments) {
  return preferred(arena, arguments, "min", 1);
}
Value max(Arena& arena, Arguments arguments) {
  return preferred(arena, arguments, "max", -1);
}

Value sum_from(Arena& arena, Arguments arguments, Value out) {
  static const Function add = implementation_of("add_int64").function;
  for (const Value& one : elements_of(arguments[0])) {
    const std::array<Value, 2> pair = {out, one};
    out = add(arena, pair);
    if (out.is_error()) return out;
  }
  return out;
}
Value sum_integers(Arena& arena, Arguments arguments) {
  return sum_from(arena, arguments, Value::of(std::int64_t{0}));
}
Value sum_unsigned(Arena& arena, Arguments arguments) {
  return sum_from(arena, arguments, Value::of(std::uint64_t{0}));
}
Value sum_floating(Arena& arena, Arguments arguments) {
  return sum_from(arena, arguments, Value::of(0.0));
}
Value sum_durations(Arena& arena, Arguments arguments) {
  return sum_from(arena, arguments, Value::duration(0));
}

Value index_of(Arena&, Arguments arguments) {
  const std::vector<Value> all = elements_of(arguments[0]);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (equal(all[i], arguments[1])) return Value::of(static_cast<std::int64_t>(i));
  }
  return Value::of(std::int64_t{-1});
}
Value last_index_of(Arena&, Arguments arguments) {
  const std::vector<Value> all = elements_of(arguments[0]);
  for (std::size_t i = all.size(); i > 0; --i) {
    if (equal(all[i - 1], arguments[1])) return Value::of(static_cast<std::int64_t>(i - 1));
  }
  return Value::of(std::int64_t{-1});
}

bool has(const std::vector<Value>& list, const Value& value) {
  return std::any_of(list.begin(), list.end(), [&](const Value& one) { return equal(one, value); });
}
bool has_all(const std::vector<Value>& list, const std::vector<Value>& values) {
  return std::all_of(values.begin(), values.end(), [&](const Value& one) { return has(list, one); });
}
Value set_contains(Arena&, Arguments arguments) {
  return Value::of(has_all(elements_of(arguments[0]), elements_of(arguments[1])));
}
Value set_equivalent(Arena&, Arguments arguments) {
  const std::vector<Value> a = elements_of(arguments[0]);
  const std::vector<Value> b = elements_of(arguments[1]);
  return Value::of(has_all(a, b) && has_all(b, a));
}
Value set_intersects(Arena&, Arguments arguments) {
  const std::vector<Value> a = elements_of(arguments[0]);
  const std::vector<Value> b = elements_of(arguments[1]);
  return Value::of(std::any_of(a.begin(), a.end(), [&](const Value& one) { return has(b, one); }));
}

// Each element of one compared with each of the other; equivalence does so twice (cel-go's ext/sets.go).
std::uint64_t pairs(Arguments arguments) {
  return size_of(arguments[0]) * size_of(arguments[1]);
}

constexpr NamedImplementation table[] = {
    {"list_int_is_sorted_bool", {is_sorted, cost_of_elements}},
    {"list_uint_is_sorted_bool", {is_sorted, cost_of_elements}},
    {"list_double_is_sorted_bool", {is_sorted, cost_of_elements}},
    {"list_bool_is_sorted_bool", {is_sorted, cost_of_elements}},
    {"list_duration_is_sorted_bool", {is_sorted, cost_of_elements}},
    {"list_string_is_sorted_bool", {is_sorted, cost_of_elements}},
    {"list_bytes_is_sorted_bool", {is_sorted, cost_of_elements}},
    {"list_int_sum_int", {sum_integers, cost_of_elements}},
    {"list_uint_sum_uint", {sum_unsigned, cost_of_elements}},
    {"list_double_sum_double", {sum_floating, cost_of_elements}},
    {"list_duration_sum_duration", {sum_durations, cost_of_elements}},
    {"list_int_max_int", {max, cost_of_elements}},
    {"list_uint_max_uint", {max, cost_of_elements}},
    {"list_double_max_double", {max, cost_of_elements}},
    {"list_bool_max_bool", {max, cost_of_elements}},
    {"list_duration_max_duration", {max, cost_of_elements}},
    {"list_string_max_string", {max, cost_of_elements}},
    {"list_bytes_max_bytes", {max, cost_of_elements}},
    {"list_int_min_int", {min, cost_of_elements}},
    {"list_uint_min_uint", {min, cost_of_elements}},
    {"list_double_min_double", {min, cost_of_elements}},
    {"list_bool_min_bool", {min, cost_of_elements}},
    {"list_duration_min_duration", {min, cost_of_elements}},
    {"list_string_min_string", {min, cost_of_elements}},
    {"list_bytes_min_bytes", {min, cost_of_elements}},
    {"list_a_index_of_int", {index_of, cost_of_elements}},
    {"list_a_last_index_of_int", {last_index_of, cost_of_elements}},
    {"list_sets_contains_list", {set_contains, [](Arguments a, const Value&) { return 1 + pairs(a); }}},
    {"list_sets_equivalent_list", {set_equivalent, [](Arguments a, const Value&) { return 1 + 2 * pairs(a); }}},
    {"list_sets_intersects_list", {set_intersects, [](Arguments a, const Value&) { return 1 + pairs(a); }}},
};

}  // namespace

}  // namespace lists

std::span<const NamedImplementation> list_functions() {
  return lists::table;
}

}  // namespace nodebound::cel
