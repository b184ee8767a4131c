#include "harness/certify/bounded_json.h"

namespace nodebound {
namespace {

constexpr int deepest = 32;

bool is_shallow(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > deepest) return false;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return true;
}

}  // namespace

std::optional<nlohmann::json> parse_bounded_object(std::string_view text) {
  if (!is_shallow(text)) return std::nullopt;
  nlohmann::json out = nlohmann::json::parse(text, nullptr, false);
  if (!out.is_object()) return std::nullopt;
  return out;
}

}  // namespace nodebound
