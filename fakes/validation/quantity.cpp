#include "fakes/validation/quantity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace nodebound::validation {
namespace {

constexpr const char* malformed =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
constexpr const char* no_number = "unable to parse numeric part of quantity";
constexpr const char* no_suffix = "unable to parse quantity's suffix";

constexpr std::int64_t smallest_exponent = -9;
constexpr std::string_view largest_binary = "9223372036854775807";
// Go calculates with up to so many digits before it needs big numbers. What fits keeps the way in which it was written.
constexpr std::int64_t most_decimal_digits = 18;
constexpr std::int64_t most_binary_digits = 15;
// More digits than these make no difference to a product that is rounded at 1e-9 and capped at 2^63.
constexpr std::size_t most_whole_digits = 20;
constexpr std::size_t most_fraction_digits = 40;

struct Suffix {
  std::string_view text;
  int exponent;
};

constexpr std::array<Suffix, 10> decimal_suffixes = {
    {{"n", -9}, {"u", -6}, {"m", -3}, {"", 0}, {"k", 3}, {"M", 6}, {"G", 9}, {"T", 12}, {"P", 15}, {"E", 18}}};
constexpr std::array<Suffix, 6> binary_suffixes = {
    {{"Ki", 10}, {"Mi", 20}, {"Gi", 30}, {"Ti", 40}, {"Pi", 50}, {"Ei", 60}}};

template <std::size_t size>
const Suffix* suffix_of(const std::array<Suffix, size>& all, std::string_view text) {
  const auto* const found = std::find_if(all.begin(), all.end(), [&](const Suffix& own) { return own.text == text; });
  return found == all.end() ? nullptr : found;
}

// The suffix of a power; none for a power that has none, as upstream.
template <std::size_t size>
std::string_view suffix_of(const std::array<Suffix, size>& all, std::int64_t exponent) {
  const auto* const found =
      std::find_if(all.begin(), all.end(), [&](const Suffix& own) { return own.exponent == exponent; });
  return found == all.end() ? std::string_view() : found->text;
}

std::string_view take(std::string_view& text, std::string_view characters) {
  const std::size_t end = std::min(text.find_first_not_of(characters), text.size());
  const std::string_view out = text.substr(0, end);
  text.remove_prefix(end);
  return out;
}

bool take_sign(std::string_view& text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  return negative;
}

/// The parts of a text that may be a quantity.
struct Parts {
  bool negative = false;
  bool has_digits = false;
  std::string_view whole;  ///< without leading zeros
  std::string_view fraction;
  std::string_view suffix;
};

std::optional<Parts> parts_of(std::string_view text) {
  constexpr std::string_view digits = "0123456789";
  Parts out;
  out.negative = take_sign(text);
  const std::string_view zeros = take(text, "0");
  out.whole = take(text, digits);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    out.fraction = take(text, digits);
  }
  out.has_digits = !zeros.empty() || !out.whole.empty() || !out.fraction.empty();
  out.suffix = text;
  take(text, "eEinumkKMGTP");
  take_sign(text);
  take(text, digits);
  if (!text.empty()) return std::nullopt;
  return out;
}

// `e3`, `E-9`
std::optional<std::int64_t> power_of(std::string_view suffix) {
  if (suffix.size() < 2 || (suffix.front() != 'e' && suffix.front() != 'E')) return std::nullopt;
  suffix.remove_prefix(suffix.substr(1).starts_with('+') ? 2 : 1);
  std::int64_t out = 0;
  const auto [end, error] = std::from_chars(suffix.data(), suffix.data() + suffix.size(), out);
  if (error != std::errc() || end != suffix.data() + suffix.size() || suffix.empty()) return std::nullopt;
  return static_cast<std::int32_t>(out);
}

// Adds one to the last digit.
void count_up(std::string& digits) {
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    if (*digit != '9') {
      ++*digit;
      return;
    }
    *digit = '0';
  }
  digits.insert(digits.begin(), '1');
}

void make_double(std::string& digits) {
  int carry = 0;
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    const int twice = 2 * (*digit - '0') + carry;
    *digit = static_cast<char>('0' + twice % 10);
    carry = twice / 10;
  }
  if (carry != 0) digits.insert(digits.begin(), '1');
}

