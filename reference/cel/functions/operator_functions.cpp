#include <array>
#include <limits>

#include "reference/cel/functions/functions.h"

namespace nodebound::cel {

namespace operators {

namespace {

constexpr std::string_view integer_overflow = "integer overflow";
constexpr std::string_view unsigned_overflow = "unsigned integer overflow";
constexpr std::string_view duration_overflow = "duration overflow";

// `builtin` is one of the compiler's operations that tell whether the result fits.
#define NODEBOUND_CEL_CHECKED(name, builtin)                                                                   \
  Value name(Arena&, Arguments arguments) {                                                                    \
    const Value& a = arguments[0];                                                                             \
    const Value& b = arguments[1];                                                                             \
    if (a.kind() != b.kind()) return Value::error(no_such_overload);                                           \
    if (a.is(Value::Kind::unsigned_integer)) {                                                                 \
      std::uint64_t out = 0;                                                                                   \
      if (builtin(a.unsigned_integer(), b.unsigned_integer(), &out)) return Value::error(unsigned_overflow);   \
      return Value::of(out);                                                                                   \
    }                                                                                                          \
    std::int64_t out = 0;                                                                                      \
    const bool overflow = builtin(a.integer(), b.integer(), &out);                                             \
    if (a.is(Value::Kind::duration)) return overflow ? Value::error(duration_overflow) : Value::duration(out); \
    return overflow ? Value::error(integer_overflow) : Value::of(out);                                         \
  }
NODEBOUND_CEL_CHECKED(add_checked, __builtin_add_overflow)
NODEBOUND_CEL_CHECKED(subtract_checked, __builtin_sub_overflow)
NODEBOUND_CEL_CHECKED(multiply_checked, __builtin_mul_overflow)
#undef NODEBOUND_CEL_CHECKED

Value concatenate_lists(Arena& arena, const List& a, const List& b) {
  const std::span<Value> out = arena.values(a.size() + b.size());
  for (std::size_t i = 0; i < a.size(); ++i) out[i] = a.at(i);
  for (std::size_t i = 0; i < b.size(); ++i) out[a.size() + i] = b.at(i);
  return arena.list(out);
}

Value add(Arena& arena, Arguments arguments) {
  const Value& a = arguments[0];
  const Value& b = arguments[1];
  if (a.kind() != b.kind()) return Value::error(no_such_overload);
  switch (a.kind()) {
    case Value::Kind::floating:
      return Value::of(a.floating() + b.floating());
    case Value::Kind::string:
      return arena.string(std::string(a.text()).append(b.text()));
    case Value::Kind::bytes:
      return arena.bytes(std::string(a.text()).append(b.text()));
    case Value::Kind::list:
      return concatenate_lists(arena, a.list(), b.list());
    case Value::Kind::integer:
    case Value::Kind::unsigned_integer:
    case Value::Kind::duration:
      return add_checked(arena, arguments);
    default:
      return Value::error("no such overload: _+_");
  }
}

Value subtract(Arena& arena, Arguments arguments) {
  if (arguments[0].is(Value::Kind::floating) && arguments[1].is(Value::Kind::floating)) {
    return Value::of(arguments[0].floating() - arguments[1].floating());
  }
  return subtract_checked(arena, arguments);
}

Value multiply(Arena& arena, Arguments arguments) {
  if (arguments[0].is(Value::Kind::floating) && arguments[1].is(Value::Kind::floating)) {
    return Value::of(arguments[0].floating() * arguments[1].floating());
  }
  return multiply_checked(arena, arguments);
}

// Quotient or remainder of integers; `by_zero` is what cel-go says of a zero divisor.
template <typename Operation>
Value divide_integers(Arguments arguments, std::string_view by_zero, Operation operation) {
  const Value& a = arguments[0];
  const Value& b = arguments[1];
  if (a.kind() != b.kind()) return Value::error(no_such_overload);
  if (a.is(Value::Kind::unsigned_integer)) {
    if (b.unsigned_integer() == 0) return Value::error(by_zero);
    return Value::of(operation(a.unsigned_integer(), b.unsigned_integer()));
  }
  if (b.integer() == 0) return Value::error(by_zero);
  if (a.integer() == std::numeric_limits<std::int64_t>::min() && b.integer() == -1)
    return Value::error(integer_overflow);
  return Value::of(operation(a.integer(), b.integer()));
}

Value divide(Arena&, Arguments arguments) {
  if (arguments[0].is(Value::Kind::floating) && arguments[1].is(Value::Kind::floating)) {
    return Value::of(arguments[0].floating() / arguments[1].floating());
  }
  return divide_integers(arguments, "division by zero", [](auto a, auto b) { return a / b; });
}

Value modulo(Arena&, Arguments arguments) {
  return divide_integers(arguments, "modulus by zero", [](auto a, auto b) { return a % b; });
}

Value negate(Arena&, Arguments arguments) {
  if (arguments[0].is(Value::Kind::floating)) return Value::of(-arguments[0].floating());
  if (!arguments[0].is(Value::Kind::integer)) return Value::error(no_such_overload);
  if (arguments[0].integer() == std::numeric_limits<std::int64_t>::min()) return Value::error(integer_overflow);
  return Value::of(-arguments[0].integer());
}

Value logical_not(Arena&, Arguments arguments) {
  return Value::of(!arguments[0].boolean());
}

template <typename Holds>
Value ordered(Arguments arguments, Holds holds) {
  if (const std::optional<int> order = compare(arguments[0], arguments[1])) return Value::of(holds(*order));
  const bool numbers = arguments[0].is(Value::Kind::floating) || arguments[1].is(Value::Kind::floating);
  return Value::error(numbers ? std::string_view("NaN values cannot be ordered") : no_such_overload);
}
Value less(Arena&, Arguments arguments) {
  return ordered(arguments, [](int order) { return order < 0; });
}
Value less_equals(Arena&, Arguments arguments) {
  return ordered(arguments, [](int order) { return order <= 0; });
}
Value greater(Arena&, Arguments arguments) {
  return ordered(arguments, [](int order) { return order > 0; });
}
Value greater_equals(Arena&, Arguments arguments) {
  return ordered(arguments, [](int order) { return order >= 0; });
}

Value in_list(Arena&, Arguments arguments) {
  const List& list = arguments[1].list();
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (equal(arguments[0], list.at(i))) return Value::of(true);
  }
  return Value::of(false);
}
Value in_map(Arena&, Arguments arguments) {
  return Value::of(arguments[1].map().find(arguments[0]).has_value());
}

Value size(Arena&, Arguments arguments) {
  return Value::of(static_cast<std::int64_t>(size_of(arguments[0])));
}

Value insert(Arena& arena, const Map& map, const Value& key, const Value& value) {
  if (map.find(key)) return arena.error("insert failed: key " + to_string(key) + " already exists");
  std::vector<Value> entries;
  for (std::size_t i = 0; i < map.size(); ++i) {
    entries.push_back(map.key(i));
    entries.push_back(*map.find(entries.back()));
  }
  entries.push_back(key);
  entries.push_back(value);
  return arena.map(entries);
}
Value insert_entry(Arena& arena, Arguments arguments) {
  return insert(arena, arguments[0].map(), arguments[1], arguments[2]);
}
Value insert_map(Arena& arena, Arguments arguments) {
  Value out = arguments[0];
  const Map& more = arguments[1].map();
  for (std::size_t i = 0; i < more.size() && !out.is_error(); ++i) {
    out = insert(arena, out.map(), more.key(i), *more.find(more.key(i)));
  }
  return out;
}

template <std::size_t Size>
constexpr auto with(Implementation implementation, const std::string_view (&overloads)[Size]) {
  std::array<NamedImplementation, Size> out{};
  for (std::size_t i = 0; i < Size; ++i) out[i] = {overloads[i], implementation};
  return out;
}

template <std::size_t... Sizes>
std::vector<NamedImplementation> joined(const std::array<NamedImplementation, Sizes>&... tables) {
  std::vector<NamedImplementation> out;
  (out.insert(out.end(), tables.begin(), tables.end()), ...);
  return out;
}

// The comparisons of one operator: cel-go has an overload for each pair of types.
void add_comparisons(std::vector<NamedImplementation>& out, std::span<const std::string_view> ids, Function function) {
  for (const std::string_view id : ids) {
    const bool traverses = id.ends_with("_string") || id.ends_with("_bytes");
    out.push_back({id, {function, traverses ? cost_of_shorter : cost_of_one}});
  }
}

#define NODEBOUND_CEL_COMPARISONS(name)                                                                           \
  name "_bool", name "_int64", name "_int64_double", name "_int64_uint64", name "_uint64", name "_uint64_double", \
      name "_uint64_int64", name "_double", name "_double_int64", name "_double_uint64", name "_string",          \
      name "_bytes", name "_duration"
constexpr std::string_view less_ids[] = {NODEBOUND_CEL_COMPARISONS("less")};
constexpr std::string_view less_equals_ids[] = {NODEBOUND_CEL_COMPARISONS("less_equals")};
constexpr std::string_view greater_ids[] = {NODEBOUND_CEL_COMPARISONS("greater")};
constexpr std::string_view greater_equals_ids[] = {NODEBOUND_CEL_COMPARISONS("greater_equals")};
#undef NODEBOUND_CEL_COMPARISONS

std::vector<NamedImplementation> make_table() {
  std::vector<NamedImplementation> out = joined(
      with({add, cost_of_one}, {"add_int64", "add_uint64", "add_double", "add_duration_duration", "add_list"}),
      with({add, cost_of_both}, {"add_string", "add_bytes"}),
      with({subtract, cost_of_one},
           {"subtract_int64", "subtract_uint64", "subtract_double", "subtract_duration_duration"}),
      with({multiply, cost_of_one}, {"multiply_int64", "multiply_uint64", "multiply_double"}),
      with({divide, cost_of_one}, {"divide_int64", "divide_uint64", "divide_double"}),
      with({modulo, cost_of_one}, {"modulo_int64", "modulo_uint64"}),
      with({negate, cost_of_one}, {"negate_int64", "negate_double"}), with({logical_not, cost_of_one}, {"logical_not"}),
      with({in_list, cost_of_second}, {"in_list"}), with({in_map, cost_of_one}, {"in_map"}),
      with({size, cost_of_one}, {"size_string", "string_size", "size_bytes", "bytes_size", "size_list", "list_size",
                                 "size_map", "map_size"}),
      with({insert_entry, cost_of_one}, {"@mapInsert_map_key_value"}),
      with({insert_map, cost_of_one}, {"@mapInsert_map_map"}));
  add_comparisons(out, less_ids, less);
  add_comparisons(out, less_equals_ids, less_equals);
  add_comparisons(out, greater_ids, greater);
  add_comparisons(out, greater_equals_ids, greater_equals);
  return out;
}

}  // namespace

}  // namespace operators

std::span<const NamedImplementation> operator_functions() {
  static const std::vector<NamedImplementation> all = operators::make_table();
  return all;
}

}  // namespace nodebound::cel
