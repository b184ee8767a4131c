#include "fakes/apiserver/custom/custom_schema.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <re2/re2.h>
#include <set>
#include <string_view>

namespace nodebound::apiserver {
namespace {

constexpr const char* preserves = "x-kubernetes-preserve-unknown-fields";
constexpr const char* embedded = "x-kubernetes-embedded-resource";
constexpr const char* int_or_string = "x-kubernetes-int-or-string";

std::string below(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "." + name;
}

std::string item_of(const std::string& path, std::size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

// Visits the schemas of the fields that a value has.
template <typename Value, typename Visit>
void each_part(const Object& schema, Value& value, const std::string& path, Visit visit) {
  if (value.is_array()) {
    const Object& items = member(schema, "items");
    for (std::size_t i = 0; i < value.size() && items.is_object(); ++i) visit(items, value[i], item_of(path, i));
  }
  if (!value.is_object()) return;
  const Object& properties = member(schema, "properties");
  const Object& others = member(schema, "additionalProperties");
  for (auto& [name, own] : value.items()) {
    const Object& known = member(properties, name);
    const Object& used = known.is_null() ? others : known;
    if (used.is_object()) visit(used, own, below(path, name));
  }
}

// Structural schemas -------------------------------------------------------------------------------------------------

validation::FieldMistakes wrong_type(const Object& schema, const std::string& path, const char* why) {
  const bool free = is_true(schema, int_or_string) || is_true(schema, preserves);
  if (!text(schema, "type").empty() || free) return {};
  return {validation::required_field(path + ".type", why)};
}

validation::FieldMistakes wrong_part(const Object& schema, const std::string& path, const char* why) {
  validation::FieldMistakes out = wrong_type(schema, path, why);
  validation::append(out, wrong_schema(schema, path));
  return out;
}

}  // namespace

validation::FieldMistakes wrong_schema(const Object& schema, const std::string& path) {
  validation::FieldMistakes out;
  if (!member(schema, "x-kubernetes-validations").empty()) {
    out.push_back(validation::forbidden_field(path + ".x-kubernetes-validations",
                                              "rules in CEL are not evaluated by this server"));
  }
  if (!text(schema, "$ref").empty())
    out.push_back(validation::forbidden_field(path + ".$ref", "$ref is not supported"));
  if (is_true(schema, "uniqueItems")) {
    out.push_back(validation::forbidden_field(path + ".uniqueItems",
                                              "uniqueItems cannot be set to true since the runtime "
                                              "complexity becomes quadratic"));
  }
  if (const std::string pattern(text(schema, "pattern")); !pattern.empty()) {
    const RE2 expression(pattern, RE2::Quiet);
    if (!expression.ok()) {
      out.push_back(validation::invalid_field(path + ".pattern", pattern,
                                              "must be a valid regular expression, but isn't: " + expression.error()));
    }
  }
  const Object& others = member(schema, "additionalProperties");
  if (!member(schema, "properties").empty() && !others.is_null() && others != false) {
    out.push_back(validation::forbidden_field(path + ".additionalProperties",
                                              "additionalProperties and properties are mutual exclusive"));
  }
  for (const auto& [name, own] : member(schema, "properties").items()) {
    validation::append(
        out, wrong_part(own, path + ".properties[" + name + "]", "must not be empty for specified object fields"));
  }
  if (const Object& items = member(schema, "items"); items.is_object()) {
    validation::append(out, wrong_part(items, path + ".items", "must not be empty for specified array items"));
  }
  if (others.is_object()) {
    validation::append(
        out, wrong_part(others, path + ".additionalProperties", "must not be empty for specified object fields"));
  }
  return out;
}

namespace {

void prune_value(const Object& schema, Object& value, const std::string& path, std::vector<std::string>& removed) {
  if (value.is_object() && !is_true(schema, preserves) && member(schema, "additionalProperties").is_null()) {
    const Object& properties = member(schema, "properties");
    const bool is_object = path.empty() || is_true(schema, embedded);
    for (auto own = value.begin(); own != value.end();) {
      const bool of_every_object = own.key() == "apiVersion" || own.key() == "kind" || own.key() == "metadata";
      const bool known = properties.contains(own.key()) || (is_object && of_every_object);
      if (!known) removed.push_back(below(path, own.key()));
      own = known ? std::next(own) : value.erase(own);
    }
  }
  each_part(schema, value, path,
            [&](const Object& part, Object& own, const std::string& at) { prune_value(part, own, at, removed); });
}

}  // namespace

std::vector<std::string> prune(const Object& schema, Object& object) {
  std::vector<std::string> removed;
  prune_value(schema, object, {}, removed);
  return removed;
}

void add_schema_defaults(const Object& schema, Object& value) {
  if (value.is_object()) {
    for (const auto& [name, own] : member(schema, "properties").items()) {
      if (!own.contains("default")) continue;
      const bool lacks = !value.contains(name) || (value[name].is_null() && !is_true(own, "nullable"));
      if (lacks) value[name] = own["default"];
    }
  }
  each_part(schema, value, {},
            [](const Object& part, Object& own, const std::string&) { add_schema_defaults(part, own); });
}

// Values -------------------------------------------------------------------------------------------------------------

namespace {

// Up to 2^53, as go-openapi's swag has it.
bool is_whole(const Object& value) {
  constexpr double most = 9007199254740991.0;
  if (!value.is_number_float()) return value.is_number_integer();
  const double number = value.get<double>();
  return std::abs(number) <= most && number == std::trunc(number);
}

std::string type_name_of(const Object& value) {
  if (is_whole(value)) return "integer";
  return value.is_number() ? "number" : value.type_name();
}

bool has_type(const Object& value, std::string_view type) {
  const std::string own = type_name_of(value);
  return own == type || (type == "number" && own == "integer");
}

/// One check of a value against a schema.
struct Checked {
  const Object& schema;
  const Object& value;
  const std::string& path;
  validation::FieldMistakes& out;

