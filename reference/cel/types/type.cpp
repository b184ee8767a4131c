#include "reference/cel/types/type.h"

#include <array>
#include <stdexcept>
#include <utility>

namespace nodebound::cel {

namespace {

struct NamedKind {
  std::string_view name;
  Type::Kind kind;
};

constexpr std::array<NamedKind, 14> named_kinds = {{
    {"dyn", Type::Kind::dyn},
    {"error", Type::Kind::error},
    {"null_type", Type::Kind::null},
    {"bool", Type::Kind::boolean},
    {"int", Type::Kind::integer},
    {"uint", Type::Kind::unsigned_integer},
    {"double", Type::Kind::floating},
    {"string", Type::Kind::string},
    {"bytes", Type::Kind::bytes},
    {"google.protobuf.Timestamp", Type::Kind::timestamp},
    {"google.protobuf.Duration", Type::Kind::duration},
    {"list", Type::Kind::list},
    {"map", Type::Kind::map},
    {"type", Type::Kind::type},
}};

std::string name_of(Type::Kind kind) {
  for (const NamedKind& one : named_kinds) {
    if (one.kind == kind) return std::string(one.name);
  }
  return {};
}

TypePtr make(Type::Kind kind, std::string name, std::vector<TypePtr> parameters) {
  return std::make_shared<const Type>(Type{kind, std::move(name), std::move(parameters)});
}

Type::Kind kind_of(std::string_view name) {
  for (const NamedKind& one : named_kinds) {
    if (one.name == name) return one.kind;
  }
  if (name == "optional_type" || name.substr(0, 4) == "net.") return Type::Kind::opaque;
  return Type::Kind::object;
}

// Reads one type from the front of `text` and leaves the rest in it.
TypePtr read_type(std::string_view& text) {
  if (text.substr(0, 1) == "<") {
    const std::size_t end = text.find('>');
    if (end == std::string_view::npos) throw std::logic_error("type without >: " + std::string(text));
    TypePtr out = type_parameter(std::string(text.substr(1, end - 1)));
    text.remove_prefix(end + 1);
    return out;
  }
  const std::string_view name = text.substr(0, text.find_first_of("(),"));
  if (name.empty()) throw std::logic_error("expected a type: " + std::string(text));
  text.remove_prefix(name.size());
  std::vector<TypePtr> parameters;
  if (text.substr(0, 1) == "(") {
    do {
      text.remove_prefix(text.substr(0, 2) == ", " ? 2 : 1);
      parameters.push_back(read_type(text));
    } while (text.substr(0, 2) == ", ");
    if (text.substr(0, 1) != ")") throw std::logic_error("type without ): " + std::string(text));
    text.remove_prefix(1);
  }
  return make(kind_of(name), std::string(name), std::move(parameters));
}

template <typename Write>
std::string with_parameters(const Type& type, Write write) {
  std::string out = type.name + "(";
  for (std::size_t i = 0; i < type.parameters.size(); ++i) {
    if (i > 0) out += ", ";
    out += write(*type.parameters[i]);
  }
  return out + ")";
}

}  // namespace

TypePtr make_type(Type::Kind kind) {
  static const std::vector<TypePtr> all = [] {
    std::vector<TypePtr> out(static_cast<std::size_t>(Type::Kind::parameter) + 1);
    for (const NamedKind& one : named_kinds)
      out[static_cast<std::size_t>(one.kind)] = make(one.kind, name_of(one.kind), {});
    return out;
  }();
  return all[static_cast<std::size_t>(kind)];
}

TypePtr list_of(TypePtr element) {
  return make(Type::Kind::list, "list", {std::move(element)});
}
TypePtr map_of(TypePtr key, TypePtr value) {
  return make(Type::Kind::map, "map", {std::move(key), std::move(value)});
}
TypePtr optional_of(TypePtr value) {
  return make(Type::Kind::opaque, "optional_type", {std::move(value)});
}
TypePtr type_of(TypePtr named) {
  return make(Type::Kind::type, "type", {std::move(named)});
}
TypePtr object_type(std::string name) {
  return make(Type::Kind::object, std::move(name), {});
}
TypePtr type_parameter(std::string name) {
  return make(Type::Kind::parameter, std::move(name), {});
}

TypePtr parse_type(std::string_view text) {
  TypePtr out = read_type(text);
  if (!text.empty()) throw std::logic_error("unexpected text after a type: " + std::string(text));
  return out;
}

std::string format(const Type& type) {
  switch (type.kind) {
    case Type::Kind::error:
      return "!error!";
    case Type::Kind::null:
      return "null";
    case Type::Kind::timestamp:
      return "timestamp";
    case Type::Kind::duration:
      return "duration";
    default:
      break;
  }
  if (type.parameters.empty()) return type.name;
  return with_parameters(type, [](const Type& one) { return format(one); });
}

std::string to_string(const Type& type) {
  if (type.is(Type::Kind::parameter)) return "<" + type.name + ">";
  if (type.parameters.empty()) return type.name;
  return with_parameters(type, [](const Type& one) { return to_string(one); });
}

bool same(const Type& a, const Type& b, bool names) {
  if (&a == &b) return true;
  if (a.kind != b.kind || a.parameters.size() != b.parameters.size()) return false;
  if ((names || !a.is(Type::Kind::parameter)) && a.name != b.name) return false;
  for (std::size_t i = 0; i < a.parameters.size(); ++i) {
    if (!same(*a.parameters[i], *b.parameters[i], names)) return false;
  }
  return true;
}

}  // namespace nodebound::cel
