#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace nodebound {

/// Nanoseconds of `2m0s`, as Go's time.ParseDuration reads it. The error is Go's text.
tl::expected<std::int64_t, std::string> parse_go_duration(std::string_view text);

/// Milliseconds as Go writes a duration: `5m0s`, `30s`, `1.5s`, `0s`.
std::string go_duration(std::int64_t milliseconds);

}  // namespace nodebound
