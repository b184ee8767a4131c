#include "reference/cel/functions/functions.h"

#include <cmath>
#include <unordered_map>

namespace nodebound::cel {

namespace {

constexpr double traversal_factor = 0.1;
constexpr double regex_factor = 0.25;

std::uint64_t rounded_up(double cost) {
  return static_cast<std::uint64_t>(std::ceil(cost));
}
std::uint64_t traversal(std::uint64_t size) {
  return rounded_up(static_cast<double>(size) * traversal_factor);
}

std::uint64_t elements_cost(const Value& value) {
  std::uint64_t out = 0;
  switch (value.kind()) {
    case Value::Kind::string:
    case Value::Kind::bytes:
      return static_cast<std::uint64_t>(static_cast<double>(value.text().size()) * traversal_factor);
    case Value::Kind::list:
      for (std::size_t i = 0; i < value.list().size(); ++i) out += elements_cost(value.list().at(i));
      return out;
    case Value::Kind::map:
      for (std::size_t i = 0; i < value.map().size(); ++i) {
        const Value key = value.map().key(i);
        out += elements_cost(key) + elements_cost(*value.map().find(key));
      }
      return out;
    default:
      return 1;
  }
}

}  // namespace

std::uint64_t cost_of_one(Arguments, const Value&) {
  return 1;
}
std::uint64_t cost_of_traversal(Arguments arguments, const Value&) {
  return traversal(size_of(arguments[0]));
}
std::uint64_t cost_of_two_traversals(Arguments arguments, const Value&) {
  return rounded_up(static_cast<double>(size_of(arguments[0])) * 2 * traversal_factor);
}
std::uint64_t cost_of_result(Arguments, const Value& result) {
  return rounded_up(static_cast<double>(size_of(result)) * 2 * traversal_factor);
}
std::uint64_t cost_of_shorter(Arguments arguments, const Value&) {
  return traversal(std::min(size_of(arguments[0]), size_of(arguments[1])));
}
std::uint64_t cost_of_both(Arguments arguments, const Value&) {
  return traversal(size_of(arguments[0]) + size_of(arguments[1]));
}
std::uint64_t cost_of_second(Arguments arguments, const Value&) {
  return size_of(arguments[1]);
}
std::uint64_t cost_of_regex(Arguments arguments, const Value&) {
  return rounded_up((1.0 + static_cast<double>(size_of(arguments[0]))) * traversal_factor) *
         rounded_up(static_cast<double>(size_of(arguments[1])) * regex_factor);
}
std::uint64_t cost_of_search(Arguments arguments, const Value&) {
  return traversal(size_of(arguments[0])) * traversal(size_of(arguments[1]));
}
std::uint64_t cost_of_elements(Arguments arguments, const Value&) {
  return elements_cost(arguments[0]);
}

Implementation implementation_of(std::string_view overload) {
  static const std::unordered_map<std::string_view, Implementation> all = [] {
    std::unordered_map<std::string_view, Implementation> out;
    for (const auto table : {operator_functions(), conversion_functions(), string_functions(), list_functions(),
                             optional_functions(), authorizer_functions()}) {
      for (const NamedImplementation& one : table) out.emplace(one.overload, one.implementation);
    }
    return out;
  }();
  const auto found = all.find(overload);
  return found == all.end() ? Implementation{} : found->second;
}

}  // namespace nodebound::cel
