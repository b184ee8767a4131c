#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "reference/cel/evaluation/value.h"

namespace nodebound::cel {

using Arguments = std::span<const Value>;

/// Evaluates one overload. No argument is an error.
using Function = Value (*)(Arena&, Arguments);
/// What a call costs, given arguments, any of which may be an error, and result.
using Cost = std::uint64_t (*)(Arguments, const Value& result);

struct Implementation {
  Function function = nullptr;
  Cost cost = nullptr;
};

/// How the overload with cel-go's id is evaluated; `function` is null if Nodebound cannot.
Implementation implementation_of(std::string_view overload);

/// One entry of a table of overloads.
struct NamedImplementation {
  std::string_view overload;
  Implementation implementation;
};

// The tables that there are, one for each source.
std::span<const NamedImplementation> operator_functions();
std::span<const NamedImplementation> conversion_functions();
std::span<const NamedImplementation> string_functions();
std::span<const NamedImplementation> list_functions();
std::span<const NamedImplementation> optional_functions();
std::span<const NamedImplementation> authorizer_functions();

// What calls cost (cel-go's interpreter/runtimecost.go, and pkg/cel/library/cost.go below k8s.io/apiserver).
std::uint64_t cost_of_one(Arguments, const Value&);
std::uint64_t cost_of_traversal(Arguments, const Value&);
std::uint64_t cost_of_two_traversals(Arguments, const Value&);
std::uint64_t cost_of_result(Arguments, const Value&);
std::uint64_t cost_of_shorter(Arguments, const Value&);
std::uint64_t cost_of_both(Arguments, const Value&);
std::uint64_t cost_of_second(Arguments, const Value&);
std::uint64_t cost_of_regex(Arguments, const Value&);
std::uint64_t cost_of_search(Arguments, const Value&);
std::uint64_t cost_of_elements(Arguments, const Value&);

constexpr std::string_view no_such_overload = "no such overload";

}  // namespace nodebound::cel
