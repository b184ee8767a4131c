#include <algorithm>
#include <array>
#include <utility>

#include "reference/cel/evaluation/program.h"

namespace nodebound::cel {

namespace {

using Operation = Program::Operation;
using Index = Program::Index;

// What making a list or a map costs (cel-go's common/cost.go).
constexpr std::uint64_t list_cost = 10;
constexpr std::uint64_t map_cost = 30;

constexpr std::size_t most_arguments = 4;

}  // namespace

class Evaluator {
 public:
  Evaluator(const Program& program, std::span<const Value> variables, std::pmr::memory_resource& memory)
      : program_(program), arena_(memory), frame_(arena_.values(program.slots_)), pending_(&memory), growing_(&memory) {
    std::copy(variables.begin(), variables.end(), frame_.begin());
    if (program.slots_ == variables.size()) return;
    pending_.resize(program.slots_);
    growing_.resize(program.slots_);
  }

  Program::Outcome run() {
    const Value value = evaluate(program_.root_);
    if (cost_ > Program::cost_limit) return {Value::error("operation cancelled: actual cost limit exceeded"), cost_};
    return {value, cost_};
  }

 private:
  using Node = Program::Node;

  [[nodiscard]] Index child(const Node& node, std::size_t i) const { return program_.children_[node.first + i]; }
  [[nodiscard]] bool cancelled() const { return cost_ > Program::cost_limit; }

  Value evaluate(Index index) {
    const Node& node = program_.nodes_[index];
    switch (node.operation) {
      case Operation::constant:
        return node.constant;
      case Operation::attribute:
        return attribute(node);
      case Operation::conditional:
        return conditional(node);
      case Operation::logical_and:
        return logical(node, false);
      case Operation::logical_or:
        return logical(node, true);
      case Operation::equals:
        return equality(node, true);
      case Operation::not_equals:
        return equality(node, false);
      case Operation::not_strictly_false:
        return not_strictly_false(node);
      case Operation::member_of_set:
        return member_of_set(node);
      case Operation::call:
      case Operation::matches:
      case Operation::find:
        return call(node);
      case Operation::or_optional:
        return or_else(node, false);
      case Operation::or_value:
        return or_else(node, true);
      case Operation::list:
        return list(node);
      case Operation::map:
        return map(node);
      case Operation::append:
        return append(node);
      case Operation::loop:
        return loop(node);
    }
    return Value::error(no_such_overload);
  }

  Value variable(std::uint32_t slot) {
    Value& value = frame_[slot];
    // What a loop begins with is evaluated when it is first asked for.
    if (value.is(Value::Kind::unset)) value = evaluate(pending_[slot]);
    return value;
  }

  Value attribute(const Node& node) {
    Value value = node.is_variable ? variable(node.slot) : evaluate(child(node, 0));
    if (!value.is_error() && !node.qualifiers.empty()) value = qualified(node, value);
    if (node.observed) ++cost_;
    return value;
  }

  Value qualified(const Node& node, Value value) {
    bool optional = value.is(Value::Kind::optional);
    if (optional) {
      if (value.inner() == nullptr) return value;
      value = *value.inner();
    }
    for (const Program::Qualifier& qualifier : node.qualifiers) {
      optional = optional || qualifier.optional;
      Value key = qualifier.key;
      if (qualifier.computed) {
        key = evaluate(qualifier.node);
        if (key.is_error()) {
          if (!optional) ++cost_;
          return key;
        }
      }
      const std::optional<Value> found = find(value, key);
      if (qualifier.presence) {
        ++cost_;
        if (found && found->is_error()) return *found;
        return Value::of(found.has_value());
      }
      if (found) {
        if (!optional || !found->is_error()) ++cost_;
        if (found->is_error()) return *found;
        value = *found;
        continue;
      }
      if (optional) return Value::optional(nullptr);
      ++cost_;
      const char* const what = value.is(Value::Kind::list) ? "index out of bounds: " : "no such key: ";
      return arena_.error(what + to_string(key));
    }
    return optional ? arena_.optional(value) : value;
  }

  // What is at the key, an error if there can be nothing, or nothing.
  std::optional<Value> find(const Value& value, const Value& key) {
    if (value.is(Value::Kind::map)) return value.map().find(key);
    if (!value.is(Value::Kind::list)) return std::nullopt;
    std::int64_t index = -1;
    if (key.is(Value::Kind::integer)) {
      index = key.integer();
    } else if (key.is(Value::Kind::unsigned_integer)) {
      if (key.unsigned_integer() < value.list().size()) index = static_cast<std::int64_t>(key.unsigned_integer());
    } else if (key.is(Value::Kind::floating) && key.floating() >= 0 && key.floating() < 0x1p63 &&
               static_cast<double>(static_cast<std::int64_t>(key.floating())) == key.floating()) {
      index = static_cast<std::int64_t>(key.floating());
    } else {
      return arena_.error("unsupported index type '" + std::string(type_name(key)) + "' in list");
    }
    if (index < 0 || static_cast<std::uint64_t>(index) >= value.list().size()) return std::nullopt;
    return value.list().at(static_cast<std::size_t>(index));
  }

