#include <algorithm>
#include <cmath>
#include <set>

#include "reports/html.h"
#include "reports/simulation/simulation_html_parts.h"
#include "reports/simulation/simulation_picture_layout.h"
#include "reports/simulation/simulation_writers.h"
#include "reports/svg.h"
#include "reports/text.h"

namespace nodebound {
namespace {

constexpr std::size_t name_columns = 17;
// The page has this many colours; with more versions, some share one.
constexpr std::size_t version_colours = 96;

std::string picture_axes(const Timeline& timeline, const PictureLayout& layout) {
  std::string out;
  for (const Simulation::Time time : axis_times(timeline.end)) {
    const double x = layout.x(time);
    out += svg_line("grid", x, layout.bars_top, x, layout.bottom);
    out += svg_label("tick middle", x, layout.bottom + 16, to_text(time));
  }
  out += svg_label("caption", PictureLayout::left, layout.bars_top - 9,
                   "refused requests in each " + length_text(timeline.width));
  if (timeline.refusals == 0) {
    out += svg_line("axis", PictureLayout::left, layout.bars_bottom, PictureLayout::right, layout.bars_bottom);
    return out;
  }
  const std::size_t top = axis_top(timeline.highest);
  for (const std::size_t value : {std::size_t(0), top / 2, top}) {
    const double y = layout.bars_bottom - layout.bars_height() * static_cast<double>(value) / static_cast<double>(top);
    out += svg_line(value == 0 ? "axis" : "grid", PictureLayout::left, y, PictureLayout::right, y);
    out += svg_label("tick end", PictureLayout::left - 8, y + 4, grouped_digits(value));
  }
  return out;
}

std::string bar_title(const Timeline& timeline, const Timeline::Bar& bar) {
  std::string text = to_text(bar.at) + " to " + to_text(std::min(bar.at + timeline.width, timeline.end)) + ":";
  for (std::size_t rule = 0; rule < bar.counts.size(); ++rule) {
    if (bar.counts[rule] == 0) continue;
    text += " " + clip(timeline.rules[rule].id, 60) + " " + grouped_digits(bar.counts[rule]) + ";";
  }
  text.back() = '.';
  return text;
}

/// One path for each rule, and above them invisible boxes with tooltips.
std::string picture_bars(const Timeline& timeline, const PictureLayout& layout) {
  const double scale = layout.bars_height() / static_cast<double>(axis_top(timeline.highest));
  std::vector<std::string> paths(timeline.rules.size());
  std::string boxes;
  for (const Timeline::Bar& bar : timeline.bars) {
    if (bar.total == 0) continue;
    const double x = layout.x(bar.at);
    const double whole = layout.x(bar.at + timeline.width) - x;
    const double width = std::max(whole - (whole > 3 ? 1 : 0), 0.5);
    double y = layout.bars_bottom;
    for (std::size_t rule = 0; rule < paths.size(); ++rule) {
      const double height = scale * static_cast<double>(bar.counts[rule]);
      if (bar.counts[rule] == 0) continue;
      paths[rule] += "M" + svg_number(x) + " " + svg_number(y) + "h" + svg_number(width) + "V" +
                     svg_number(y - height) + "H" + svg_number(x) + "z";
      y -= height;
    }
    boxes += svg_box("touch", x, layout.bars_top, whole, layout.bars_height(), bar_title(timeline, bar));
  }
  std::string out;
  for (std::size_t rule = 0; rule < paths.size(); ++rule) {
    out += "<path class=\"" + rule_colour(rule) + "\" d=\"" + paths[rule] + "\"/>\n";
  }
  return out + boxes;
}

Simulation::Time end_of_stretch(const Timeline& timeline, const Timeline::Lane& lane, std::size_t stretch) {
  return stretch + 1 < lane.stretches.size() ? lane.stretches[stretch + 1].at : timeline.end;
}

/// Labels a version where most members have it for long enough to be readable.
std::string version_labels(const Timeline& timeline, const PictureLayout& layout, const Timeline::Lane& lane,
                           double y) {
  std::string out;
  for (std::size_t first = 0; first < lane.stretches.size();) {
    const std::size_t version = majority_of(lane.stretches[first]);
    std::size_t last = first;
    while (last + 1 < lane.stretches.size() && majority_of(lane.stretches[last + 1]) == version) ++last;
    const double begin = layout.x(lane.stretches[first].at);
    const double end = layout.x(end_of_stretch(timeline, lane, last));
    first = last + 1;
    if (version == Timeline::no_version) continue;
    const std::string name = printable(timeline.versions[version]);
    if (static_cast<double>(columns(name)) * PictureLayout::digit_width + 8 > end - begin) continue;
    out += svg_label("version middle", (begin + end) / 2, y + PictureLayout::lane_height / 2 + 4, name);
  }
  return out;
}

std::string lane_label(const std::string& label, const std::string& title, double y) {
  return "<text class=\"lane end\"" + svg_attribute("x", PictureLayout::left - 8) +
         svg_attribute("y", y + PictureLayout::lane_height / 2 + 4) + ">" + html_text(label) + "<title>" +
         html_text(title) + "</title></text>\n";
}

std::string one_lane(const Timeline& timeline, const PictureLayout& layout, const Timeline::Lane& lane,
                     const std::string& label, double y) {
  const std::string name = lane_name(lane);
  std::string out = lane_label(label, name, y);
  for (std::size_t i = 0; i < lane.stretches.size(); ++i) {
    const Timeline::Stretch& stretch = lane.stretches[i];
    const double x = layout.x(stretch.at);
    const double width = layout.x(end_of_stretch(timeline, lane, i)) - x;
    double top = y;
    for (const Timeline::Share& share : stretch.shares) {
      const double height =
          PictureLayout::lane_height * static_cast<double>(share.members) / static_cast<double>(stretch.members);
      out +=
          svg_box(version_colour(share.version), x, top, width, height,
                  clip(name, 60) + " from " + to_text(stretch.at) + ": " + clip(timeline.versions[share.version], 60) +
                      ", " + grouped_digits(share.members) + " of " + grouped_digits(stretch.members));
      top += height;
    }
  }
  return out;
}

/// Drawn before the versions: how many nodes are not ready, with a height proportional to their share.
std::string not_ready_lane(const Timeline& timeline, const PictureLayout& layout) {
  if (timeline.not_ready.empty()) return {};
  const double top = layout.lane_top(0);
  const double bottom = top + PictureLayout::lane_height;
  std::string out = lane_label("nodes not ready", "nodes that are not ready", top);
  out += svg_line("axis", PictureLayout::left, bottom, PictureLayout::right, bottom);
  for (std::size_t i = 0; i < timeline.not_ready.size(); ++i) {
    const Timeline::NotReady& now = timeline.not_ready[i];
    if (now.nodes == 0) continue;
    const Simulation::Time end = i + 1 < timeline.not_ready.size() ? timeline.not_ready[i + 1].at : timeline.end;
    const double height =
        PictureLayout::lane_height * static_cast<double>(now.nodes) / static_cast<double>(timeline.nodes);
    const double x = layout.x(now.at);
    out += svg_box("down", x, bottom - std::max(height, 1.0), layout.x(end) - x, std::max(height, 1.0),
                   to_text(now.at) + " to " + to_text(end) + ": " + grouped_digits(now.nodes) + " of " +
                       grouped_digits(timeline.nodes) + " nodes not ready");
  }
  return out;
}

/// The vertical position of a pool's lane, below the lane of nodes that are not ready.
std::size_t row_of(const Timeline& timeline, std::size_t lane) {
  return lane + (timeline.not_ready.empty() ? 0 : 1);
}

std::string picture_lanes(const Timeline& timeline, const PictureLayout& layout) {
  std::string out = not_ready_lane(timeline, layout);
  const std::vector<std::string> labels = lane_labels(timeline, name_columns);
  for (std::size_t i = 0; i < timeline.lanes.size(); ++i) {
    out += one_lane(timeline, layout, timeline.lanes[i], labels[i], layout.lane_top(row_of(timeline, i)));
  }
  return out;
}

/// Drawn after the marks of steps, which would cross them out.
std::string picture_words(const Timeline& timeline, const PictureLayout& layout) {
  std::string out = svg_label("caption", PictureLayout::left, layout.bars_top - 9,
                              "refused requests in each " + length_text(timeline.width));
  if (timeline.refusals == 0) {
    out += svg_label(
        "empty middle", (PictureLayout::left + PictureLayout::right) / 2,
        (layout.bars_top + layout.bars_bottom) / 2 + 5,
        timeline.not_ready.empty() ? "No request is refused." : "No request is refused, but nodes are not ready.");
  }
  if (timeline.rows() == 0) return out;
  out += svg_label("caption", PictureLayout::left, layout.lanes_top - 9,
                   std::string(timeline.not_ready.empty() ? "" : "nodes that are not ready, and ") +
                       "versions, by their share of a pool");
  for (std::size_t i = 0; i < timeline.lanes.size(); ++i) {
    out += version_labels(timeline, layout, timeline.lanes[i], layout.lane_top(row_of(timeline, i)));
  }
  return out;
}

std::string mark_kind(const Simulation& simulation, std::size_t step) {
  return breaks_something(simulation, step) ? "mark breaks" : "mark";
}

/// Marks of one kind that would overlap are merged.
std::string mark_lines(const Simulation& simulation, const PictureLayout& layout) {
  std::set<std::pair<std::string, long>> drawn;
  std::string out;
  for (std::size_t i = 0; i < simulation.steps.size(); ++i) {
    if (simulation.steps[i].number == 0) continue;
    const double x = layout.x(simulation.steps[i].at);
    const std::string kind = mark_kind(simulation, i);
    if (!drawn.emplace(kind, std::lround(x)).second) continue;
    const auto badge = std::ranges::find(layout.badges, i, &PictureBadge::step);
    const double top = badge == layout.badges.end() ? layout.bars_top
                                                    : static_cast<double>(badge->row) * PictureLayout::badge_row + 18;
    out += svg_line(kind, x, top, x, layout.bottom);
  }
  return out;
}

std::string picture_marks(const Simulation& simulation, const PictureLayout& layout) {
  std::string out = mark_lines(simulation, layout);
  for (const PictureBadge& badge : layout.badges) {
    const Simulation::Step& step = simulation.steps[badge.step];
    const double y = static_cast<double>(badge.row) * PictureLayout::badge_row;
    out += "<g class=\"" + mark_kind(simulation, badge.step) + "\"><rect" +
           svg_attribute("x", badge.x - badge.width / 2) + svg_attribute("y", y + 1) +
           svg_attribute("width", badge.width) + " height=\"17\" rx=\"8.5\"/><text class=\"middle\"" +
           svg_attribute("x", badge.x) + svg_attribute("y", y + 13.5) + ">" + std::to_string(step.number) + "<title>" +
           html_text(when_text(simulation, step.at) + " " + clip(step.what, 120)) + "</title></text></g>\n";
  }
  return out;
}

}  // namespace

std::string lane_name(const Timeline::Lane& lane) {
  return lane.pool.empty() ? "control plane" : "pool " + lane.pool;
}

std::string rule_colour(std::size_t rule) {
  return "r" + std::to_string(rule);
}

std::string version_colour(std::size_t version) {
  return "v" + std::to_string(version % version_colours);
}

std::string timeline_picture(const Simulation& simulation, const Timeline& timeline) {
  const PictureLayout layout = picture_layout(simulation, timeline);
  return "<svg role=\"img\" aria-labelledby=\"picture-title picture-text\" viewBox=\"0 0 " +
         svg_number(PictureLayout::width) + " " + svg_number(layout.bottom + PictureLayout::axis_height) +
         "\">\n<title id=\"picture-title\">Refusals by rule and versions by pool, over time</title>\n<desc "
         "id=\"picture-text\">" +
         html_text(timeline_text(simulation, timeline)) + "</desc>\n" + picture_axes(timeline, layout) +
         picture_bars(timeline, layout) + picture_lanes(timeline, layout) + picture_marks(simulation, layout) +
         picture_words(timeline, layout) + "</svg>\n";
}

}  // namespace nodebound
