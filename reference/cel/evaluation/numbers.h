#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nodebound::cel {

/// As Go's fmt prints a float64 with %g: the shortest digits that read back, with an exponent below -4 and from 6 on.
std::string go_floating(double value);
/// As Go's time.Duration prints itself: `1h0m1.5s`.
std::string go_duration(std::int64_t nanoseconds);

/// As Go's strconv and time read them; nothing if they would not.
std::optional<std::int64_t> parse_go_integer(std::string_view text);
std::optional<std::uint64_t> parse_go_unsigned(std::string_view text);
std::optional<double> parse_go_floating(std::string_view text);
std::optional<bool> parse_go_boolean(std::string_view text);
std::optional<std::int64_t> parse_go_duration(std::string_view text);

}  // namespace nodebound::cel
