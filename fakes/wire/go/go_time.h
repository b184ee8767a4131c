#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace nodebound {

/// A moment, as the fields that hold times have it.
struct GoTime {
  std::int64_t seconds = 0;  ///< since 1970
  std::int32_t nanos = 0;
};

/// The layouts of metav1.Time and metav1.MicroTime. The latter needs exactly six digits after the second.
enum class TimeLayout { seconds, micros };

/// Reads a time as Go's time.Parse does, which takes a little more than RFC 3339 has. The error is Go's text.
tl::expected<GoTime, std::string> parse_go_time(std::string_view text, TimeLayout layout);

/// The time as an API server writes it: in UTC; empty for the first second of the year 1, which stands for no time.
std::string go_time_text(const GoTime& time, TimeLayout layout);

}  // namespace nodebound
