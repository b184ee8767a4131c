#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "reference/cel/evaluation/numbers.h"
#include "reference/cel/functions/functions.h"
#include "reference/encoding/utf8.h"

namespace nodebound::cel {

namespace conversions {

namespace {

Value identity(Arena&, Arguments arguments) {
  return arguments[0];
}

Value unreadable(Arena& arena, std::string_view type) {
  return arena.error("type conversion error from 'string' to '" + std::string(type) + "'");
}

Value string_to_bool(Arena& arena, Arguments arguments) {
  if (const auto value = parse_go_boolean(arguments[0].text())) return Value::of(*value);
  return unreadable(arena, "bool");
}
Value string_to_int(Arena& arena, Arguments arguments) {
  if (const auto value = parse_go_integer(arguments[0].text())) return Value::of(*value);
  return unreadable(arena, "int");
}
Value string_to_uint(Arena& arena, Arguments arguments) {
  if (const auto value = parse_go_unsigned(arguments[0].text())) return Value::of(*value);
  return unreadable(arena, "uint");
}
Value string_to_double(Arena& arena, Arguments arguments) {
  if (const auto value = parse_go_floating(arguments[0].text())) return Value::of(*value);
  return unreadable(arena, "double");
}
Value string_to_bytes(Arena&, Arguments arguments) {
  return Value::bytes(arguments[0].text());
}
Value string_to_duration(Arena& arena, Arguments arguments) {
  if (const auto value = parse_go_duration(arguments[0].text())) return Value::duration(*value);
  return unreadable(arena, "google.protobuf.Duration");
}

Value double_to_int(Arena&, Arguments arguments) {
  const double value = arguments[0].floating();
  if (std::isnan(value) || value <= -0x1p63 || value >= 0x1p63) return Value::error("integer overflow");
  return Value::of(static_cast<std::int64_t>(value));
}
Value uint_to_int(Arena&, Arguments arguments) {
  const std::uint64_t value = arguments[0].unsigned_integer();
  if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    return Value::error("integer overflow");
  return Value::of(static_cast<std::int64_t>(value));
}
Value duration_to_int(Arena&, Arguments arguments) {
  return Value::of(arguments[0].integer());
}
Value double_to_uint(Arena&, Arguments arguments) {
  const double value = arguments[0].floating();
  if (std::isnan(value) || value < 0 || value >= 0x1p64) return Value::error("unsigned integer overflow");
  return Value::of(static_cast<std::uint64_t>(value));
}
Value int_to_uint(Arena&, Arguments arguments) {
  if (arguments[0].integer() < 0) return Value::error("unsigned integer overflow");
  return Value::of(static_cast<std::uint64_t>(arguments[0].integer()));
}
Value int_to_double(Arena&, Arguments arguments) {
  return Value::of(static_cast<double>(arguments[0].integer()));
}
Value uint_to_double(Arena&, Arguments arguments) {
  return Value::of(static_cast<double>(arguments[0].unsigned_integer()));
}
Value int_to_duration(Arena&, Arguments arguments) {
  return Value::duration(arguments[0].integer());
}

Value bytes_to_string(Arena&, Arguments arguments) {
  if (!is_utf8(arguments[0].text())) return Value::error("invalid UTF-8 in bytes, cannot convert to string");
  return Value::of(arguments[0].text());
}
Value any_to_string(Arena& arena, Arguments arguments) {
  return arena.string(to_string(arguments[0]));
}
Value duration_to_string(Arena& arena, Arguments arguments) {
  // Go prints the seconds with all their digits.
  const auto seconds = static_cast<double>(arguments[0].integer() / 1'000'000'000) +
                       static_cast<double>(arguments[0].integer() % 1'000'000'000) / 1e9;
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), seconds, std::chars_format::fixed).ptr;
  return arena.string(std::string(buffer.data(), end) + "s");
}

Value type_of_value(Arena&, Arguments arguments) {
  static const Type optional{Type::Kind::opaque, "optional_type", {}};
  switch (arguments[0].kind()) {
    case Value::Kind::null:
      return Value::of(*make_type(Type::Kind::null));
    case Value::Kind::boolean:
      return Value::of(*make_type(Type::Kind::boolean));
    case Value::Kind::integer:
      return Value::of(*make_type(Type::Kind::integer));
    case Value::Kind::unsigned_integer:
      return Value::of(*make_type(Type::Kind::unsigned_integer));
    case Value::Kind::floating:
      return Value::of(*make_type(Type::Kind::floating));
    case Value::Kind::string:
      return Value::of(*make_type(Type::Kind::string));
    case Value::Kind::bytes:
      return Value::of(*make_type(Type::Kind::bytes));
    case Value::Kind::duration:
      return Value::of(*make_type(Type::Kind::duration));
    case Value::Kind::list:
      return Value::of(*make_type(Type::Kind::list));
    case Value::Kind::map:
      return Value::of(*make_type(Type::Kind::map));
    case Value::Kind::optional:
      return Value::of(optional);
    default:
      return Value::of(*make_type(Type::Kind::type));
  }
}

constexpr std::int64_t millisecond = 1'000'000;
template <std::int64_t Unit>
Value duration_in(Arena&, Arguments arguments) {
  return Value::of(arguments[0].integer() / Unit);
}

constexpr NamedImplementation table[] = {
    {"bool_to_bool", {identity, cost_of_one}},
    {"string_to_bool", {string_to_bool, cost_of_one}},
    {"bytes_to_bytes", {identity, cost_of_one}},
    {"string_to_bytes", {string_to_bytes, cost_of_traversal}},
    {"double_to_double", {identity, cost_of_one}},
    {"int64_to_double", {int_to_double, cost_of_one}},
    {"uint64_to_double", {uint_to_double, cost_of_one}},
    {"string_to_double", {string_to_double, cost_of_one}},
    {"duration_to_duration", {identity, cost_of_one}},
    {"int64_to_duration", {int_to_duration, cost_of_one}},
    {"string_to_duration", {string_to_duration, cost_of_one}},
    {"to_dyn", {identity, cost_of_one}},
    {"int64_to_int64", {identity, cost_of_one}},
    {"double_to_int64", {double_to_int, cost_of_one}},
    {"duration_to_int64", {duration_to_int, cost_of_one}},
    {"string_to_int64", {string_to_int, cost_of_one}},
    {"uint64_to_int64", {uint_to_int, cost_of_one}},
    {"string_to_string", {identity, cost_of_one}},
    {"bool_to_string", {any_to_string, cost_of_one}},
    {"bytes_to_string", {bytes_to_string, cost_of_traversal}},
    {"double_to_string", {any_to_string, cost_of_one}},
    {"int64_to_string", {any_to_string, cost_of_one}},
    {"uint64_to_string", {any_to_string, cost_of_one}},
    {"duration_to_string", {duration_to_string, cost_of_one}},
    {"uint64_to_uint64", {identity, cost_of_one}},
    {"double_to_uint64", {double_to_uint, cost_of_one}},
    {"int64_to_uint64", {int_to_uint, cost_of_one}},
    {"string_to_uint64", {string_to_uint, cost_of_one}},
    {"type", {type_of_value, cost_of_one}},
    {"duration_to_hours", {duration_in<3'600'000 * millisecond>, cost_of_one}},
    {"duration_to_minutes", {duration_in<60'000 * millisecond>, cost_of_one}},
    {"duration_to_seconds", {duration_in<1'000 * millisecond>, cost_of_one}},
    {"duration_to_milliseconds", {duration_in<millisecond>, cost_of_one}},
};

}  // namespace

}  // namespace conversions

std::span<const NamedImplementation> conversion_functions() {
  return conversions::table;
}

}  // namespace nodebound::cel
