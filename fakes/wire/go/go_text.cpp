#include "fakes/wire/go/go_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "reference/encoding/ascii.h"
#include "reference/release/refusal_text.h"

namespace nodebound {
namespace {

/// What follows a % in a format, up to the verb (doPrintf in Go's fmt/print.go), where no value can be had.
class Verb {
 public:
  /// `text` begins after the %.
  explicit Verb(std::string_view text) : text_(text) {
    while (is_next("#0+- ")) ++at_;
    skip_index();
    skip_number("%!(BADWIDTH)");
    if (at_ + 1 < text_.size() && text_[at_] == '.') {
      ++at_;
      skip_index();
      skip_number("%!(BADPREC)");
    }
    skip_index();
    print();
  }

  [[nodiscard]] std::size_t size() const { return at_; }
  [[nodiscard]] const std::string& printed() const { return printed_; }

 private:
  [[nodiscard]] bool is_next(std::string_view any) const {
    return at_ < text_.size() && any.find(text_[at_]) != std::string_view::npos;
  }

  // [3] chooses a value.
  void skip_index() {
    if (!is_next("[")) return;
    bad_index_ = true;
    const std::size_t end = text_.find(']', at_);
    const bool closed = text_.size() - at_ >= 3 && end != std::string_view::npos;
    at_ = closed ? end + 1 : at_ + 1;
  }

  void skip_number(const char* bad) {
    constexpr int most = 1'000'000;  // more digits after more than this take the rest of the format
    if (is_next("*")) {
      ++at_;
      printed_ += bad;
      return;
    }
    for (int number = 0; at_ < text_.size() && is_digit(text_[at_]); ++at_) {
      if (number > most) {
        at_ = text_.size();
        return;
      }
      number = 10 * number + (text_[at_] - '0');
    }
  }

  void print() {
    if (at_ >= text_.size()) {
      printed_ += "%!(NOVERB)";
      return;
    }
    const std::size_t begin = at_++;
    while (at_ < text_.size() && (static_cast<unsigned char>(text_[at_]) & 0xc0U) == 0x80U) ++at_;
    const std::string verb(text_.substr(begin, at_ - begin));
    printed_ += verb == "%" ? verb : "%!" + verb + (bad_index_ ? "(BADINDEX)" : "(MISSING)");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool bad_index_ = false;
  std::string printed_;
};

}  // namespace

std::string go_formatted(std::string_view format) {
  std::string out;
  while (!format.empty()) {
    const std::size_t percent = std::min(format.find('%'), format.size());
    out += format.substr(0, percent);
    if (percent == format.size()) break;
    const Verb verb(format.substr(percent + 1));
    out += verb.printed();
    format.remove_prefix(percent + 1 + verb.size());
  }
  return out;
}

std::string go_text(const Object& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_null()) return "<nil>";
  if (!value.is_structured()) return value.dump();
  std::string out;
  for (const auto& [key, item] : value.items()) {
    out += (out.empty() ? "" : " ") + (value.is_object() ? key + ":" : std::string()) + go_text(item);
  }
  return (value.is_object() ? "map[" : "[") + out + "]";
}

std::string go_number(double number) {
  constexpr double smallest_plain = 1e-6;
  constexpr double largest_plain = 1e21;
  const double size = std::abs(number);
  const bool plain = size == 0 || (size >= smallest_plain && size < largest_plain);
  std::array<char, 64> out{};
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  const auto [end, error] = std::to_chars(out.data(), out.data() + out.size(), number, format);
  std::string text(out.data(), error == std::errc() ? end : out.data());
  // 1e-09 is 1e-9.
  const std::size_t zero = text.find("e-0");
  return zero == std::string::npos ? text : text.erase(zero + 2, 1);
}

std::string go_syntax(const Object& value) {
  if (value.is_string()) return go_quoted(value.get_ref<const std::string&>());
  if (value.is_null()) return "interface {}(nil)";
  if (!value.is_structured()) return value.dump();
  std::string out;
  for (const auto& [key, item] : value.items()) {
    out += (out.empty() ? "" : ", ") + (value.is_object() ? go_quoted(key) + ":" : std::string()) + go_syntax(item);
  }
  return (value.is_object() ? "map[string]interface {}{" : "[]interface {}{") + out + "}";
}

}  // namespace nodebound
