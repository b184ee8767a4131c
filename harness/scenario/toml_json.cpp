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

}  // namespace nodebound
