#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "reports/simulation/simulation.h"
#include "reports/simulation/simulation_timeline.h"

namespace nodebound {

/// The number of a step above its mark.
struct PictureBadge {
  std::size_t step = 0;  ///< position in `steps`
  double x = 0;          ///< its middle
  double width = 0;
  std::size_t row = 0;
};

/// The positions of things in the picture of a timeline, from top to bottom.
struct PictureLayout {
  // As wide as the page.
  static constexpr double width = 1000;
  static constexpr double left = 132;  ///< where the time axis begins; names and numbers are left of it
  static constexpr double right = width - 30;
  static constexpr double badge_row = 21;
  static constexpr double lane_height = 25;
  static constexpr double lane_gap = 7;
  static constexpr double axis_height = 24;
  static constexpr double digit_width = 7.4;

  std::vector<PictureBadge> badges;  ///< of the steps whose numbers have room
  double end = 1;                    ///< of time
  double bars_top = 0;
  double bars_bottom = 0;
  double lanes_top = 0;
  double bottom = 0;

  [[nodiscard]] double bars_height() const { return bars_bottom - bars_top; }
  [[nodiscard]] double x(Simulation::Time time) const {
    const double part = std::clamp(static_cast<double>(time.count()) / end, 0.0, 1.0);
    return left + part * (right - left);
  }
  [[nodiscard]] double lane_top(std::size_t lane) const {
    return lanes_top + static_cast<double>(lane) * (lane_height + lane_gap);
  }
};

PictureLayout picture_layout(const Simulation& simulation, const Timeline& timeline);

}  // namespace nodebound
