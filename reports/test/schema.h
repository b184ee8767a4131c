#pragma once

#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

namespace nodebound::test {

/// Supports just the JSON Schema keywords that the reports' schemas use. Any other keyword is an error, so that no part
/// of a schema stays untested.
class Schema {
 public:
  using Json = nlohmann::json;

  explicit Schema(const Json& root) : root_(root) {}

  void check(const Json& schema, const Json& value, const std::string& path) {
    for (const auto& [keyword, argument] : schema.items()) {
      if (!applies(keyword, argument, schema, value, path)) found.push_back(path + ": " + keyword);
    }
  }

  std::vector<std::string> found;

 private:
  bool applies(const std::string& keyword, const Json& argument, const Json& schema, const Json& value,
               const std::string& path) {
    if (keyword == "$ref") {
      check(root_.at(Json::json_pointer(argument.get<std::string>().substr(1))), value, path);
      return true;
    }
    if (keyword == "type") return is(argument, value);
    if (keyword == "const") return value == argument;
    if (keyword == "enum") return std::ranges::find(argument, value) != argument.end();
    if (keyword == "minimum") return !value.is_number() || value >= argument;
    if (keyword == "maximum") return !value.is_number() || value <= argument;
    if (keyword == "minLength") return !value.is_string() || value.get<std::string>().size() >= argument;
    if (keyword == "pattern") {
      return !value.is_string() || std::regex_search(value.get<std::string>(), std::regex(argument.get<std::string>()));
    }
    if (keyword == "required") return has(value, argument);
    if (keyword == "items") return items(argument, value, path);
    if (keyword == "properties") return properties(argument, value, path);
    if (keyword == "additionalProperties") return additional(argument, schema, value, path);
    return keyword == "description" || keyword == "title" || keyword == "$defs" || keyword == "$schema" ||
           keyword == "$id";
  }

  static bool is(const std::string& type, const Json& value) {
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    return type == value.type_name();
  }

  static bool has(const Json& value, const Json& keys) {
    return !value.is_object() ||
           std::ranges::all_of(keys, [&](const Json& key) { return value.contains(key.get<std::string>()); });
  }

  bool items(const Json& argument, const Json& value, const std::string& path) {
    if (!value.is_array()) return true;
    for (std::size_t i = 0; i < value.size(); ++i) check(argument, value[i], path + "[" + std::to_string(i) + "]");
    return true;
  }

  bool properties(const Json& argument, const Json& value, const std::string& path) {
    if (!value.is_object()) return true;
    for (const auto& [key, schema] : argument.items()) {
      if (value.contains(key)) check(schema, value[key], path + "." + key);
    }
    return true;
  }

  bool additional(const Json& argument, const Json& schema, const Json& value, const std::string& path) {
    if (!value.is_object()) return true;
    for (const auto& [key, member] : value.items()) {
      if (schema.contains("properties") && schema["properties"].contains(key)) continue;
      if (argument == false) return false;
      check(argument, member, path + "." + key);
    }
    return true;
  }

  const Json& root_;
};

/// Where `value` violates `schema`; empty if nowhere.
inline std::vector<std::string> violations(const nlohmann::json& schema, const nlohmann::json& value) {
  Schema checker(schema);
  checker.check(schema, value, "report");
  return checker.found;
}

}  // namespace nodebound::test
