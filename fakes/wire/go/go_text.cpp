#include "fakes/wire/go/go_text.h"

#include <array>
#include <charconv>
#include <cmath>

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

std::string go_number(double number) {
  constexpr double smallest_plain = 1e-6;
  constexpr double largest_plain = 1e21;
  const double size = std::abs(number);
  const bool plain = size == 0 || (size >= smallest_plain && size < largest_plain);
  std::array<char, 64> out{};
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  const auto [end, error] = std::to_chars(out.data(), out.data() + out.size(), number, format);
  std::string text(out.data(), error == std::errc() ? end : out.data());
  // 1e-09 is 1e-9.
  const std::size_t zero = text.find("e-0");
  return zero == std::string::npos ? text : text.erase(zero + 2, 1);
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
