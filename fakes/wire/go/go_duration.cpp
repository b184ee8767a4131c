#include "fakes/wire/go/go_duration.h"

#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "reference/encoding/ascii.h"

namespace nodebound {
namespace {

using Mistake = tl::unexpected<std::string>;

constexpr std::array<std::pair<std::string_view, std::int64_t>, 8> units = {{{"ns", 1},
                                                                             {"us", 1'000},
                                                                             {"\u00b5s", 1'000},
                                                                             {"\u03bcs", 1'000},
                                                                             {"ms", 1'000'000},
                                                                             {"s", 1'000'000'000},
                                                                             {"m", 60'000'000'000},
                                                                             {"h", 3'600'000'000'000}}};

std::optional<std::int64_t> size_of(std::string_view unit) {
  for (const auto& [name, size] : units) {
    if (name == unit) return size;
  }
  return std::nullopt;
}

// Package time has quotes of its own: a byte that is not ASCII or is a control character is shown as \xNN.
std::string quoted(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x80) {
      out += {'\\', 'x', digits[byte >> 4U], digits[byte & 0xfU]};
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

// Takes the digits from the start of `rest`.
std::string_view take_digits(std::string_view& rest) {
  std::size_t end = 0;
  while (end < rest.size() && is_digit(rest[end])) ++end;
  const std::string_view digits = rest.substr(0, end);
  rest.remove_prefix(end);
  return digits;
}

std::optional<std::int64_t> times(std::string_view whole, std::string_view fraction, std::int64_t unit) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  std::int64_t value = 0;
  for (const char c : whole) {
    if (value > (most - 9) / 10) return std::nullopt;
    value = value * 10 + (c - '0');
  }
  if (value > most / unit) return std::nullopt;
  value *= unit;
  double part = 0;
  double scale = 1;
  for (const char c : fraction) {
    scale /= 10;
    part += scale * (c - '0');
  }
  const auto added = static_cast<std::int64_t>(part * static_cast<double>(unit) + 1e-6);
  return value > most - added ? std::nullopt : std::optional(value + added);
}

}  // namespace

tl::expected<std::int64_t, std::string> parse_go_duration(std::string_view text) {
  const auto invalid = [&] { return Mistake("time: invalid duration " + quoted(text)); };
  std::string_view rest = text;
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  if (rest == "0") return 0;
  if (rest.empty()) return invalid();
  std::int64_t total = 0;
  while (!rest.empty()) {
    const std::string_view whole = take_digits(rest);
    std::string_view fraction;
    if (rest.starts_with('.')) {
      rest.remove_prefix(1);
      fraction = take_digits(rest);
    }
    if (whole.empty() && fraction.empty()) return invalid();
    std::size_t end = 0;
    while (end < rest.size() && rest[end] != '.' && !is_digit(rest[end])) ++end;
    if (end == 0) return Mistake("time: missing unit in duration " + quoted(text));
    const auto unit = size_of(rest.substr(0, end));
    if (!unit) return Mistake("time: unknown unit " + quoted(rest.substr(0, end)) + " in duration " + quoted(text));
    rest.remove_prefix(end);
    const auto value = times(whole, fraction, *unit);
    if (!value || total > std::numeric_limits<std::int64_t>::max() - *value) return invalid();
    total += *value;
  }
  return negative ? -total : total;
}

std::string go_duration(std::int64_t milliseconds) {
  if (milliseconds == 0) return "0s";
  std::string out = milliseconds < 0 ? "-" : "";
  const std::int64_t left = milliseconds < 0 ? -milliseconds : milliseconds;
  if (left < 1000) return out + std::to_string(left) + "ms";
  const std::int64_t hours = left / 3'600'000;
  const std::int64_t minutes = left / 60'000 % 60;
  if (hours > 0) out += std::to_string(hours) + "h";
  if (hours > 0 || minutes > 0) out += std::to_string(minutes) + "m";
  out += std::to_string(left / 1000 % 60);
  std::string fraction = std::to_string(1000 + left % 1000).substr(1);
  while (fraction.ends_with('0')) fraction.pop_back();
  return out + (fraction.empty() ? "" : "." + fraction) + "s";
}

}  // namespace nodebound
