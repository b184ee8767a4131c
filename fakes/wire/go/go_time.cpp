#include "fakes/wire/go/go_time.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <optional>

#include "fakes/wire/timestamp.h"

namespace nodebound {
namespace {

constexpr std::int64_t no_time = -62135596800;

bool is_time_digit(char c) {
  return c >= '0' && c <= '9';
}

// The time package has its own way to quote.
std::string quoted_time(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || byte < 0x20) {
      out += {'\\', 'x', digits[byte >> 4U], digits[byte & 0xfU]};
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + "\"";
}

/// Reads a text piece by piece, and remembers the first error.
class TimeReader {
 public:
  TimeReader(std::string_view text, TimeLayout layout) : text_(text), rest_(text), layout_(layout) {}

  tl::expected<GoTime, std::string> read() {
    GoTime out;
    const int year = digits("2006", 4, 4);
    const int month = (literal("-"), range("month", digits("01", 2, 2), 1, 12));
    const int day = (literal("-"), digits("02", 2, 2));
    const int hour = (literal("T"), range("hour", digits("15", 1, 2), 0, 23));
    const int minute = (literal(":"), range("minute", digits("04", 2, 2), 0, 59));
    const int second = (literal(":"), range("second", digits("05", 2, 2), 0, 59));
    out.nanos = fraction();
    const int offset = zone();
    if (!error_ && !rest_.empty()) error_ = said("extra text: " + quoted_time(rest_));
    using namespace std::chrono;
    const year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                              std::chrono::day(static_cast<unsigned>(day))};
    if (!error_ && !date.ok()) error_ = said("day out of range");
    if (error_) return tl::unexpected(std::move(*error_));
    const auto time = sys_days(date) + hours(hour) + minutes(minute) + std::chrono::seconds(second - offset);
    out.seconds = time.time_since_epoch().count();
    return out;
  }

 private:
  [[nodiscard]] std::string said(const std::string& what) const {
    return "parsing time " + quoted_time(text_) + ": " + what;
  }

  int fail(std::string_view expected) {
    const char* const layout =
        layout_ == TimeLayout::micros ? "2006-01-02T15:04:05.000000Z07:00" : "2006-01-02T15:04:05Z07:00";
    error_ = "parsing time " + quoted_time(text_) + " as \"" + layout + "\": cannot parse " + quoted_time(rest_) +
             " as " + quoted_time(expected);
    return 0;
  }

  void literal(std::string_view expected) {
    if (error_) return;
    if (rest_.starts_with(expected)) {
      rest_.remove_prefix(expected.size());
    } else {
      fail(expected);
    }
  }

  int digits(std::string_view expected, std::size_t least, std::size_t most) {
    if (error_) return 0;
    std::size_t size = 0;
    while (size < most && size < rest_.size() && is_time_digit(rest_[size])) ++size;
    if (size < least) return fail(expected);
    int out = 0;
    for (const char c : rest_.substr(0, size)) out = out * 10 + (c - '0');
    rest_.remove_prefix(size);
    return out;
  }

  int range(const char* what, int value, int least, int most) {
    if (!error_ && (value < least || value > most)) error_ = said(std::string(what) + " out of range");
    return value;
  }

  // The fraction of a second, in nanoseconds; further digits are dropped.
  std::int32_t fraction() {
    if (error_) return 0;
    const bool begins = rest_.size() > 1 && (rest_[0] == '.' || rest_[0] == ',') && is_time_digit(rest_[1]);
    std::size_t size = 1;
    while (begins && size < rest_.size() && is_time_digit(rest_[size])) ++size;
    if (layout_ == TimeLayout::micros) {
      constexpr std::size_t own = 7;
      if (size < own) return fail(".000000");
      size = own;
    }
    if (!begins) return 0;
    std::int32_t out = 0;
    std::int32_t unit = 100'000'000;
    for (const char c : rest_.substr(1, size - 1)) {
      out += (c - '0') * unit;
      unit /= 10;
    }
    rest_.remove_prefix(size);
    return out;
  }

  // The zone's offset from UTC in seconds.
  int zone() {
    if (error_) return 0;
    constexpr std::string_view expected = "Z07:00";
    if (rest_.starts_with('Z')) {
      rest_.remove_prefix(1);
      return 0;
    }
    if (rest_.size() < expected.size() || rest_[3] != ':' || (rest_[0] != '+' && rest_[0] != '-')) {
      return fail(expected);
    }
    for (const std::size_t at : {1U, 2U, 4U, 5U}) {
      if (!is_time_digit(rest_[at])) return fail(expected);
    }
    const auto number = [&](std::size_t at) { return (rest_[at] - '0') * 10 + rest_[at + 1] - '0'; };
    const int hours = range("time zone offset hour", number(1), 0, 24);
    const int minutes = range("time zone offset minute", number(4), 0, 60);
    const int out = (hours * 60 + minutes) * 60;
    const bool behind = rest_[0] == '-';
    rest_.remove_prefix(expected.size());
    return behind ? -out : out;
  }

  std::string_view text_;
  std::string_view rest_;
  TimeLayout layout_;
  std::optional<std::string> error_;
};

}  // namespace

tl::expected<GoTime, std::string> parse_go_time(std::string_view text, TimeLayout layout) {
  return TimeReader(text, layout).read();
}

std::string go_time_text(const GoTime& time, TimeLayout layout) {
  if (time.seconds == no_time && time.nanos == 0) return {};
  std::string out = timestamp_of_seconds(time.seconds);
  if (layout == TimeLayout::seconds) return out;
  std::array<char, 16> fraction{};
  std::snprintf(fraction.data(), fraction.size(), ".%06dZ", time.nanos / 1000);
  return out.replace(out.size() - 1, 1, fraction.data());
}

}  // namespace nodebound
