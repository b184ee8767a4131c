#include "fakes/apiserver/json_body.h"

namespace nodebound {
namespace {

constexpr std::size_t deepest = 1000;

bool too_deep(std::string_view json) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (in_string && json[i] == '\\') {
      ++i;
    } else if (json[i] == '"') {
      in_string = !in_string;
    } else if (!in_string && (json[i] == '[' || json[i] == '{')) {
      if (++depth > deepest) return true;
    } else if (!in_string && (json[i] == ']' || json[i] == '}') && depth > 0) {
      --depth;
    }
  }
  return false;
}

}  // namespace

Object parsed_json(std::string_view body) {
  return too_deep(body) ? Object(Object::value_t::discarded) : Object::parse(body, nullptr, false);
}

}  // namespace nodebound
