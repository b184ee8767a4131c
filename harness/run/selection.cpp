#include "harness/run/selection.h"

#include <cstdint>

namespace nodebound {
namespace {

Result<std::optional<Pattern>> pattern_of(const char* flag, const std::string& text) {
  if (text.empty()) return std::nullopt;
  auto pattern = Pattern::of(flag, text);
  if (!pattern) return tl::unexpected(pattern.error());
  return std::move(*pattern);
}

// A deterministic hash, so that every process of a sharded run splits the scenarios alike.
std::uint64_t stable_hash(const std::string& text) {
  std::uint64_t hash = 1469598103934665603ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

}  // namespace

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

bool Selector::takes(const std::string& id, const std::string& profile) const {
  return (selection_.profile.empty() || profile == selection_.profile) && (!focus_ || focus_->is_in(id)) &&
         !(skip_ && skip_->is_in(id)) && stable_hash(id) % selection_.shards == selection_.shard - 1;
}

}  // namespace nodebound
