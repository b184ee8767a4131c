#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "reference/cel/evaluation/regex.h"
#include "reference/cel/evaluation/value.h"
#include "reference/cel/functions/functions.h"
#include "reference/cel/syntax/ast.h"
#include "reference/cel/types/environment.h"

namespace nodebound::cel {

/// A checked expression as a flat list of nodes, in the shape in which cel-go plans it (interpreter/planner.go),
/// because what evaluation costs depends on that shape.
class Program {
 public:
  using Index = std::uint32_t;

  enum class Operation : std::uint8_t {
    constant,
    attribute,  ///< a variable, or the value of another node, and selections in it
    conditional,
    logical_and,
    logical_or,
    equals,
    not_equals,
    not_strictly_false,
    member_of_set,  ///< `in` a list of constants
    call,
    matches,  ///< with a constant expression
    find,     ///< likewise
    or_optional,
    or_value,
    list,
    map,
    append,  ///< to the list that a loop gathers
    loop,
  };

  /// A step of an attribute: a field, a key or an index.
  struct Qualifier {
    Value key;  ///< if it is a constant
    bool computed = false;
    Index node = 0;  ///< of the key otherwise
    bool optional = false;
    bool presence = false;  ///< whether there is such a thing, as has() asks
  };

  struct Node {
    Operation operation = Operation::constant;
    Value constant;
    std::uint32_t first = 0, count = 0;  ///< its children, in `children`
    std::uint32_t slot = 0;              ///< of the variable, or the first of a loop
    bool is_variable = false;
    bool observed = true;       ///< whether an attribute itself costs something
    bool checks_types = false;  ///< a call with an argument of which the checker knows no type
    std::vector<Qualifier> qualifiers;
    std::vector<bool> optional;
    Implementation implementation;
    std::vector<const Overload*> overloads;
    std::vector<Implementation> implementations;
    std::string name;
    std::shared_ptr<const Regex> regex;
    bool two_variables = false;
  };

  struct Outcome {
    Value value;  ///< may be an error; lives as long as the memory
    std::uint64_t cost = 0;
  };

  /// Or why the API server, or Nodebound, cannot: the text is cel-go's, or has a position if Nodebound knows no such
  /// function. `variables` are the names of those that evaluation is given, in their order.
  static tl::expected<std::shared_ptr<const Program>, std::string> plan(const Expr& expr,
                                                                        std::shared_ptr<const Environment> environment,
                                                                        const std::vector<std::string>& variables,
                                                                        Issues& unsupported);

  [[nodiscard]] Outcome evaluate(std::span<const Value> variables, std::pmr::memory_resource& memory) const;

  /// The limit on what one call may cost (celconfig.PerCallLimit).
  static constexpr std::uint64_t cost_limit = 1'000'000;

 private:
  friend class Planner;
  friend class Evaluator;

  std::shared_ptr<const Environment> environment_;  // owns the overloads
  std::pmr::monotonic_buffer_resource constants_;
  std::vector<TypePtr> types_;
  std::vector<Node> nodes_;
  std::vector<Index> children_;
  Index root_ = 0;
  std::uint32_t slots_ = 0;
};

}  // namespace nodebound::cel
