#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nodebound {

/// `2026-01-01T00:00:00Z`
std::string timestamp_of(std::chrono::system_clock::time_point time);

/// The same for seconds since 1970; years are limited to four digits.
std::string timestamp_of_seconds(std::int64_t seconds);

/// `2026-01-01T00:00:00.000000Z`
std::string micro_timestamp_of(std::chrono::system_clock::time_point time);

/// Seconds since 1970 as strftime writes them, in UTC.
std::string utc_text(std::int64_t seconds, const char* format);

/// Seconds since 1970 of a timestamp, without fractions; nothing if it is malformed.
std::optional<std::int64_t> seconds_of(std::string_view timestamp);

}  // namespace nodebound
