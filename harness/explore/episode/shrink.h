#pragma once

#include <functional>
#include <optional>

#include "harness/explore/episode/episode.h"
#include "harness/explore/episode/heard.h"

namespace nodebound::explore {

/// The step at which two sides answered differently.
struct EpisodeDifference {
  Episode episode;
  std::size_t step = 0;
  Heard a;
  Heard b;
};

/// Whether two sides still differ as before when the episode runs in a fresh world, and at which step.
using StillDiffers = std::function<std::optional<EpisodeDifference>(const Episode&)>;

/// The smallest episode found that still differs, with steps, fields of objects and words of requests left out, after
/// at most `attempts` trials. Its last step shows the difference.
EpisodeDifference shrunk(EpisodeDifference difference, const StillDiffers& still_differs, std::size_t attempts);

}  // namespace nodebound::explore
