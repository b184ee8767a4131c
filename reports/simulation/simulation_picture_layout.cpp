#include "reports/simulation/simulation_picture_layout.h"

#include <cmath>
#include <string>

#include "reports/simulation/simulation_writers.h"

namespace nodebound {
namespace {

constexpr std::size_t badge_rows = 3;
constexpr double caption_height = 24;
constexpr double bars_height = 190;
constexpr double empty_height = 60;

double badge_width(std::size_t number) {
  return std::max(18.0, PictureLayout::digit_width * static_cast<double>(std::to_string(number).size()) + 9);
}

/// The first row with enough room; `badge_rows` if there is none.
std::size_t free_row(const std::vector<PictureBadge>& placed, double x, double width) {
  constexpr double gap = 2;
  for (std::size_t row = 0; row < badge_rows; ++row) {
    if (std::ranges::none_of(placed, [&](const PictureBadge& other) {
          return other.row == row && std::abs(other.x - x) < (other.width + width) / 2 + gap;
        })) {
      return row;
    }
  }
  return badge_rows;
}

/// If there is no room for all numbers, steps that break something come first.
std::vector<PictureBadge> badges_of(const Simulation& simulation, const PictureLayout& layout) {
  std::vector<PictureBadge> placed;
  for (const bool breaking : {true, false}) {
    for (std::size_t i = 0; i < simulation.steps.size(); ++i) {
      const Simulation::Step& step = simulation.steps[i];
      if (step.number == 0 || breaks_something(simulation, i) != breaking) continue;
      const double x = layout.x(step.at);
      const double width = badge_width(step.number);
      const std::size_t row = free_row(placed, x, width);
      if (row < badge_rows) placed.push_back({i, x, width, row});
    }
  }
  return placed;
}

}  // namespace

PictureLayout picture_layout(const Simulation& simulation, const Timeline& timeline) {
  PictureLayout layout;
  layout.end = static_cast<double>(timeline.end.count());
  layout.badges = badges_of(simulation, layout);
  std::size_t rows = 0;
  for (const PictureBadge& badge : layout.badges) rows = std::max(rows, badge.row + 1);
  layout.bars_top = static_cast<double>(rows) * PictureLayout::badge_row + caption_height;
  layout.bars_bottom = layout.bars_top + (timeline.refusals == 0 ? empty_height : bars_height);
  layout.lanes_top = layout.bars_bottom + (timeline.rows() == 0 ? 0 : caption_height + 6);
  layout.bottom = layout.lane_top(timeline.rows());
  return layout;
}

}  // namespace nodebound
