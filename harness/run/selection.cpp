#include "harness/run/selection.h"

#include <utility>

namespace nodebound {
namespace {

Result<std::optional<Pattern>> pattern_of(const char* flag, const std::string& text) {
  if (text.empty()) return std::nullopt;
  auto pattern = Pattern::of(flag, text);
  if (!pattern) return tl::unexpected(pattern.error());
  return std::move(*pattern);
}

}  // namespace

std::string to_text(const Selection& selection) {
  std::string out;
  for (const auto& [flag, value] :
       {std::pair{"--profile", &selection.profile}, {"--focus", &selection.focus}, {"--skip", &selection.skip}}) {
    if (!value->empty()) out += (out.empty() ? "" : " ") + std::string(flag) + " " + *value;
  }
  return out;
}

Result<Selector> Selector::make(const Selection& selection) {
  Selector out;
  out.selection_ = selection;
  auto focus = pattern_of("--focus", selection.focus);
  if (!focus) return tl::unexpected<Error>(focus.error());
  auto skip = pattern_of("--skip", selection.skip);
  if (!skip) return tl::unexpected<Error>(skip.error());
  out.focus_ = std::move(*focus);
  out.skip_ = std::move(*skip);
  return out;
}

bool Selector::selects(const std::string& id, const std::string& profile) const {
  return (selection_.profile.empty() || profile == selection_.profile) && (!focus_ || focus_->is_in(id)) &&
         !(skip_ && skip_->is_in(id));
}

}  // namespace nodebound
