#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "reference/cel/evaluation/program.h"

namespace nodebound::cel {

namespace {

using Operation = Program::Operation;
using Index = Program::Index;
using Node = Program::Node;

// Functions that cel-go calls while it plans if their argument is a constant.
bool is_conversion(const std::string& function) {
  static const std::set<std::string> all = {"bool", "bytes",  "double",    "duration", "dyn",
                                            "int",  "string", "timestamp", "type",     "uint"};
  return all.contains(function);
}

// Ends planning with the text.
struct Refused {
  std::string why;
};

}  // namespace

class Planner {
 public:
  Planner(Program& program, const std::vector<std::string>& variables, Issues& unsupported)
      : program_(program), constants_(program.constants_), unsupported_(unsupported) {
    for (const std::string& name : variables) scopes_.push_back({name, program_.slots_++});
  }

  Index plan(const Expr& expr) {
    switch (expr.kind) {
      case Expr::Kind::literal:
        return constant(literal_value(expr.literal));
      case Expr::Kind::ident:
        return identifier(expr);
      case Expr::Kind::select:
        return select(expr);
      case Expr::Kind::call:
        return call(expr);
      case Expr::Kind::list:
        return list(expr);
      case Expr::Kind::map:
        return map(expr);
      case Expr::Kind::comprehension:
        return comprehension(expr);
      case Expr::Kind::message:
        break;
    }
    unsupported_.report(expr.at, "Nodebound does not support messages");
    throw Refused{};
  }

 private:
  [[nodiscard]] Node& node(Index index) { return program_.nodes_[index]; }
  [[nodiscard]] bool is_constant(Index index) { return node(index).operation == Operation::constant; }

  Index add(Node node, const std::vector<Index>& children = {}) {
    node.first = static_cast<std::uint32_t>(program_.children_.size());
    node.count = static_cast<std::uint32_t>(children.size());
    program_.children_.insert(program_.children_.end(), children.begin(), children.end());
    program_.nodes_.push_back(std::move(node));
    return static_cast<Index>(program_.nodes_.size() - 1);
  }
  Index add(Operation operation, const std::vector<Index>& children) {
    Node out;
    out.operation = operation;
    return add(std::move(out), children);
  }
  Index constant(Value value) {
    Node out;
    out.constant = value;
    return add(std::move(out));
  }

  Value literal_value(const Literal& literal) {
    struct Visitor {
      Arena& arena;
      Value operator()(Null) const { return Value::null(); }
      Value operator()(bool value) const { return Value::of(value); }
      Value operator()(std::int64_t value) const { return Value::of(value); }
      Value operator()(std::uint64_t value) const { return Value::of(value); }
      Value operator()(double value) const { return Value::of(value); }
      Value operator()(const std::string& text) const { return arena.string(text); }
      Value operator()(const Bytes& bytes) const { return arena.bytes(bytes.data); }
    };
    return std::visit(Visitor{constants_}, literal);
  }

  Index identifier(const Expr& expr) {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (scope->name != expr.name) continue;
      Node out;
      out.operation = Operation::attribute;
      out.is_variable = true;
      out.slot = scope->slot;
      return add(std::move(out));
    }
    // The name of a type.
    program_.types_.push_back(expr.type->parameters.empty() ? expr.type : expr.type->parameters[0]);
    return constant(Value::of(*program_.types_.back()));
  }

  // The node itself if selections can be added to it, or an attribute that begins with its value.
  Index attribute(Index operand) {
    if (node(operand).operation == Operation::attribute) return operand;
    const bool is_conditional = node(operand).operation == Operation::conditional;
    const Index out = add(Operation::attribute, {operand});
    node(out).observed = !is_conditional;
    return out;
  }

  Index select(const Expr& expr) {
    const Index out = attribute(plan(*expr.children[0]));
    Program::Qualifier qualifier;
    qualifier.key = constants_.string(expr.name);
    qualifier.presence = expr.test_only;
    node(out).qualifiers.push_back(qualifier);
    if (expr.test_only) node(out).observed = false;
    return out;
  }

  Index index(const Expr& expr, bool optional) {
    const Index operand = plan(*expr.children[0]);
    const Index key = plan(*expr.children[1]);
    const Index out = attribute(operand);
    Program::Qualifier qualifier;
    qualifier.optional = optional;
    if (is_constant(key)) {
      qualifier.key = node(key).constant;
    } else {
      qualifier.computed = true;
      qualifier.node = key;
      // The attribute of a key is not observed itself.
      if (node(key).operation == Operation::attribute) node(key).observed = false;
    }
    node(out).qualifiers.push_back(qualifier);
    return out;
  }

