#include "fakes/wire/go/go_text.h"

#include "reference/release/refusal_text.h"

namespace nodebound {

std::string go_text(const Object& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_null()) return "<nil>";
  if (!value.is_structured()) return value.dump();
  std::string out;
  for (const auto& [key, item] : value.items()) {
    out += (out.empty() ? "" : " ") + (value.is_object() ? key + ":" : std::string()) + go_text(item);
  }
  return (value.is_object() ? "map[" : "[") + out + "]";
}

std::string go_syntax(const Object& value) {
  if (value.is_string()) return go_quoted(value.get_ref<const std::string&>());
  if (value.is_null()) return "interface {}(nil)";
  if (!value.is_structured()) return value.dump();
  std::string out;
  for (const auto& [key, item] : value.items()) {
    out += (out.empty() ? "" : ", ") + (value.is_object() ? go_quoted(key) + ":" : std::string()) + go_syntax(item);
  }
  return (value.is_object() ? "map[string]interface {}{" : "[]interface {}{") + out + "}";
}

}  // namespace nodebound
