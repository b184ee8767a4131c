#include "reference/cel/functions/functions.h"

namespace nodebound::cel {

namespace optionals {

namespace {

bool is_zero(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::null:
      return true;
    case Value::Kind::boolean:
    case Value::Kind::integer:
    case Value::Kind::duration:
      return value.integer() == 0;
    case Value::Kind::unsigned_integer:
      return value.unsigned_integer() == 0;
    case Value::Kind::floating:
      return value.floating() == 0;
    case Value::Kind::string:
    case Value::Kind::bytes:
      return value.text().empty();
    case Value::Kind::list:
      return value.list().size() == 0;
    case Value::Kind::map:
      return value.map().size() == 0;
    default:
      return false;
  }
}

Value none(Arena&, Arguments) {
  return Value::optional(nullptr);
}
Value of(Arena& arena, Arguments arguments) {
  return arena.optional(arguments[0]);
}
Value of_non_zero(Arena& arena, Arguments arguments) {
  return is_zero(arguments[0]) ? Value::optional(nullptr) : arena.optional(arguments[0]);
}
Value value_of(Arena&, Arguments arguments) {
  const Value* inner = arguments[0].inner();
  return inner == nullptr ? Value::error("optional.none() dereference") : *inner;
}
Value has_value(Arena&, Arguments arguments) {
  return Value::of(arguments[0].inner() != nullptr);
}

Value first(Arena& arena, Arguments arguments) {
  const List& list = arguments[0].list();
  return list.size() == 0 ? Value::optional(nullptr) : arena.optional(list.at(0));
}
Value last(Arena& arena, Arguments arguments) {
  const List& list = arguments[0].list();
  return list.size() == 0 ? Value::optional(nullptr) : arena.optional(list.at(list.size() - 1));
}
Value unwrap(Arena& arena, Arguments arguments) {
  const List& list = arguments[0].list();
  std::vector<Value> out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value element = list.at(i);
    if (!element.is(Value::Kind::optional)) return arena.error("value " + to_string(element) + " is not optional");
    if (element.inner() != nullptr) out.push_back(*element.inner());
  }
  return arena.list(out);
}

constexpr NamedImplementation table[] = {
    {"optional_none", {none, cost_of_one}},
    {"optional_of", {of, cost_of_one}},
    {"optional_ofNonZeroValue", {of_non_zero, cost_of_one}},
    {"optional_value", {value_of, cost_of_one}},
    {"optional_hasValue", {has_value, cost_of_one}},
    {"list_first", {first, cost_of_one}},
    {"list_last", {last, cost_of_one}},
    {"optional_unwrap", {unwrap, cost_of_one}},
    {"optional_unwrapOpt", {unwrap, cost_of_one}},
};

}  // namespace

}  // namespace optionals

std::span<const NamedImplementation> optional_functions() {
  return optionals::table;
}

}  // namespace nodebound::cel
