#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "reference/cel/syntax/source.h"
#include "reference/cel/types/type.h"

namespace nodebound::cel {

struct Null {};
struct Bytes {
  std::string data;
};
using Literal = std::variant<Null, bool, std::int64_t, std::uint64_t, double, std::string, Bytes>;

struct Overload;
struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

/// A node of an expression, after macros. Children are in the order in which the checker visits them.
struct Expr {
  enum class Kind {
    literal,
    ident,          ///< `name`
    select,         ///< `children[0].name`
    call,           ///< `name(children…)`, or `children[0].name(children…)` if `is_member`
    list,           ///< `[children…]`
    map,            ///< `{children[0]: children[1], …}`
    message,        ///< `name{fields[0]: children[0], …}`
    comprehension,  ///< a loop: see `Loop`
  };
  /// Places of a comprehension's children.
  struct Loop {
    static constexpr std::size_t range = 0, init = 1, condition = 2, step = 3, result = 4;
  };

  Kind kind = Kind::literal;
  Offset at = nowhere;
  Literal literal;
  std::string name;
  std::vector<ExprPtr> children;
  bool is_member = false;
  bool test_only = false;                        ///< a selection that `has()` made
  std::vector<bool> optional;                    ///< list elements, map or message entries written with `?`
  std::vector<std::string> fields;               ///< of a message
  std::vector<Offset> entries;                   ///< where the entries of a map or message are
  std::string variable, variable2, accumulator;  ///< of a comprehension; `variable2` may be empty

  int height = 0;  ///< of the operations within each other, before macros

  TypePtr type;                            ///< set by the checker
  std::vector<const Overload*> overloads;  ///< of a call: those that its arguments match
};

ExprPtr copy(const Expr& expr);

}  // namespace nodebound::cel
