#include "harness/scenario/toml_json.h"

#include "reference/release/toml_reader.h"

namespace nodebound {

Object to_json(const toml::node& node) {
  if (const toml::table* table = node.as_table()) {
    Object out = Object::object();
    for (const auto& [key, value] : *table) out[std::string(key.str())] = to_json(value);
    return out;
  }
  if (const toml::array* array = node.as_array()) {
    Object out = Object::array();
    for (const toml::node& item : *array) out.push_back(to_json(item));
    return out;
  }
  if (node.is_string()) return *node.value<std::string>();
  if (node.is_boolean()) return *node.value<bool>();
  if (node.is_integer()) return *node.value<std::int64_t>();
  if (node.is_floating_point()) return *node.value<double>();
  throw TomlMistake(node, "expected text, a number, true, false, a list or a table");
}

std::string toml_string(const std::string& text) {
  // TOML's basic strings are JSON's, except for a few characters that neither writes plainly.
  std::string out = Object(text).dump(-1, ' ', false, Object::error_handler_t::replace);
  for (std::size_t at = out.find('\x7f'); at != std::string::npos; at = out.find('\x7f')) out.replace(at, 1, "\\u007f");
  return out;
}

std::string toml_key(const std::string& key) {
  const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
  return bare ? key : toml_string(key);
}

std::string to_toml(const Object& value) {
  if (value.is_string()) return toml_string(value.get<std::string>());
  if (!value.is_structured()) return value.is_null() ? "\"\"" : value.dump();
  std::string out;
  for (const auto& [key, item] : value.items()) {
    if (item.is_null()) continue;
    out += (out.empty() ? "" : ", ") + (value.is_array() ? "" : toml_key(key) + " = ") + to_toml(item);
  }
  if (value.is_array()) return "[" + out + "]";
  return out.empty() ? "{}" : "{ " + out + " }";
}

}  // namespace nodebound