  Index call(const Expr& expr) {
    if (expr.name == "_[_]") return index(expr, false);
    if (expr.name == "_[?_]" || expr.name == "_?._") return index(expr, true);
    std::vector<Index> children;
    for (const ExprPtr& child : expr.children) children.push_back(plan(*child));
    if (expr.name == "_&&_") return add(Operation::logical_and, children);
    if (expr.name == "_||_") return add(Operation::logical_or, children);
    if (expr.name == "_==_") return add(Operation::equals, children);
    if (expr.name == "_!=_") return add(Operation::not_equals, children);
    if (expr.name == "@not_strictly_false") return add(Operation::not_strictly_false, children);
    if (expr.name == "or" && expr.is_member) return add(Operation::or_optional, children);
    if (expr.name == "orValue" && expr.is_member) return add(Operation::or_value, children);
    if (expr.name == "_?_:_") {
      for (const std::size_t branch : {1U, 2U}) {
        if (node(children[branch]).operation == Operation::attribute) node(children[branch]).observed = false;
      }
      return add(Operation::conditional, children);
    }
    return function(expr, children);
  }

  Index function(const Expr& expr, const std::vector<Index>& children) {
    Node out;
    out.operation = Operation::call;
    out.name = expr.name;
    for (const Overload* overload : expr.overloads) {
      if (expr.overloads.size() > 1 && never_called(*overload)) continue;
      out.overloads.push_back(overload);
      out.implementations.push_back(implementation(expr, *overload));
    }
    // Where nothing is left, the first is refused.
    if (out.overloads.empty()) out.implementations.push_back(implementation(expr, *expr.overloads[0]));
    out.implementation = out.implementations[0];
    // With several overloads cel-go does not know which costs what.
    if (expr.overloads.size() > 1) out.implementation.cost = cost_of_one;
    for (std::size_t i = 0; i < expr.children.size(); ++i) {
      out.checks_types = out.checks_types || expr.overloads.size() > 1 || has_dyn(*expr.children[i]->type);
    }
    if (expr.name == "@in" && expr.overloads.size() == 1 && expr.overloads[0]->id == "in_list") {
      if (const std::optional<Index> set = membership(children)) return *set;
    }
    if (is_conversion(expr.name) && children.size() == 1 && is_constant(children[0])) {
      const std::array<Value, 1> argument = {node(children[0]).constant};
      std::size_t match = 0;
      while (match < out.overloads.size() && !is_of(argument[0], *out.overloads[match]->arguments[0])) ++match;
      if (match == out.overloads.size()) {
        throw Refused{"no such overload: " + expr.name + "(" + std::string(type_name(argument[0])) + ")"};
      }
      const Value value = out.implementations[match].function(constants_, argument);
      if (value.is_error()) throw Refused{std::string(value.text())};
      return constant(value);
    }
    if ((expr.name == "matches" || expr.name == "find" || expr.name == "findAll") && is_constant(children[1]) &&
        node(children[1]).constant.is(Value::Kind::string)) {
      auto regex = Regex::compile(node(children[1]).constant.text());
      if (!regex) throw Refused{regex.error()};
      out.regex = std::make_shared<const Regex>(std::move(*regex));
      out.operation = expr.name == "matches" ? Operation::matches : Operation::find;
    }
    return add(std::move(out), children);
  }

  static bool has_dyn(const Type& type) {
    if (type.is(Type::Kind::dyn)) return true;
    for (const TypePtr& one : type.parameters) {
      if (has_dyn(*one)) return true;
    }
    return false;
  }

  // Whether it takes a value that no function here makes, so that an argument of any type is never one.
  static bool never_called(const Overload& overload) {
    if (implementation_of(overload.id).function != nullptr) return false;
    return std::any_of(overload.arguments.begin(), overload.arguments.end(), [](const TypePtr& one) {
      const Type& type = one->is(Type::Kind::list) ? *one->parameters[0] : *one;
      return type.is(Type::Kind::timestamp) || (type.is(Type::Kind::opaque) && !type.is_optional()) ||
             type.is(Type::Kind::object);
    });
  }

  Implementation implementation(const Expr& expr, const Overload& overload) {
    const Implementation out = implementation_of(overload.id);
    if (out.function != nullptr) return out;
    unsupported_.report(expr.at,
                        "Nodebound does not support the function '" + overload.function + "' (" + overload.id + ")");
    throw Refused{};
  }

  // `in` a list of constants, which costs nothing.
  std::optional<Index> membership(const std::vector<Index>& children) {
    if (!is_constant(children[1]) || !node(children[1]).constant.is(Value::Kind::list)) return std::nullopt;
    const List& elements = node(children[1]).constant.list();
    if (elements.size() == 0) return constant(Value::of(false));
    for (std::size_t i = 0; i < elements.size(); ++i) {
      switch (elements.at(i).kind()) {
        case Value::Kind::boolean:
        case Value::Kind::integer:
        case Value::Kind::unsigned_integer:
        case Value::Kind::floating:
        case Value::Kind::string:
          break;
        default:
          return std::nullopt;
      }
    }
    return add(Operation::member_of_set, children);
  }

