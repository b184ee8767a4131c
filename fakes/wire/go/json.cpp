#include "fakes/wire/go/json.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "fakes/wire/go/json_syntax.h"
#include "reference/encoding/utf8.h"

namespace nodebound {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

// Whether the parser would read it otherwise than Go, or would build a value too deep to handle.
bool needs_care(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) return true;
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\0') return true;
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > deepest_kept) return true;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return false;
}

/// Rewrites valid JSON so that every parser reads from it what Go reads.
class Rewriter {
 public:
  explicit Rewriter(std::string_view text) : text_(text) { out_.reserve(text.size()); }

  std::string rewritten() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        string();
      } else if (c == '-' || (c >= '0' && c <= '9')) {
        number();
      } else if (c == '[' || c == '{') {
        if (++depth_ == deepest_kept + 1) put("null");
        put(c);
      } else if (c == ']' || c == '}') {
        put(c);
        --depth_;
      } else {
        put(c);
      }
    }
    return std::move(out_);
  }

 private:
  // Copies one character unless it is nested too deep.
  void put(char c) {
    if (depth_ <= deepest_kept) out_ += c;
    ++at_;
  }
  void put(std::string_view instead) { out_ += instead; }

  void string() {
    put('"');
    while (text_[at_] != '"') {
      if (text_[at_] == '\\') {
        escape();
        continue;
      }
      std::string_view rest = text_.substr(at_);
      if (!take_character(rest)) {
        if (depth_ <= deepest_kept) put(replacement);
        ++at_;
        continue;
      }
      for (std::size_t left = text_.size() - at_ - rest.size(); left > 0; --left) put(text_[at_]);
    }
    put('"');
  }

  [[nodiscard]] unsigned unit_at(std::size_t at) const {
    if (text_.substr(at, 2) != "\\u") return 0;
    unsigned unit = 0;
    std::from_chars(text_.data() + at + 2, text_.data() + at + 6, unit, 16);
    return unit;
  }

  void escape() {
    const unsigned unit = unit_at(at_);
    const bool high = unit >= 0xd800 && unit < 0xdc00;
    const unsigned next = high ? unit_at(at_ + 6) : 0;
    const bool pair = next >= 0xdc00 && next < 0xe000;
    if (!pair && unit >= 0xd800 && unit < 0xe000) {
      if (depth_ <= deepest_kept) put(replacement);
      at_ += 6;
      return;
    }
    const int length = pair ? 12 : 2;
    for (int i = 0; i < length; ++i) put(text_[at_]);
  }

  void number() {
    const std::size_t end = std::min(text_.find_first_not_of("-+.0123456789eE", at_), text_.size());
    const std::string digits(text_.substr(at_, end - at_));
    at_ = end;
    if (depth_ > deepest_kept) return;
    const bool endless = std::isinf(std::strtod(digits.c_str(), nullptr));
    put(endless ? (digits.starts_with('-') ? "-1e308" : "1e308") : std::string_view(digits));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::string out_;
};

}  // namespace

tl::expected<Object, std::string> read_json(std::string_view text) {
  if (!needs_care(text)) {
    Object value = Object::parse(text, nullptr, false);
    if (!value.is_discarded()) return value;
  }
  if (std::optional<std::string> error = json_syntax_error(text)) return tl::unexpected(std::move(*error));
  return Object::parse(Rewriter(text).rewritten());
}

bool is_plain_json(std::string_view text) {
  return !needs_care(text);
}

tl::expected<std::string, std::string> plain_json(std::string_view text) {
  if (std::optional<std::string> error = json_syntax_error(text)) return tl::unexpected(std::move(*error));
  return Rewriter(text).rewritten();
}

std::string escaped_for_html(const std::string& json) {
  std::string out;
  out.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string_view rest = std::string_view(json).substr(i, 3);
    if (rest.front() == '<') {
      out += "\\u003c";
    } else if (rest.front() == '>') {
      out += "\\u003e";
    } else if (rest.front() == '&') {
      out += "\\u0026";
    } else if (rest == "\u2028" || rest == "\u2029") {
      out += rest == "\u2028" ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out += rest.front();
    }
  }
  return out;
}

}  // namespace nodebound
