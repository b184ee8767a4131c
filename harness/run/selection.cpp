#include "harness/run/selection.h"

#include <cstdint>

namespace nodebound {
namespace {

Result<std::optional<std::regex>> regex_of(const char* flag, const std::string& pattern) {
  if (pattern.empty()) return std::nullopt;
  try {
    return std::regex(pattern, std::regex::ECMAScript | std::regex::optimize);
  } catch (const std::regex_error& error) {
    return input_error(flag, "\"" + pattern + "\" is not a regular expression: " + error.what());
  }
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
  auto focus = regex_of("--focus", selection.focus);
  if (!focus) return tl::unexpected<Error>(focus.error());
  auto skip = regex_of("--skip", selection.skip);
  if (!skip) return tl::unexpected<Error>(skip.error());
  out.focus_ = std::move(*focus);
  out.skip_ = std::move(*skip);
  return out;
}

bool Selector::takes(const std::string& id, const std::string& profile) const {
  return (selection_.profile.empty() || profile == selection_.profile) && (!focus_ || std::regex_search(id, *focus_)) &&
         !(skip_ && std::regex_search(id, *skip_)) && stable_hash(id) % selection_.shards == selection_.shard - 1;
}

}  // namespace nodebound
