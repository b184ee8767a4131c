#include "reference/cel/types/checker.h"

#include <optional>
#include <utility>

#include "reference/cel/types/unification.h"

namespace nodebound::cel {

namespace {

// `a.b.c` of identifiers and selections; nothing if there is anything else in it.
std::optional<std::string> qualified_name(const Expr& expr) {
  if (expr.kind == Expr::Kind::ident) return expr.name;
  if (expr.kind != Expr::Kind::select || expr.test_only) return std::nullopt;
  std::optional<std::string> out = qualified_name(*expr.children[0]);
  if (out) out->append(".").append(expr.name);
  return out;
}

std::string without_leading_dot(const std::string& name) {
  return name.substr(0, 1) == "." ? name.substr(1) : name;
}

std::string signature(const std::vector<TypePtr>& arguments, bool is_member) {
  std::string out;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (i == 0) out += is_member ? "" : "(";
    if (i > (is_member ? 1U : 0U)) out += ", ";
    out += format(*arguments[i]);
    if (i == 0 && is_member) out += ".(";
  }
  return out + (arguments.empty() ? "()" : ")");
}

class Checker {
 public:
  Checker(const Environment& environment, Issues& issues) : environment_(environment), issues_(issues) {}

  void check(Expr& expr) {
    switch (expr.kind) {
      case Expr::Kind::literal:
        expr.type = literal_type(expr.literal);
        return;
      case Expr::Kind::ident:
        identifier(expr);
        return;
      case Expr::Kind::select:
        selection(expr);
        return;
      case Expr::Kind::call:
        call(expr);
        return;
      case Expr::Kind::list:
        list(expr);
        return;
      case Expr::Kind::map:
        map(expr);
        return;
      case Expr::Kind::message:
        message(expr);
        return;
      case Expr::Kind::comprehension:
        comprehension(expr);
        return;
    }
  }

  void settle(Expr& expr) const {
    if (expr.type) expr.type = substitutions_.apply(expr.type, true);
    for (const ExprPtr& child : expr.children) settle(*child);
  }

 private:
  static TypePtr literal_type(const Literal& literal) {
    constexpr Type::Kind kinds[] = {
        Type::Kind::null,     Type::Kind::boolean, Type::Kind::integer, Type::Kind::unsigned_integer,
        Type::Kind::floating, Type::Kind::string,  Type::Kind::bytes};
    return make_type(kinds[literal.index()]);
  }
  static TypePtr error_type() { return make_type(Type::Kind::error); }
  TypePtr new_parameter() { return type_parameter("_var" + std::to_string(parameters_++)); }
  [[nodiscard]] TypePtr known(const Expr& expr) const { return substitutions_.apply(expr.type); }

  [[nodiscard]] TypePtr look_up(const std::string& name) const {
    const std::string absolute = without_leading_dot(name);
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (scope->first == absolute) return scope->second;
    }
    return environment_.identifier(absolute);
  }

  void undeclared(const Expr& expr, const std::string& name) {
    issues_.report(expr.at, "undeclared reference to '" + name + "' (in container '')");
  }
  void mismatch(const Expr& expr, const Type& expected, const Type& actual) {
    issues_.report(expr.at, "expected type '" + format(expected) + "' but found '" + format(actual) + "'");
  }

  void identifier(Expr& expr) {
    expr.type = look_up(expr.name);
    if (!expr.type) {
      expr.type = error_type();
      undeclared(expr, expr.name);
      return;
    }
    expr.name = without_leading_dot(expr.name);
  }

  void selection(Expr& expr) {
    if (const std::optional<std::string> name = qualified_name(expr)) {
      if (TypePtr type = look_up(*name)) {
        expr.kind = Expr::Kind::ident;
        expr.name = without_leading_dot(*name);
        expr.children.clear();
        expr.type = std::move(type);
        return;
      }
    }
    TypePtr type = field_type(expr, *expr.children[0], expr.name, false);
    if (expr.test_only) type = make_type(Type::Kind::boolean);
    expr.type = substitutions_.apply(type);
  }