  Value conditional(const Node& node) {
    const Value condition = evaluate(child(node, 0));
    if (condition.is_true()) return evaluate(child(node, 1));
    if (condition.is_false()) return evaluate(child(node, 2));
    return condition.is_error() ? condition : Value::error(no_such_overload);
  }

  // `decides` ends && (false) and || (true), whatever else there is; otherwise the first error counts.
  Value logical(const Node& node, bool decides) {
    Value error;
    for (std::uint32_t i = 0; i < node.count; ++i) {
      const Value value = evaluate(child(node, i));
      if (value.is(Value::Kind::boolean)) {
        if (value.boolean() == decides) return value;
      } else if (!error.is_error()) {
        error = value.is_error() ? value : Value::error(no_such_overload);
      }
    }
    return error.is_error() ? error : Value::of(!decides);
  }

  Value equality(const Node& node, bool wanted) {
    const std::array<Value, 2> both = {evaluate(child(node, 0)), evaluate(child(node, 1))};
    cost_ += cost_of_shorter(both, both[0]);
    for (const Value& one : both) {
      if (one.is_error()) return one;
    }
    return Value::of(equal(both[0], both[1]) == wanted);
  }

  Value not_strictly_false(const Node& node) {
    const Value value = evaluate(child(node, 0));
    ++cost_;
    return value.is(Value::Kind::boolean) ? value : Value::of(true);
  }

  Value member_of_set(const Node& node) {
    const Value value = evaluate(child(node, 0));
    if (value.is_error()) return value;
    const List& set = program_.nodes_[child(node, 1)].constant.list();
    for (std::size_t i = 0; i < set.size(); ++i) {
      if (equal(value, set.at(i))) return Value::of(true);
    }
    return Value::of(false);
  }

  Value call(const Node& node) {
    std::array<Value, most_arguments> values;
    const Arguments arguments(values.data(), node.count);
    const Value* error = nullptr;
    for (std::uint32_t i = 0; i < node.count; ++i) {
      values[i] = evaluate(child(node, i));
      if (!values[i].is_error()) continue;
      if (error == nullptr) error = &values[i];
      // cel-go evaluates both arguments of two, and of more none after an error, nor does such a call cost anything.
      if (node.count > 2 || node.regex) {
        if (i + 1 == node.count) break;
        return *error;
      }
    }
    if (cancelled()) return Value::error({});
    const Value result = error != nullptr ? *error : apply(node, arguments);
    cost_ += node.implementation.cost(arguments, result);
    return result;
  }

  Value apply(const Node& node, Arguments arguments) {
    if (node.operation == Operation::matches && arguments[0].is(Value::Kind::string)) {
      return Value::of(node.regex->matches(arguments[0].text()));
    }
    if (node.operation == Operation::find && arguments[0].is(Value::Kind::string)) return find_regex(node, arguments);
    if (!node.checks_types) return node.implementation.function(arena_, arguments);
    for (std::size_t i = 0; i < node.overloads.size(); ++i) {
      const Overload& overload = *node.overloads[i];
      bool matches = true;
      for (std::size_t k = 0; k < arguments.size(); ++k)
        matches = matches && is_of(arguments[k], *overload.arguments[k]);
      if (matches) return node.implementations[i].function(arena_, arguments);
    }
    // cel-go tells the types of those functions alone that check them before they are called.
    const bool checks_itself =
        node.regex || node.name == "startsWith" || node.name == "endsWith" || node.name == "contains";
    if (node.name[0] == '_' || node.name == "matches" || checks_itself) return Value::error(no_such_overload);
    std::string types;
    for (const Value& one : arguments) types.append(types.empty() ? "" : ", ").append(type_name(one));
    return arena_.error("no such overload: " + node.name + "(" + types + ")");
  }

  Value find_regex(const Node& node, Arguments arguments) {
    const bool all = node.name == "findAll";
    const std::int64_t most = !all ? 1 : arguments.size() > 2 ? arguments[2].integer() : -1;
    const std::vector<std::string_view> found = node.regex->find_all(arguments[0].text(), most);
    if (!all) return Value::of(found.empty() ? std::string_view() : found[0]);
    const std::span<Value> out = arena_.values(found.size());
    for (std::size_t i = 0; i < found.size(); ++i) out[i] = Value::of(found[i]);
    return arena_.list(out);
  }

