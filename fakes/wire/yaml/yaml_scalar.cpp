#include "fakes/wire/yaml/yaml_scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <span>

namespace nodebound {
namespace {

constexpr std::array<std::string_view, 5> nulls = {"", "~", "null", "Null", "NULL"};
constexpr std::array<std::string_view, 11> trues = {"y",    "Y",    "yes", "Yes", "YES", "true",
                                                    "True", "TRUE", "on",  "On",  "ON"};
constexpr std::array<std::string_view, 11> falses = {"n",     "N",     "no",  "No",  "NO", "false",
                                                     "False", "FALSE", "off", "Off", "OFF"};
constexpr std::array<std::string_view, 6> infinities = {".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"};
constexpr std::array<std::string_view, 3> negative_infinities = {"-.inf", "-.Inf", "-.INF"};
constexpr std::array<std::string_view, 3> not_numbers = {".nan", ".NaN", ".NAN"};

bool is_one_of(std::string_view text, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

std::string without_underscores(std::string_view text) {
  std::string out(text);
  std::erase(out, '_');
  return out;
}

// An integer whose prefix names its base, as Go's strconv reads base 0.
Object integer(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  int base = 10;
  const auto is_prefix = [&](char letter) {
    return text.size() > 2 && text[0] == '0' && (text[1] == letter || text[1] == letter - ('a' - 'A'));
  };
  if (is_prefix('x')) base = 16;
  if (is_prefix('o')) base = 8;
  if (is_prefix('b')) base = 2;
  if (base != 10) {
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
  }
  std::uint64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (problem != std::errc() || end != text.data() + text.size()) return nullptr;
  if (!negative) return number;
  constexpr std::uint64_t lowest = std::uint64_t{1} << 63U;
  if (number > lowest) return nullptr;
  return number == lowest ? std::numeric_limits<std::int64_t>::min() : -static_cast<std::int64_t>(number);
}

bool is_float(std::string_view text) {
  const auto digits = [&] {
    const std::size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(count);
    return count;
  };
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  const std::size_t before = digits();
  const bool point = text.starts_with('.');
  if (point) text.remove_prefix(1);
  const std::size_t after = point ? digits() : 0;
  if (before + after == 0) return false;
  if (text.empty()) return true;
  if (text.front() != 'e' && text.front() != 'E') return false;
  text.remove_prefix(1);
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return digits() > 0 && text.empty();
}

// In JSON, Go writes numbers without a fraction as integers.
Object number(double value) {
  constexpr double exact = 9.0e15;
  if (std::trunc(value) == value && std::abs(value) < exact) return static_cast<std::int64_t>(value);
  return value;
}

}  // namespace

Object plain_yaml_scalar(std::string_view text) {
  if (is_one_of(text, nulls)) return nullptr;
  if (is_one_of(text, trues)) return true;
  if (is_one_of(text, falses)) return false;
  if (std::string_view("+-.0123456789").find(text.front()) == std::string_view::npos) return std::string(text);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (is_one_of(text, infinities)) return infinity;
  if (is_one_of(text, negative_infinities)) return -infinity;
  if (is_one_of(text, not_numbers)) return std::numeric_limits<double>::quiet_NaN();
  const std::string digits = without_underscores(text);
  Object whole = integer(digits);
  if (!whole.is_null()) return whole;
  if (is_float(digits)) return number(std::strtod(digits.c_str(), nullptr));
  return std::string(text);
}

}  // namespace nodebound
