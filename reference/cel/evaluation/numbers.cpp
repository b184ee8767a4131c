#include "reference/cel/evaluation/numbers.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace nodebound::cel {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool equals_ignoring_case(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((text[i] | 0x20) != lower[i]) return false;
  }
  return true;
}

// Whether Go reads the text as a number with a point and an exponent. Underscores and hexadecimal are for literals of
// Go's own, and strconv takes hexadecimal only with an exponent.
bool is_decimal(std::string_view text) {
  std::size_t i = 0;
  if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
  std::size_t digits = 0;
  for (; i < text.size() && is_digit(text[i]); ++i) ++digits;
  if (i < text.size() && text[i] == '.') {
    for (++i; i < text.size() && is_digit(text[i]); ++i) ++digits;
  }
  if (digits == 0) return false;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    const std::size_t exponent = i;
    while (i < text.size() && is_digit(text[i])) ++i;
    if (i == exponent) return false;
  }
  return i == text.size();
}

struct Unit {
  std::string_view name;
  std::uint64_t nanoseconds;
};
constexpr std::array<Unit, 8> units = {{{"ns", 1},
                                        {"us", 1'000},
                                        {"µs", 1'000},
                                        {"μs", 1'000},
                                        {"ms", 1'000'000},
                                        {"s", 1'000'000'000},
                                        {"m", 60'000'000'000},
                                        {"h", 3'600'000'000'000}}};

constexpr std::uint64_t two_to_63 = std::uint64_t{1} << 63;

// Digits as a number of at most 2^63; nothing if there are too many.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t out = 0;
  while (!text.empty() && is_digit(text.front())) {
    if (out > two_to_63 / 10) return std::nullopt;
    out = out * 10 + static_cast<std::uint64_t>(text.front() - '0');
    if (out > two_to_63) return std::nullopt;
    text.remove_prefix(1);
  }
  return out;
}

// The digits after a point; those that do not fit are dropped.
std::uint64_t take_fraction(std::string_view& text, double& scale) {
  std::uint64_t out = 0;
  bool full = false;
  for (; !text.empty() && is_digit(text.front()); text.remove_prefix(1)) {
    if (full) continue;
    if (out > (two_to_63 - 1) / 10) {
      full = true;
      continue;
    }
    const std::uint64_t more = out * 10 + static_cast<std::uint64_t>(text.front() - '0');
    if (more > two_to_63) {
      full = true;
      continue;
    }
    out = more;
    scale *= 10;
  }
  return out;
}

}  // namespace

std::string go_floating(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Inf" : "+Inf";
  std::array<char, 32> buffer{};
  auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific).ptr;
  const std::string scientific(buffer.data(), end);
  const int exponent = std::atoi(scientific.c_str() + scientific.find('e') + 1);
  if (exponent < -4 || exponent >= 6) return scientific;
  std::array<char, 64> plain{};
  end = std::to_chars(plain.data(), plain.data() + plain.size(), value, std::chars_format::fixed).ptr;
  return {plain.data(), end};
}

std::string go_duration(std::int64_t nanoseconds) {
  if (nanoseconds == 0) return "0s";
  std::uint64_t rest =
      nanoseconds < 0 ? 0 - static_cast<std::uint64_t>(nanoseconds) : static_cast<std::uint64_t>(nanoseconds);
  const auto fraction = [](std::uint64_t value, std::uint64_t unit) {
    std::string out = std::to_string(value / unit);
    std::string digits = std::to_string(unit + value % unit).substr(1);
    digits.erase(digits.find_last_not_of('0') + 1);
    return digits.empty() ? out : out + "." + digits;
  };
  const std::string sign = nanoseconds < 0 ? "-" : "";
  if (rest < 1'000) return sign + std::to_string(rest) + "ns";
  if (rest < 1'000'000) return sign + fraction(rest, 1'000) + "µs";
  if (rest < 1'000'000'000) return sign + fraction(rest, 1'000'000) + "ms";
  const std::uint64_t minutes = rest / 60'000'000'000;
  std::string out = fraction(rest % 60'000'000'000, 1'000'000'000) + "s";
  if (minutes > 0) out = std::to_string(minutes % 60) + "m" + out;
  if (minutes >= 60) out = std::to_string(minutes / 60) + "h" + out;
  return sign + out;
}

std::optional<std::int64_t> parse_go_integer(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  std::int64_t out = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || rest != text.data() + text.size()) return std::nullopt;
  return out;
}

std::optional<std::uint64_t> parse_go_unsigned(std::string_view text) {
  std::uint64_t out = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || rest != text.data() + text.size()) return std::nullopt;
  return out;
}

std::optional<double> parse_go_floating(std::string_view text) {
  std::string_view unsigned_text = text;
  const bool negative = text.substr(0, 1) == "-";
  if (negative || text.substr(0, 1) == "+") unsigned_text.remove_prefix(1);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (equals_ignoring_case(unsigned_text, "inf") || equals_ignoring_case(unsigned_text, "infinity")) {
    return negative ? -infinity : infinity;
  }
  if (equals_ignoring_case(text, "nan")) return std::numeric_limits<double>::quiet_NaN();
  if (!is_decimal(text)) return std::nullopt;
  const double out = std::strtod(std::string(text).c_str(), nullptr);
  if (std::isinf(out)) return std::nullopt;
  return out;
}

std::optional<bool> parse_go_boolean(std::string_view text) {
  for (const std::string_view yes : {"1", "t", "T", "true", "TRUE", "True"}) {
    if (text == yes) return true;
  }
  for (const std::string_view no : {"0", "f", "F", "false", "FALSE", "False"}) {
    if (text == no) return false;
  }
  return std::nullopt;
}

std::optional<std::int64_t> parse_go_duration(std::string_view text) {
  const bool negative = text.substr(0, 1) == "-";
  if (negative || text.substr(0, 1) == "+") text.remove_prefix(1);
  if (text == "0") return 0;
  if (text.empty()) return std::nullopt;
  std::uint64_t total = 0;
  while (!text.empty()) {
    const std::size_t before = text.size();
    if (text.front() != '.' && !is_digit(text.front())) return std::nullopt;
    const std::optional<std::uint64_t> whole = take_number(text);
    if (!whole) return std::nullopt;
    bool digits = text.size() < before;
    double scale = 1;
    std::uint64_t fraction = 0;
    if (text.substr(0, 1) == ".") {
      text.remove_prefix(1);
      const std::size_t after_point = text.size();
      fraction = take_fraction(text, scale);
      digits = digits || text.size() < after_point;
    }
    if (!digits) return std::nullopt;
    const std::string_view name = text.substr(0, text.find_first_of(".0123456789"));
    text.remove_prefix(name.size());
    const Unit* unit = nullptr;
    for (const Unit& one : units) {
      if (one.name == name) unit = &one;
    }
    if (unit == nullptr || *whole > two_to_63 / unit->nanoseconds) return std::nullopt;
    std::uint64_t value = *whole * unit->nanoseconds;
    if (fraction > 0) {
      value +=
          static_cast<std::uint64_t>(static_cast<double>(fraction) * (static_cast<double>(unit->nanoseconds) / scale));
      if (value > two_to_63) return std::nullopt;
    }
    total += value;
    if (total > two_to_63) return std::nullopt;
  }
  if (negative) return static_cast<std::int64_t>(0 - total);
  if (total > two_to_63 - 1) return std::nullopt;
  return static_cast<std::int64_t>(total);
}

}  // namespace nodebound::cel