  void invalid(const std::string& why) const {
    out.push_back(validation::invalid_field(path, validation::Shown(value), path + " in body " + why));
  }
  [[nodiscard]] const Object& of(const char* keyword) const { return member(schema, keyword); }
};

void check_number(const Checked& check) {
  const double value = check.value.get<double>();
  if (const Object& least = check.of("minimum"); least.is_number()) {
    const bool exclusive = is_true(check.schema, "exclusiveMinimum");
    const double bound = least.get<double>();
    if (value < bound || (exclusive && value == bound)) {
      check.invalid("should be greater than " + std::string(exclusive ? "" : "or equal to ") + least.dump());
    }
  }
  if (const Object& most = check.of("maximum"); most.is_number()) {
    const bool exclusive = is_true(check.schema, "exclusiveMaximum");
    const double bound = most.get<double>();
    if (value > bound || (exclusive && value == bound)) {
      check.invalid("should be less than " + std::string(exclusive ? "" : "or equal to ") + most.dump());
    }
  }
}

std::size_t characters_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

// Only the first mistake of a text is told.
void check_text(const Checked& check) {
  const std::string& value = check.value.get_ref<const std::string&>();
  const Object& most = check.of("maxLength");
  const Object& least = check.of("minLength");
  const std::string pattern(text(check.schema, "pattern"));
  if (most.is_number_integer() && characters_of(value) > most) {
    check.out.push_back(validation::too_long_field(check.path, most.get<std::size_t>()));
  } else if (least.is_number_integer() && characters_of(value) < least) {
    check.invalid("should be at least " + least.dump() + " chars long");
  } else if (!pattern.empty() && !RE2::PartialMatch(value, RE2(pattern, RE2::Quiet))) {
    check.invalid("should match '" + pattern + "'");
  }
}

// What identifies an item of a list: the item itself, or some of its fields.
Object identity_of(const Object& item, const Object& keys) {
  if (!keys.is_array()) return item;
  Object out = Object::object();
  for (const std::string& key : strings_of(keys)) {
    if (item.is_object() && item.contains(key)) out[key] = item[key];
  }
  return out;
}

void check_list(const Checked& check) {
  const std::size_t size = check.value.size();
  if (const Object& most = check.of("maxItems"); most.is_number_integer() && size > most) {
    check.out.push_back({check.path, "FieldValueTooMany", "Too many", validation::Shown(size),
                         "must have at most " + most.dump() + " item" + (most == 1 ? "" : "s")});
  }
  if (const Object& least = check.of("minItems"); least.is_number_integer() && size < least) {
    check.invalid("should have at least " + least.dump() + " items");
  }
  const std::string_view kind = text(check.schema, "x-kubernetes-list-type");
  if (kind != "set" && kind != "map") return;
  const Object& keys = kind == "map" ? check.of("x-kubernetes-list-map-keys") : member(nullptr, "none");
  std::set<Object> seen;
  for (std::size_t i = 0; i < size; ++i) {
    const Object identity = identity_of(check.value[i], keys);
    if (!seen.insert(identity).second)
      check.out.push_back(validation::duplicate_field(item_of(check.path, i), validation::Shown(identity)));
  }
}

void check_fields(const Checked& check) {
  for (const std::string& name : strings_of(check.of("required"))) {
    if (!check.value.contains(name)) check.out.push_back(validation::required_field(below(check.path, name), ""));
  }
  if (const Object& most = check.of("maxProperties"); most.is_number_integer() && check.value.size() > most) {
    check.invalid("must have at most " + most.dump() + " properties");
  }
  if (const Object& least = check.of("minProperties"); least.is_number_integer() && check.value.size() < least) {
    check.invalid("should have at least " + least.dump() + " properties");
  }
}

bool satisfies(const Object& schema, const Checked& check) {
  return mistakes_by_schema(schema, check.value, check.path).empty();
}

void check_combinations(const Checked& check) {
  for (const Object& part : check.of("allOf"))
    validation::append(check.out, mistakes_by_schema(part, check.value, check.path));
  const auto satisfied = [&](const char* keyword) {
    const Object& parts = check.of(keyword);
    return std::count_if(parts.begin(), parts.end(), [&](const Object& part) { return satisfies(part, check); });
  };
  if (!check.of("anyOf").empty() && satisfied("anyOf") == 0) {
    check.invalid("must validate at least one schema (anyOf)");
  }
  if (!check.of("oneOf").empty() && satisfied("oneOf") != 1) {
    check.invalid("must validate one and only one schema (oneOf)");
  }
  const Object& never = check.of("not");
  if (never.is_object() && satisfies(never, check)) check.invalid("must not validate the schema (not)");
}

bool check_type(const Checked& check) {
  const std::string type(text(check.schema, "type"));
  const bool either = is_true(check.schema, int_or_string);
  if (check.value.is_null() && is_true(check.schema, "nullable")) return false;
  if (either && (is_whole(check.value) || check.value.is_string())) return true;
  if (!either && (type.empty() || has_type(check.value, type))) return true;
  const std::string own = type_name_of(check.value);
  check.out.push_back(validation::invalid_field(
      check.path, validation::Shown(own),
      check.path + " in body must be of type " + (either ? "integer,string" : type) + ": \"" + own + "\""));
  return false;
}

}  // namespace

validation::FieldMistakes mistakes_by_schema(const Object& schema, const Object& value, const std::string& path) {
  validation::FieldMistakes out;
  const Checked check{schema, value, path, out};
  if (!check_type(check)) return out;
  const Object& values = member(schema, "enum");
  if (values.is_array() && std::find(values.begin(), values.end(), value) == values.end()) {
    std::vector<std::string> shown;
    for (const Object& own : values) shown.push_back(own.is_string() ? own.get<std::string>() : own.dump());
    out.push_back(validation::unsupported_field(path, validation::Shown(value), shown));
  }
  if (value.is_number()) check_number(check);
  if (value.is_string()) check_text(check);
  if (value.is_array()) check_list(check);
  if (value.is_object()) check_fields(check);
  each_part(schema, value, path, [&](const Object& part, const Object& own, const std::string& at) {
    validation::append(out, mistakes_by_schema(part, own, at));
  });
  check_combinations(check);
  return out;
}

}  // namespace nodebound::apiserver
