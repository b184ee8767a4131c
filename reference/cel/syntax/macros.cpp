#include "reference/cel/syntax/macros.h"

#include <algorithm>
#include <utility>

namespace nodebound::cel {

namespace {

// What a macro's loop gathers its result in; no identifier can be spelled so.
constexpr const char* accumulator = "@result";
// The same in older versions of cel-go: still no name for a variable.
constexpr const char* old_accumulator = "__result__";

using Expansion = tl::expected<ExprPtr, MacroMistake>;

// Makes nodes that all have the place of the macro's call.
class Maker {
 public:
  explicit Maker(Offset at) : at_(at) {}

  [[nodiscard]] ExprPtr literal(Literal value) const {
    ExprPtr out = node(Expr::Kind::literal);
    out->literal = std::move(value);
    return out;
  }
  [[nodiscard]] ExprPtr ident(std::string name) const {
    ExprPtr out = node(Expr::Kind::ident);
    out->name = std::move(name);
    return out;
  }
  [[nodiscard]] ExprPtr result() const { return ident(accumulator); }
  template <typename... Operand>
  [[nodiscard]] ExprPtr call(std::string name, Operand... operands) const {
    ExprPtr out = node(Expr::Kind::call);
    out->name = std::move(name);
    (out->children.push_back(std::move(operands)), ...);
    return out;
  }
  template <typename... Operand>
  [[nodiscard]] ExprPtr member_call(std::string name, Operand... operands) const {
    ExprPtr out = call(std::move(name), std::move(operands)...);
    out->is_member = true;
    return out;
  }
  template <typename... Element>
  [[nodiscard]] ExprPtr list(Element... elements) const {
    ExprPtr out = node(Expr::Kind::list);
    (out->children.push_back(std::move(elements)), ...);
    out->optional.assign(out->children.size(), false);
    return out;
  }
  [[nodiscard]] ExprPtr map() const { return node(Expr::Kind::map); }
  [[nodiscard]] ExprPtr node(Expr::Kind kind) const {
    auto out = std::make_unique<Expr>();
    out->kind = kind;
    out->at = at_;
    return out;
  }

  struct Loop {
    ExprPtr range;
    std::vector<std::string> variables;
    std::string accumulator = cel::accumulator;
    ExprPtr init, condition, step, result;
  };
  [[nodiscard]] ExprPtr loop(Loop loop) const {
    ExprPtr out = node(Expr::Kind::comprehension);
    out->variable = loop.variables[0];
    if (loop.variables.size() > 1) out->variable2 = loop.variables[1];
    out->accumulator = std::move(loop.accumulator);
    for (ExprPtr* child : {&loop.range, &loop.init, &loop.condition, &loop.step, &loop.result}) {
      out->children.push_back(std::move(*child));
    }
    return out;
  }

 private:
  Offset at_;
};

tl::unexpected<MacroMistake> mistake(Offset at, std::string message) {
  return tl::unexpected(MacroMistake{at, std::move(message)});
}

// The first `count` arguments as names of variables.
tl::expected<std::vector<std::string>, MacroMistake> variables_of(const MacroCall& call, std::size_t count,
                                                                  const char* no_name) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i) {
    const Expr& argument = *call.arguments[i];
    if (argument.kind != Expr::Kind::ident) return mistake(argument.at, no_name);
    out.push_back(argument.name);
  }
  if (count == 2 && out[0] == out[1]) return mistake(call.arguments[1]->at, "duplicate variable name: " + out[0]);
  for (std::size_t i = 0; i < count; ++i) {
    if (out[i] != accumulator && out[i] != old_accumulator) continue;
    return mistake(call.arguments[i]->at, "iteration variable overwrites accumulator variable");
  }
  return out;
}

Expansion has(MacroCall& call) {
  ExprPtr& argument = call.arguments[0];
  if (argument->kind != Expr::Kind::select) return mistake(argument->at, "invalid argument to has() macro");
  ExprPtr out = std::move(argument);
  out->at = call.at;
  out->test_only = true;
  return out;
}

// all, exists, exists_one
Expansion quantifier(MacroCall& call) {
  const Maker make(call.at);
  const std::size_t names = call.arguments.size() - 1;
  auto variables = variables_of(call, names, "argument must be a simple name");
  if (!variables) return tl::unexpected(variables.error());
  Maker::Loop loop;
  loop.range = std::move(call.target);
  loop.variables = std::move(*variables);
  ExprPtr predicate = std::move(call.arguments[names]);
  loop.result = make.result();
  if (call.name == "all") {
    loop.init = make.literal(true);
    loop.condition = make.call("@not_strictly_false", make.result());
    loop.step = make.call("_&&_", make.result(), std::move(predicate));
  } else if (call.name == "exists") {
    loop.init = make.literal(false);
    loop.condition = make.call("@not_strictly_false", make.call("!_", make.result()));
    loop.step = make.call("_||_", make.result(), std::move(predicate));
  } else {
    const std::int64_t one = 1;
    loop.init = make.literal(std::int64_t{0});
    loop.condition = make.literal(true);
    loop.step =
        make.call("_?_:_", std::move(predicate), make.call("_+_", make.result(), make.literal(one)), make.result());
    loop.result = make.call("_==_", make.result(), make.literal(one));
  }
  return make.loop(std::move(loop));
}

