#include "reference/cel/evaluation/regex.h"

#include <re2/re2.h>

#include "reference/encoding/utf8.h"

namespace nodebound::cel {

namespace {

// regexp/syntax's name of a mistake.
std::string_view go_words(re2::RE2::ErrorCode code) {
  switch (code) {
    case re2::RE2::ErrorBadEscape:
      return "invalid escape sequence";
    case re2::RE2::ErrorBadCharClass:
      return "invalid character class";
    case re2::RE2::ErrorBadCharRange:
      return "invalid character class range";
    case re2::RE2::ErrorMissingBracket:
      return "missing closing ]";
    case re2::RE2::ErrorMissingParen:
      return "missing closing )";
    case re2::RE2::ErrorUnexpectedParen:
      return "unexpected )";
    case re2::RE2::ErrorTrailingBackslash:
      return "trailing backslash at end of expression";
    case re2::RE2::ErrorRepeatArgument:
      return "missing argument to repetition operator";
    case re2::RE2::ErrorRepeatSize:
      return "invalid repeat count";
    case re2::RE2::ErrorRepeatOp:
      return "invalid nested repetition operator";
    case re2::RE2::ErrorBadPerlOp:
      return "invalid or unsupported Perl syntax";
    case re2::RE2::ErrorBadUTF8:
      return "invalid UTF-8";
    case re2::RE2::ErrorBadNamedCapture:
      return "invalid named capture";
    case re2::RE2::ErrorPatternTooLarge:
      return "expression too large";
    default:
      return "regexp/syntax: internal error";
  }
}

}  // namespace

tl::expected<Regex, std::string> Regex::compile(std::string_view pattern) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  Regex out;
  out.regex_ = std::make_shared<const re2::RE2>(re2::StringPiece(pattern.data(), pattern.size()), options);
  if (out.regex_->ok()) return out;
  const re2::RE2::ErrorCode code = out.regex_->error_code();
  // Go shows the whole expression for what is missing at its end, and nothing for a backslash there.
  std::string shown = out.regex_->error_arg();
  if (code == re2::RE2::ErrorMissingParen || code == re2::RE2::ErrorUnexpectedParen) shown = std::string(pattern);
  if (code == re2::RE2::ErrorTrailingBackslash) shown.clear();
  return tl::unexpected("error parsing regexp: " + std::string(go_words(code)) + ": `" + shown + "`");
}

bool Regex::matches(std::string_view text) const {
  return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *regex_);
}

std::vector<std::string_view> Regex::find_all(std::string_view text, std::int64_t most) const {
  std::vector<std::string_view> out;
  const re2::StringPiece whole(text.data(), text.size());
  std::size_t at = 0;
  std::size_t previous_end = std::string_view::npos;
  while (at <= text.size() && (most < 0 || static_cast<std::int64_t>(out.size()) < most)) {
    re2::StringPiece found;
    if (!regex_->Match(whole, at, text.size(), re2::RE2::UNANCHORED, &found, 1)) break;
    const auto begin = static_cast<std::size_t>(found.data() - text.data());
    const std::size_t end = begin + found.size();
    // An empty match right after the previous one is none.
    if (!found.empty() || begin != previous_end) out.push_back(text.substr(begin, found.size()));
    previous_end = end;
    if (!found.empty()) {
      at = end;
      continue;
    }
    if (end == text.size()) break;
    std::string_view rest = text.substr(end);
    take_character(rest);
    at = text.size() - rest.size();
  }
  return out;
}

}  // namespace nodebound::cel
