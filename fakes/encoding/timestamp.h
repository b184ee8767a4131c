#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nodebound {

/// `2026-01-01T00:00:00Z`
std::string timestamp_of(std::chrono::system_clock::time_point time);

/// The same of seconds since 1970; the nearest that four digits of a year can say.
std::string timestamp_of_seconds(std::int64_t seconds);

/// Seconds since 1970 of a timestamp, fractions left out; nothing if it is none.
std::optional<std::int64_t> seconds_of(std::string_view timestamp);

}  // namespace nodebound