// map, filter, transformList, transformMap, transformMapEntry
Expansion gather(MacroCall& call) {
  const Maker make(call.at);
  const bool is_transform = call.name.substr(0, 9) == "transform";
  const std::size_t names = is_transform ? 2 : 1;
  auto variables =
      variables_of(call, names, is_transform ? "argument must be a simple name" : "argument is not an identifier");
  if (!variables) return tl::unexpected(variables.error());
  Maker::Loop loop;
  loop.range = std::move(call.target);
  loop.variables = std::move(*variables);
  loop.condition = make.literal(true);
  loop.result = make.result();
  ExprPtr value = call.name == "filter" ? std::move(call.arguments[0]) : std::move(call.arguments.back());
  const bool filtered = call.name == "filter" || call.arguments.size() == names + 2;
  if (call.name == "transformMap") {
    loop.init = make.map();
    loop.step = make.call("cel.@mapInsert", make.result(), make.ident(loop.variables[0]), std::move(value));
  } else if (call.name == "transformMapEntry") {
    loop.init = make.map();
    loop.step = make.call("cel.@mapInsert", make.result(), std::move(value));
  } else {
    loop.init = make.list();
    loop.step = make.call("_+_", make.result(), make.list(std::move(value)));
  }
  if (filtered) {
    loop.step = make.call("_?_:_", std::move(call.arguments[names]), std::move(loop.step), make.result());
  }
  return make.loop(std::move(loop));
}

// A loop over nothing binds a name to a value.
ExprPtr bind(const Maker& make, const std::string& name, ExprPtr value, ExprPtr in) {
  Maker::Loop loop;
  loop.range = make.list();
  loop.variables = {"#unused"};
  loop.accumulator = name;
  loop.init = std::move(value);
  loop.condition = make.literal(false);
  loop.step = make.ident(name);
  loop.result = std::move(in);
  return make.loop(std::move(loop));
}

// optMap, optFlatMap
Expansion map_optional(MacroCall& call) {
  const Maker make(call.at);
  const Expr& variable = *call.arguments[0];
  if (variable.kind != Expr::Kind::ident) {
    return mistake(variable.at, std::string(call.name) + "() variable name must be a simple identifier");
  }
  ExprPtr value = make.member_call("value", copy(*call.target));
  ExprPtr mapped = bind(make, variable.name, std::move(value), std::move(call.arguments[1]));
  if (call.name == "optMap") mapped = make.call("optional.of", std::move(mapped));
  return make.call("_?_:_", make.member_call("hasValue", std::move(call.target)), std::move(mapped),
                   make.call("optional.none"));
}

Expansion sort_by(MacroCall& call) {
  const Maker make(call.at);
  const Expr::Kind kind = call.target->kind;
  if (kind == Expr::Kind::literal || kind == Expr::Kind::map || kind == Expr::Kind::message) {
    return mistake(call.target->at,
                   "sortBy can only be applied to a list, identifier, comprehension, call or select expression");
  }
  const std::string input = "@__sortBy_input__";
  MacroCall keys{"map", call.at, make.ident(input), std::move(call.arguments)};
  Expansion mapped = gather(keys);
  if (!mapped) return mapped;
  return bind(make, input, std::move(call.target),
              make.member_call("@sortByAssociatedKeys", make.ident(input), std::move(*mapped)));
}

}  // namespace

ExprPtr copy(const Expr& expr) {
  auto out = std::make_unique<Expr>();
  out->kind = expr.kind;
  out->at = expr.at;
  out->literal = expr.literal;
  out->name = expr.name;
  out->is_member = expr.is_member;
  out->test_only = expr.test_only;
  out->optional = expr.optional;
  out->fields = expr.fields;
  out->entries = expr.entries;
  out->variable = expr.variable;
  out->variable2 = expr.variable2;
  out->accumulator = expr.accumulator;
  for (const ExprPtr& child : expr.children) out->children.push_back(copy(*child));
  return out;
}

bool is_macro(const Environment& environment, const MacroCall& call) {
  return environment.has_macro(call.name, call.arguments.size(), call.target != nullptr);
}

tl::expected<ExprPtr, MacroMistake> expand(MacroCall call) {
  if (call.name == "has") return has(call);
  if (call.name == "optMap" || call.name == "optFlatMap") return map_optional(call);
  if (call.name == "sortBy") return sort_by(call);
  if (call.name == "all" || call.name.substr(0, 6) == "exists") return quantifier(call);
  return gather(call);
}

}  // namespace nodebound::cel
