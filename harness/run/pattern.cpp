#include "harness/run/pattern.h"

#include <re2/re2.h>

namespace nodebound {
namespace {

/// Shortens the user's text for a message.
std::string shortened(const std::string& text) {
  constexpr std::size_t most = 100;
  return text.size() <= most ? text : text.substr(0, most) + "…";
}

}  // namespace

Pattern::Pattern(std::unique_ptr<re2::RE2> compiled) : compiled_(std::move(compiled)) {}
Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(Pattern&&) noexcept = default;
Pattern::~Pattern() = default;

Result<Pattern> Pattern::of(const char* flag, const std::string& text) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  auto compiled = std::make_unique<re2::RE2>(text, options);
  if (compiled->ok()) return Pattern(std::move(compiled));
  return input_error(flag, "\"" + shortened(text) + "\" is not a regular expression: " + shortened(compiled->error()),
                     "expected RE2's syntax, which has neither look-ahead nor back-references");
}

bool Pattern::is_in(std::string_view text) const {
  return re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *compiled_);
}

}  // namespace nodebound