  Index list(const Expr& expr) {
    std::vector<Index> children;
    bool constant_only = true;
    for (const ExprPtr& child : expr.children) {
      children.push_back(plan(*child));
      constant_only = constant_only && is_constant(children.back());
    }
    if (constant_only) {
      std::vector<Value> elements;
      for (std::size_t i = 0; i < children.size(); ++i) {
        const Value value = node(children[i]).constant;
        if (!expr.optional[i]) {
          elements.push_back(value);
        } else if (value.is(Value::Kind::optional) && value.inner() != nullptr) {
          elements.push_back(*value.inner());
        }
      }
      return constant(constants_.list(elements));
    }
    Node out;
    out.operation = Operation::list;
    out.optional = expr.optional;
    return add(std::move(out), children);
  }

  Index map(const Expr& expr) {
    std::vector<Index> children;
    bool constant_only = true;
    for (std::size_t i = 0; i < expr.children.size(); ++i) {
      const Expr& child = *expr.children[i];
      if (i % 2 == 0 && !is_key(*child.type)) {
        unsupported_.report(child.at, "Nodebound does not support keys of type '" + format(*child.type) + "'");
        throw Refused{};
      }
      children.push_back(plan(child));
      constant_only = constant_only && is_constant(children.back());
    }
    if (constant_only && std::find(expr.optional.begin(), expr.optional.end(), true) == expr.optional.end()) {
      std::vector<Value> entries;
      for (const Index child : children) entries.push_back(node(child).constant);
      return constant(constants_.map(entries));
    }
    Node out;
    out.operation = Operation::map;
    out.optional = expr.optional;
    return add(std::move(out), children);
  }

  // Go's maps, which cel-go makes of CEL's, have no lists or maps as keys.
  static bool is_key(const Type& type) {
    switch (type.kind) {
      case Type::Kind::boolean:
      case Type::Kind::integer:
      case Type::Kind::unsigned_integer:
      case Type::Kind::floating:
      case Type::Kind::string:
        return true;
      default:
        return false;
    }
  }

  Index comprehension(const Expr& expr) {
    using Loop = Expr::Loop;
    std::vector<Index> children(5);
    children[Loop::init] = plan(*expr.children[Loop::init]);
    children[Loop::range] = plan(*expr.children[Loop::range]);
    const std::uint32_t slot = program_.slots_;
    program_.slots_ += 3;
    scopes_.push_back({expr.accumulator, slot});
    scopes_.push_back({expr.variable, slot + 1});
    if (!expr.variable2.empty()) scopes_.push_back({expr.variable2, slot + 2});
    children[Loop::condition] = plan(*expr.children[Loop::condition]);
    children[Loop::step] = plan(*expr.children[Loop::step]);
    scopes_.resize(scopes_.size() - (expr.variable2.empty() ? 1 : 2));
    children[Loop::result] = plan(*expr.children[Loop::result]);
    scopes_.pop_back();
    if (is_empty_list(children[Loop::init])) let_append(children[Loop::step], slot);
    Node out;
    out.operation = Operation::loop;
    out.slot = slot;
    out.two_variables = !expr.variable2.empty();
    return add(std::move(out), children);
  }

  [[nodiscard]] bool is_empty_list(Index index) {
    return is_constant(index) && node(index).constant.is(Value::Kind::list) && node(index).constant.list().size() == 0;
  }

  // `@result + […]` in the step of a loop adds to the list in place, as cel-go does.
  void let_append(Index step, std::uint32_t slot) {
    Node& out = node(step);
    if (out.operation == Operation::conditional) {
      let_append(program_.children_[out.first + 1], slot);
      return;
    }
    if (out.operation != Operation::call || out.name != "_+_") return;
    const Node& left = node(program_.children_[out.first]);
    if (left.operation != Operation::attribute || !left.is_variable || left.slot != slot || !left.qualifiers.empty())
      return;
    out.operation = Operation::append;
    out.slot = slot;
  }

  struct Scope {
    std::string name;
    std::uint32_t slot;
  };

  Program& program_;
  Arena constants_;
  Issues& unsupported_;
  std::vector<Scope> scopes_;
};

tl::expected<std::shared_ptr<const Program>, std::string> Program::plan(const Expr& expr,
                                                                        std::shared_ptr<const Environment> environment,
                                                                        const std::vector<std::string>& variables,
                                                                        Issues& unsupported) {
  auto out = std::make_shared<Program>();
  out->environment_ = std::move(environment);
  try {
    out->root_ = Planner(*out, variables, unsupported).plan(expr);
  } catch (const Refused& refused) {
    return tl::unexpected(refused.why);
  }
  return out;
}

}  // namespace nodebound::cel