  TypePtr field_type(const Expr& expr, Expr& operand, const std::string& field, bool optional) {
    check(operand);
    const TypePtr operand_type = known(operand);
    const bool is_optional = operand_type->is_optional();
    const TypePtr target = is_optional ? operand_type->parameters[0] : operand_type;
    TypePtr result = error_type();
    if (target->is(Type::Kind::map)) {
      result = target->parameters[1];
    } else if (target->is(Type::Kind::object)) {
      const auto* fields = environment_.fields(target->name);
      if (fields == nullptr) {
        issues_.report(expr.at, "unexpected failed resolution of '" + target->name + "'");
      } else if (const auto found = fields->find(field); found != fields->end()) {
        result = found->second;
      } else {
        issues_.report(expr.at, "undefined field '" + field + "'");
      }
    } else {
      // A parameter of which nothing is known yet is taken for dyn from here on.
      if (target->is(Type::Kind::parameter)) {
        substitutions_.assign(make_type(Type::Kind::dyn), target);
      } else if (!is_dyn_or_error(*target)) {
        issues_.report(expr.at, "type '" + format(*target) + "' does not support field selection");
      }
      result = make_type(Type::Kind::dyn);
    }
    return is_optional || optional ? optional_of(result) : result;
  }

  void call(Expr& expr) {
    if (expr.name == "_?._") {
      const std::string field = std::get<std::string>(expr.children[1]->literal);
      expr.children[1]->type = make_type(Type::Kind::string);
      expr.type = substitutions_.apply(field_type(expr, *expr.children[0], field, true));
      return;
    }
    for (std::size_t i = expr.is_member ? 1 : 0; i < expr.children.size(); ++i) check(*expr.children[i]);
    if (expr.is_member) {
      // `a.b.c()` may be the function a.b.c, or c on a.b.
      if (const std::optional<std::string> prefix = qualified_name(*expr.children[0])) {
        const std::string name = without_leading_dot(*prefix + "." + expr.name);
        if (const auto* overloads = environment_.function(name)) {
          expr.name = name;
          expr.is_member = false;
          expr.children.erase(expr.children.begin());
          resolve(expr, *overloads);
          return;
        }
      }
      check(*expr.children[0]);
    }
    const std::string name = without_leading_dot(expr.name);
    const std::vector<Overload>* overloads = environment_.function(name);
    if (overloads == nullptr) {
      expr.type = error_type();
      undeclared(expr, expr.name);
      return;
    }
    expr.name = name;
    resolve(expr, *overloads);
  }

  void resolve(Expr& expr, const std::vector<Overload>& overloads) {
    std::vector<TypePtr> arguments;
    for (const ExprPtr& child : expr.children) arguments.push_back(child->type);
    if (expr.name == "_&&_" || expr.name == "_||_") {
      logical(expr, overloads[0]);
      return;
    }
    TypePtr result;
    for (const Overload& overload : overloads) {
      if (overload.is_member != expr.is_member) continue;
      Substitutions fresh;
      for (const std::string& name : overload.parameters) fresh.add(name, new_parameter());
      std::vector<TypePtr> candidates;
      for (const TypePtr& one : overload.arguments) candidates.push_back(fresh.apply(one));
      if (!substitutions_.assign(arguments, candidates)) continue;
      expr.overloads.push_back(&overload);
      const TypePtr returned = substitutions_.apply(fresh.apply(overload.result));
      if (!result) {
        result = returned;
      } else if (!result->is(Type::Kind::dyn) && !same(*returned, *result)) {
        result = make_type(Type::Kind::dyn);
      }
    }
    if (!result) {
      for (TypePtr& one : arguments) one = substitutions_.apply(one, true);
      issues_.report(expr.at, "found no matching overload for '" + expr.name + "' applied to '" +
                                  signature(arguments, expr.is_member) + "'");
      result = error_type();
    }
    expr.type = std::move(result);
  }

  void logical(Expr& expr, const Overload& overload) {
    const TypePtr boolean = make_type(Type::Kind::boolean);
    expr.type = boolean;
    expr.overloads.push_back(&overload);
    for (const ExprPtr& child : expr.children) {
      if (substitutions_.assign(child->type, boolean)) continue;
      mismatch(*child, *boolean, *child->type);
      expr.type = error_type();
    }
  }

  // The type of an element, or of what an optional one has.
  TypePtr entry_type(const Expr& expr, bool optional) {
    TypePtr type = expr.type;
    if (!optional) return type;
    if (type->is_optional()) return type->parameters[0];
    if (!type->is(Type::Kind::dyn)) mismatch(expr, *optional_of(type), *type);
    return type;
  }

  // Entries of different types make a list or map of dyn here; validate_literals() reports them.
  TypePtr join(const TypePtr& previous, const TypePtr& current) {
    if (!previous) return current;
    if (substitutions_.assign(previous, current)) return most_general(previous, current);
    return make_type(Type::Kind::dyn);
  }

