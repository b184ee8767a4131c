#include "fakes/wire/timestamp.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>

#include "fakes/wire/go/go_time.h"

namespace nodebound {

std::string timestamp_of(std::chrono::system_clock::time_point time) {
  return timestamp_of_seconds(std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count());
}

std::string timestamp_of_seconds(std::int64_t seconds) {
  using namespace std::chrono;
  constexpr std::int64_t first = -62167219200;
  constexpr std::int64_t last = 253402300799;
  const sys_seconds time{std::chrono::seconds(std::clamp(seconds, first, last))};
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  std::array<char, 40> out{};
  std::snprintf(out.data(), out.size(), "%04d-%02u-%02uT%02d:%02d:%02dZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return out.data();
}

std::string micro_timestamp_of(std::chrono::system_clock::time_point time) {
  const auto second = std::chrono::floor<std::chrono::seconds>(time);
  std::string out = timestamp_of(second);
  std::array<char, 16> fraction{};
  std::snprintf(fraction.data(), fraction.size(), ".%06d",
                static_cast<int>(std::chrono::duration_cast<std::chrono::microseconds>(time - second).count()));
  return out.insert(out.size() - 1, fraction.data());
}

std::string utc_text(std::int64_t seconds, const char* format) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  gmtime_r(&time, &parts);
  std::array<char, 64> out{};
  return {out.data(), std::strftime(out.data(), out.size(), format, &parts)};
}

std::optional<std::int64_t> seconds_of(std::string_view timestamp) {
  const auto time = parse_go_time(timestamp, TimeLayout::seconds);
  return time ? std::optional(time->seconds) : std::nullopt;
}

}  // namespace nodebound
