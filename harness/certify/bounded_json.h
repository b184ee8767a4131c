#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace nodebound::certify {

/// A stranger's JSON object; nothing if it is none, or is nested deeper than anything that is read here.
std::optional<nlohmann::json> parse_bounded_object(std::string_view text);

}  // namespace nodebound::certify