  void list(Expr& expr) {
    TypePtr element;
    for (std::size_t i = 0; i < expr.children.size(); ++i) {
      Expr& child = *expr.children[i];
      check(child);
      element = join(element, entry_type(child, expr.optional[i]));
    }
    expr.type = list_of(element ? element : new_parameter());
  }

  void map(Expr& expr) {
    TypePtr key;
    TypePtr value;
    for (std::size_t i = 0; i < expr.children.size(); i += 2) {
      Expr& key_expr = *expr.children[i];
      check(key_expr);
      key = join(key, key_expr.type);
      Expr& value_expr = *expr.children[i + 1];
      check(value_expr);
      value = join(value, entry_type(value_expr, expr.optional[i / 2]));
    }
    if (!key) {
      key = new_parameter();
      value = new_parameter();
    }
    expr.type = map_of(key, value);
  }

  void message(Expr& expr) {
    expr.type = error_type();
    const TypePtr named = look_up(expr.name);
    if (!named) {
      undeclared(expr, expr.name);
      return;
    }
    expr.name = without_leading_dot(expr.name);
    if (!named->is(Type::Kind::type)) {
      issues_.report(expr.at, "'" + named->name + "' is not a type");
    } else if (named->parameters.empty() || !named->parameters[0]->is(Type::Kind::object)) {
      issues_.report(expr.at, "'" + (named->parameters.empty() ? named->name : named->parameters[0]->name) +
                                  "' is not a message type");
    } else {
      expr.type = named->parameters[0];
    }
    const auto* fields = environment_.fields(expr.name);
    for (std::size_t i = 0; i < expr.children.size(); ++i) {
      Expr& value = *expr.children[i];
      check(value);
      TypePtr expected = error_type();
      if (fields == nullptr) {
        issues_.report(expr.entries[i], "unexpected failed resolution of '" + expr.name + "'");
      } else if (const auto found = fields->find(expr.fields[i]); found != fields->end()) {
        expected = found->second;
      } else {
        issues_.report(expr.entries[i], "undefined field '" + expr.fields[i] + "'");
      }
      const TypePtr actual = entry_type(value, expr.optional[i]);
      if (substitutions_.assign(expected, actual)) continue;
      issues_.report(expr.entries[i], "expected type of field '" + expr.fields[i] + "' is '" + format(*expected) +
                                          "' but provided type is '" + format(*actual) + "'");
    }
  }

  void comprehension(Expr& expr) {
    using Loop = Expr::Loop;
    Expr& range = *expr.children[Loop::range];
    Expr& init = *expr.children[Loop::init];
    check(range);
    check(init);
    const TypePtr range_type = known(range);
    TypePtr first;
    TypePtr second;
    if (range_type->is(Type::Kind::list)) {
      first = range_type->parameters[0];
      if (!expr.variable2.empty()) second = std::exchange(first, make_type(Type::Kind::integer));
    } else if (range_type->is(Type::Kind::map)) {
      first = range_type->parameters[0];
      second = range_type->parameters[1];
    } else if (is_dyn_or_error(*range_type) || range_type->is(Type::Kind::parameter)) {
      substitutions_.assign(make_type(Type::Kind::dyn), range_type);
      first = second = make_type(Type::Kind::dyn);
    } else {
      issues_.report(range.at, "expression of type '" + format(*range_type) +
                                   "' cannot be range of a comprehension (must be list, map, or dynamic)");
      first = second = error_type();
    }
    const std::size_t outer = scopes_.size();
    scopes_.emplace_back(expr.accumulator, init.type);
    const std::size_t body = scopes_.size();
    scopes_.emplace_back(expr.variable, first);
    if (!expr.variable2.empty()) scopes_.emplace_back(expr.variable2, second);
    check_as(*expr.children[Loop::condition], make_type(Type::Kind::boolean));
    check_as(*expr.children[Loop::step], init.type);
    scopes_.resize(body);
    check(*expr.children[Loop::result]);
    scopes_.resize(outer);
    expr.type = known(*expr.children[Loop::result]);
  }

  void check_as(Expr& expr, const TypePtr& type) {
    check(expr);
    if (!substitutions_.assign(type, expr.type)) mismatch(expr, *type, *expr.type);
  }

  const Environment& environment_;
  Issues& issues_;
  Substitutions substitutions_;
  std::vector<std::pair<std::string, TypePtr>> scopes_;
  int parameters_ = 0;
};

}  // namespace

void check(Expr& expr, const Environment& environment, Issues& issues) {
  Checker checker(environment, issues);
  checker.check(expr);
  if (issues.empty()) checker.settle(expr);
}

}  // namespace nodebound::cel