  Value or_else(const Node& node, bool unwrap) {
    const Value value = evaluate(child(node, 0));
    if (!value.is(Value::Kind::optional)) return value;
    if (value.inner() != nullptr) return unwrap ? *value.inner() : value;
    return evaluate(child(node, 1));
  }

  Value list(const Node& node) {
    const std::span<Value> out = arena_.values(node.count);
    std::size_t size = 0;
    for (std::uint32_t i = 0; i < node.count; ++i) {
      Value value = evaluate(child(node, i));
      if (value.is_error()) return cost_ += list_cost, value;
      if (node.optional[i]) {
        if (!value.is(Value::Kind::optional)) {
          cost_ += list_cost;
          return arena_.error("cannot initialize optional list element from non-optional value " + to_string(value));
        }
        if (value.inner() == nullptr) continue;
        value = *value.inner();
      }
      out[size++] = value;
    }
    cost_ += list_cost;
    return arena_.list(out.first(size));
  }

  Value map(const Node& node) {
    std::pmr::vector<Value> entries(&arena_.memory());
    for (std::uint32_t i = 0; i < node.count; i += 2) {
      const Value key = evaluate(child(node, i));
      if (key.is_error()) return cost_ += map_cost, key;
      Value value = evaluate(child(node, i + 1));
      if (value.is_error()) return cost_ += map_cost, value;
      if (node.optional[i / 2]) {
        if (!value.is(Value::Kind::optional)) {
          cost_ += map_cost;
          return arena_.error("cannot initialize optional entry '" + to_string(key) + "' from non-optional value " +
                              to_string(value));
        }
        if (value.inner() == nullptr) {
          drop(entries, key);
          continue;
        }
        value = *value.inner();
      }
      entries.push_back(key);
      entries.push_back(value);
    }
    cost_ += map_cost;
    return arena_.map(entries);
  }

  static void drop(std::pmr::vector<Value>& entries, const Value& key) {
    for (std::size_t i = entries.size(); i > 0; i -= 2) {
      const auto at = entries.begin() + static_cast<std::ptrdiff_t>(i - 2);
      if (at->kind() == key.kind() && equal(*at, key)) entries.erase(at, at + 2);
    }
  }

  // The list is the loop's own, and nothing else knows it before the loop ends.
  Value append(const Node& node) {
    const Value left = evaluate(child(node, 0));
    const Value right = evaluate(child(node, 1));
    ++cost_;
    if (left.is_error()) return left;
    if (right.is_error()) return right;
    auto* out = growing_[node.slot];
    if (out == nullptr || out != left.list().data()) {
      out = new (arena_.memory().allocate(sizeof(GrowingList), alignof(GrowingList))) GrowingList(arena_.memory());
      for (std::size_t i = 0; i < left.list().size(); ++i) out->push(left.list().at(i));
      growing_[node.slot] = out;
    }
    for (std::size_t i = 0; i < right.list().size(); ++i) out->push(right.list().at(i));
    return Value::of(static_cast<const ListData&>(*out));
  }

  Value loop(const Node& node) {
    using Loop = Expr::Loop;
    const Value range = evaluate(child(node, Loop::range));
    if (range.is_error()) return range;
    frame_[node.slot] = Value();
    pending_[node.slot] = child(node, Loop::init);
    growing_[node.slot] = nullptr;
    const bool is_list = range.is(Value::Kind::list);
    if (!is_list && !range.is(Value::Kind::map)) {
      return arena_.error("got '" + std::string(type_name(range)) + "', expected iterable type");
    }
    const std::size_t size = is_list ? range.list().size() : range.map().size();
    for (std::size_t i = 0; i < size && !cancelled(); ++i) {
      enter(node, range, i);
      const Value condition = evaluate(child(node, Loop::condition));
      if (condition.is_false()) break;
      frame_[node.slot] = evaluate(child(node, Loop::step));
    }
    return evaluate(child(node, Loop::result));
  }

  void enter(const Node& node, const Value& range, std::size_t i) {
    const bool is_list = range.is(Value::Kind::list);
    if (!node.two_variables) {
      frame_[node.slot + 1] = is_list ? range.list().at(i) : range.map().key(i);
      return;
    }
    const Value key = is_list ? Value::of(static_cast<std::int64_t>(i)) : range.map().key(i);
    frame_[node.slot + 1] = key;
    frame_[node.slot + 2] = is_list ? range.list().at(i) : *range.map().find(key);
  }

  const Program& program_;
  Arena arena_;
  std::span<Value> frame_;
  std::pmr::vector<Index> pending_;         // what a loop's variable begins with, by slot
  std::pmr::vector<GrowingList*> growing_;  // the list that a loop gathers, by slot
  std::uint64_t cost_ = 0;
};

Program::Outcome Program::evaluate(std::span<const Value> variables, std::pmr::memory_resource& memory) const {
  return Evaluator(*this, variables, memory).run();
}

}  // namespace nodebound::cel