// Makes the digits begin and end with another one than 0.
void trim(std::string& digits, std::int64_t& exponent) {
  const std::size_t last = digits.find_last_not_of('0');
  const std::size_t kept = last == std::string::npos ? 0 : last + 1;
  exponent = kept == 0 ? 0 : exponent + static_cast<std::int64_t>(digits.size() - kept);
  digits.resize(kept);
  digits.erase(0, digits.find_first_not_of('0'));
}

/// Digits that are few enough to be multiplied.
struct Bounded {
  std::string digits;
  std::int64_t exponent;
};

Bounded bounded(const Parts& parts) {
  if (parts.whole.size() > most_whole_digits) return {std::string(most_whole_digits + 1, '9'), 0};
  std::string fraction(parts.fraction.substr(0, most_fraction_digits));
  const bool more = parts.fraction.find_first_not_of('0', fraction.size()) != std::string_view::npos;
  if (more) fraction += '1';
  return {std::string(parts.whole) + fraction, -static_cast<std::int64_t>(fraction.size())};
}

// A quantity in JSON is a number, or a text that may have spaces around it.
std::string json_quantity(const Object& value) {
  if (!value.is_string()) return value.dump();
  constexpr const char* spaces = " \t\n\v\f\r";
  const auto& text = value.get_ref<const std::string&>();
  const std::size_t begin = text.find_first_not_of(spaces);
  return begin == std::string::npos ? std::string() : text.substr(begin, text.find_last_not_of(spaces) + 1 - begin);
}

std::uint64_t number_of(std::string_view digits) {
  std::uint64_t out = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), out);
  return out;
}

std::int64_t whole_digits(const Parts& parts) {
  return static_cast<std::int64_t>(std::max<std::size_t>(parts.whole.size(), 1));
}

/// How Go reads a quantity: whether its numbers are large enough for it, and whether it is written again as it was.
struct Reading {
  bool fits = false;
  bool keeps = false;
};

Reading reading_of_decimal(const Parts& parts, std::int64_t power) {
  const auto fraction = static_cast<std::int64_t>(parts.fraction.size());
  const std::int64_t scale = power - fraction;
  const bool fits = whole_digits(parts) + fraction <= most_decimal_digits && scale >= smallest_exponent;
  const bool short_enough = !(std::string(parts.whole) + std::string(parts.fraction)).ends_with("000");
  return {fits, fits && scale % 3 == 0 && !parts.whole.empty() && short_enough};
}

Reading reading_of_binary(const Parts& parts, int power) {
  const std::int64_t precision = most_binary_digits - whole_digits(parts) - power * 3 / 10 - 1;
  const bool fits = precision >= 0 && parts.fraction.empty();
  return {fits, fits && number_of(parts.whole) % 8 != 0};
}

}  // namespace

tl::expected<Quantity, const char*> Quantity::parse(std::string_view text) {
  if (text.empty()) return tl::unexpected(malformed);
  const std::optional<Parts> parts = parts_of(text);
  if (!parts) return tl::unexpected(malformed);
  Quantity out;
  out.negative_ = parts->negative;
  Reading reading;
  if (const Suffix* const binary = suffix_of(binary_suffixes, parts->suffix)) {
    Bounded amount = bounded(*parts);
    for (int i = 0; i < binary->exponent; ++i) make_double(amount.digits);
    out.digits_ = std::move(amount.digits);
    out.exponent_ = amount.exponent;
    out.format_ = Format::binary;
    reading = reading_of_binary(*parts, binary->exponent);
  } else {
    const Suffix* const decimal = suffix_of(decimal_suffixes, parts->suffix);
    const std::optional<std::int64_t> power = decimal == nullptr ? power_of(parts->suffix) : decimal->exponent;
    if (!power) return tl::unexpected(no_suffix);
    out.digits_ = std::string(parts->whole) + std::string(parts->fraction);
    out.exponent_ = *power - static_cast<std::int64_t>(parts->fraction.size());
    out.format_ = decimal == nullptr ? Format::exponent : Format::decimal;
    reading = reading_of_decimal(*parts, *power);
  }
  // Small numbers may have no digits at all: `.Ki` is zero.
  if (!parts->has_digits && !reading.fits) return tl::unexpected(no_number);
  trim(out.digits_, out.exponent_);
  if (out.is_zero()) return Quantity();
  out = out.rounded_up(smallest_exponent);
  Quantity largest;
  largest.digits_ = largest_binary;
  largest.negative_ = out.negative_;
  const bool beyond = out.negative_ ? out < largest : out > largest;
  if (out.format_ == Format::binary && beyond) out = largest;
  if (reading.keeps) out.as_written_ = text;
  return out;
}

