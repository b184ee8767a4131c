#include "harness/certify/bounded_json.h"

#include "reference/encoding/json_depth.h"

namespace nodebound::certify {
namespace {

constexpr std::size_t deepest_read = 32;

}  // namespace

std::optional<nlohmann::json> parse_bounded_object(std::string_view text) {
  if (json_depth(text) > deepest_read) return std::nullopt;
  nlohmann::json out = nlohmann::json::parse(text, nullptr, false);
  if (!out.is_object()) return std::nullopt;
  return out;
}

}  // namespace nodebound::certify
