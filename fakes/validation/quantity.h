#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "reference/cluster/object.h"

namespace nodebound::validation {

/// An amount such as `100m`, `1.5Gi` or `2e3` (apimachinery's pkg/api/resource). It is exact down to 1e-9; what is
/// smaller is rounded up.
class Quantity {
 public:
  /// The error is Go's text.
  static tl::expected<Quantity, const char*> parse(std::string_view text);

  /// The quantity in a JSON value; zero if there is none.
  static Quantity of(const Object& value);

  /// As an API server writes it: `1024Mi` is `1Gi`.
  [[nodiscard]] std::string text() const;

  /// Rounded up to thousandths, away from zero, as the lists of resources of the core group are.
  [[nodiscard]] Quantity in_thousandths() const;

  [[nodiscard]] bool is_zero() const { return digits_.empty(); }
  [[nodiscard]] bool is_negative() const { return negative_; }
  [[nodiscard]] bool is_whole() const;
  /// Of quantities of bytes.
  [[nodiscard]] bool is_multiple_of(const Quantity& other) const;

  std::strong_ordering operator<=>(const Quantity& other) const;
  bool operator==(const Quantity& other) const { return (*this <=> other) == std::strong_ordering::equal; }

 private:
  enum class Format { decimal, exponent, binary };

  [[nodiscard]] Quantity rounded_up(std::int64_t to) const;
  [[nodiscard]] std::string decimal_text() const;
  [[nodiscard]] std::string binary_text() const;
  /// The highest power of ten that the quantity reaches.
  [[nodiscard]] std::int64_t magnitude() const { return static_cast<std::int64_t>(digits_.size()) + exponent_; }

  // The amount is `digits_` times ten to the power of `exponent_`. Digits begin and end with another one than 0.
  std::string digits_;
  std::int64_t exponent_ = 0;
  bool negative_ = false;
  Format format_ = Format::decimal;
  std::string as_written_;  ///< if it is written like that again
};

/// Go's error for a value that is no quantity; null if it is one.
const char* quantity_error(const Object& value);

}  // namespace nodebound::validation
