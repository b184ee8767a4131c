#include "harness/replay/log_troubles.h"

namespace nodebound::replay {

std::string_view to_string(LogTrouble trouble) {
  switch (trouble) {
    case LogTrouble::torn:
      return "torn";
    case LogTrouble::not_json:
      return "not-json";
    case LogTrouble::no_event:
      return "no-event";
    case LogTrouble::other_version:
      return "other-version";
    case LogTrouble::bad_event:
      return "bad-event";
    case LogTrouble::too_long:
      return "too-long";
    case LogTrouble::too_deep:
      return "too-deep";
    case LogTrouble::broken_bytes:
      return "broken-bytes";
  }
  return "";
}

void LogTroubles::add(LogTrouble trouble, const std::string& file, std::size_t line) {
  constexpr std::size_t most_places = 3;
  Sort& sort = sorts_[static_cast<std::size_t>(trouble)];
  ++sort.count;
  if (sort.places.size() < most_places) sort.places.push_back(file + ":" + std::to_string(line));
}

std::size_t LogTroubles::count() const {
  std::size_t out = 0;
  for (const Sort& sort : sorts_) out += sort.count;
  return out;
}

}  // namespace nodebound::replay
