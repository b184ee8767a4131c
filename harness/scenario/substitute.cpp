#include "harness/scenario/substitute.h"

#include <vector>

namespace nodebound {

bool is_placeholder(std::string_view within_braces) {
  return within_braces.find('"') == std::string_view::npos;
}

std::string substitute(std::string_view text, const Placeholder& value_of) {
  std::string out;
  std::vector<std::size_t> open;
  for (const char c : text) {
    out += c;
    if (c == '{') open.push_back(out.size() - 1);
    if (c != '}' || open.empty()) continue;
    const std::size_t start = open.back();
    open.pop_back();
    const std::string_view within = std::string_view(out).substr(start + 1, out.size() - start - 2);
    const std::optional<std::string> value = is_placeholder(within) ? value_of(within) : std::nullopt;
    if (value) out.replace(start, std::string::npos, *value);
  }
  return out;
}

Object substitute_in(const Object& object, const Placeholder& value_of) {
  if (object.is_string()) return substitute(object.get_ref<const std::string&>(), value_of);
  if (object.is_array()) {
    Object out = Object::array();
    for (const Object& item : object) out.push_back(substitute_in(item, value_of));
    return out;
  }
  if (!object.is_object()) return object;
  Object out = Object::object();
  for (auto field = object.begin(); field != object.end(); ++field) {
    out[substitute(field.key(), value_of)] = substitute_in(*field, value_of);
  }
  return out;
}

}  // namespace nodebound