Quantity Quantity::of(const Object& value) {
  return value.is_string() || value.is_number() ? parse(json_quantity(value)).value_or(Quantity()) : Quantity();
}

Quantity Quantity::rounded_up(std::int64_t to) const {
  if (is_zero() || exponent_ >= to) return *this;
  Quantity out = *this;
  const std::int64_t kept = std::max<std::int64_t>(magnitude() - to, 0);
  out.digits_.resize(static_cast<std::size_t>(kept));
  count_up(out.digits_);
  out.exponent_ = to;
  out.as_written_.clear();
  trim(out.digits_, out.exponent_);
  return out;
}

Quantity Quantity::in_thousandths() const {
  return rounded_up(-3);
}

bool Quantity::is_whole() const {
  return exponent_ >= 0;
}

bool Quantity::is_multiple_of(const Quantity& other) const {
  const auto whole = [](const Quantity& own) {
    return number_of(own.digits_ +
                     std::string(static_cast<std::size_t>(std::clamp<std::int64_t>(own.exponent_, 0, 20)), '0'));
  };
  return is_whole() && !is_negative() && whole(other) != 0 && whole(*this) % whole(other) == 0;
}

std::string Quantity::text() const {
  if (is_zero()) return "0";
  if (!as_written_.empty()) return as_written_;
  const std::string amount = format_ == Format::binary && is_whole() ? binary_text() : std::string();
  return (negative_ ? "-" : "") + (amount.empty() ? decimal_text() : amount);
}

// Powers of a thousand only, like the suffixes.
std::string Quantity::decimal_text() const {
  const std::int64_t more = ((exponent_ % 3) + 3) % 3;
  const std::int64_t power = exponent_ - more;
  const std::string number = digits_ + std::string(static_cast<std::size_t>(more), '0');
  if (format_ == Format::exponent) return number + (power == 0 ? "" : "e" + std::to_string(power));
  return number + std::string(suffix_of(decimal_suffixes, power));
}

// Empty below 1024: such a quantity is written in powers of ten.
std::string Quantity::binary_text() const {
  std::uint64_t amount = number_of(digits_ + std::string(static_cast<std::size_t>(exponent_), '0'));
  if (amount < 1024) return {};
  int power = 0;
  for (; amount % 1024 == 0; amount /= 1024) power += 10;
  return std::to_string(amount) + std::string(suffix_of(binary_suffixes, power));
}

std::strong_ordering Quantity::operator<=>(const Quantity& other) const {
  const auto sign = [](const Quantity& own) { return own.is_zero() ? 0 : own.negative_ ? -1 : 1; };
  if (const auto order = sign(*this) <=> sign(other); order != 0 || is_zero()) return order;
  const Quantity& smaller_if_less = negative_ ? other : *this;
  const Quantity& larger_if_less = negative_ ? *this : other;
  if (const auto order = smaller_if_less.magnitude() <=> larger_if_less.magnitude(); order != 0) return order;
  // Of the same magnitude, and without zeros at the end, digits compare like text.
  return smaller_if_less.digits_.compare(larger_if_less.digits_) <=> 0;
}

const char* quantity_error(const Object& value) {
  if (value.is_null()) return nullptr;
  if (!value.is_string() && !value.is_number()) return malformed;
  const auto parsed = Quantity::parse(json_quantity(value));
  return parsed ? nullptr : parsed.error();
}

}  // namespace nodebound::validation
