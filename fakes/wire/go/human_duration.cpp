#include "fakes/wire/go/human_duration.h"

#include <optional>

#include "fakes/wire/timestamp.h"

namespace nodebound {

std::string age_between(std::string_view since, std::string_view now) {
  const std::optional<std::int64_t> begin = seconds_of(since);
  const std::optional<std::int64_t> end = seconds_of(now);
  return begin && end ? elapsed(*end - *begin) : "<unknown>";
}

std::string elapsed(std::int64_t seconds) {
  const auto two = [](std::int64_t big, const char* unit, std::int64_t small, const char* small_unit) {
    return std::to_string(big) + unit + (small == 0 ? "" : std::to_string(small) + small_unit);
  };
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  const std::int64_t minutes = seconds / 60;
  const std::int64_t hours = minutes / 60;
  const std::int64_t days = hours / 24;
  if (seconds < 120) return std::to_string(seconds) + "s";
  if (minutes < 10) return two(minutes, "m", seconds % 60, "s");
  if (minutes < 180) return std::to_string(minutes) + "m";
  if (hours < 8) return two(hours, "h", minutes % 60, "m");
  if (hours < 48) return std::to_string(hours) + "h";
  if (hours < 192) return two(days, "d", hours % 24, "h");
  constexpr std::int64_t year = 365;
  if (days < 2 * year) return std::to_string(days) + "d";
  if (days < 8 * year) return two(days / year, "y", days % year, "d");
  return std::to_string(days / year) + "y";
}

}  // namespace nodebound
