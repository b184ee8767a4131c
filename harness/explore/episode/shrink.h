#pragma once

#include <functional>
#include <optional>

#include "harness/explore/episode/episode.h"
#include "harness/explore/episode/heard.h"

namespace nodebound {

/// Where two sides said otherwise.
struct EpisodeDifference {
  Episode episode;
  std::size_t step = 0;
  Heard a;
  Heard b;
};

/// Whether two sides still differ as in the beginning, in an episode in a fresh world; where.
using StillDiffers = std::function<std::optional<EpisodeDifference>(const Episode&)>;

/// The smallest episode found that still differs, by leaving out steps, fields of objects and words of requests; at
/// most `attempts` are tried. Its last step is the one with the difference.
EpisodeDifference shrunk(EpisodeDifference difference, const StillDiffers& still_differs, std::size_t attempts);

}  // namespace nodebound
