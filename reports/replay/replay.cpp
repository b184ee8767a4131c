#include "reports/replay/replay.h"

#include <string>

namespace nodebound {

const char* to_string(Replay::Finding::Outcome outcome) {
  switch (outcome) {
    case Replay::Finding::Outcome::newly_refused:
      return "newly-refused";
    case Replay::Finding::Outcome::newly_allowed:
      return "newly-allowed";
    case Replay::Finding::Outcome::disagrees:
      return "disagrees";
  }
  return "";
}

std::string share_text(std::size_t part, std::size_t whole) {
  if (whole == 0) return "–";
  constexpr std::size_t thousand = 1000;
  const std::size_t tenths = part * thousand / whole;
  return std::to_string(tenths / 10) + (tenths == thousand ? "" : "." + std::to_string(tenths % 10)) + " %";
}

}  // namespace nodebound
