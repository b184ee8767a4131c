#include <algorithm>

#include "reports/html.h"
#include "reports/simulation/simulation_html_parts.h"
#include "reports/simulation/simulation_writers.h"
#include "reports/text.h"

namespace nodebound {
namespace {

constexpr std::size_t most_legend_versions = 96;

std::string legend_item(const std::string& colour, const std::string& text) {
  return "<li><span class=\"swatch " + colour + "\"></span>" + text + "</li>\n";
}

std::string rule_legend(const Timeline& timeline) {
  std::string items;
  for (std::size_t i = 0; i < timeline.rules.size(); ++i) {
    const Timeline::Rule& rule = timeline.rules[i];
    const std::string id = rule.rules == 1 ? html_element("code", "", html_text(clip(rule.id, 60)))
                                           : html_text(std::to_string(rule.rules) + " other rules");
    items += legend_item(rule_colour(i), id + " <b>" + grouped_digits(rule.total) + "</b>");
  }
  if (items.empty()) return {};
  return "<h3>Refused requests, by rule</h3>\n" + html_element("ul", "legend", "\n" + items) + "\n";
}

std::string version_legend(const Timeline& timeline) {
  std::string items;
  const std::size_t shown = std::min(timeline.versions.size(), most_legend_versions);
  for (std::size_t i = 0; i < shown; ++i)
    items += legend_item(version_colour(i), html_text(clip(timeline.versions[i], 60)));
  if (shown < timeline.versions.size()) {
    items += "<li>and " + std::to_string(timeline.versions.size() - shown) + " more</li>\n";
  }
  if (items.empty()) return {};
  return "<h3>Versions</h3>\n" + html_element("ul", "legend", "\n" + items) + "\n";
}

std::string numbers_head(const std::vector<std::string>& titles) {
  std::string out = "<thead><tr>";
  for (const std::string& title : titles) out += "<th scope=\"col\">" + title + "</th>";
  return out + "</tr></thead>\n";
}

std::string numbers_row(const std::vector<std::string>& cells) {
  std::string out = "<tr>";
  for (const std::string& cell : cells) out += "<td>" + cell + "</td>";
  return out + "</tr>\n";
}

/// One row for several consecutive bars that are equal.
std::string refusal_rows(const Timeline& timeline) {
  std::string rows;
  for (std::size_t first = 0; first < timeline.bars.size();) {
    const Timeline::Bar& bar = timeline.bars[first];
    std::size_t next = first + 1;
    while (next < timeline.bars.size() && timeline.bars[next].counts == bar.counts) ++next;
    const Simulation::Time end = next < timeline.bars.size() ? timeline.bars[next].at : timeline.end;
    first = next;
    if (bar.total == 0) continue;
    std::vector<std::string> cells = {to_text(bar.at), to_text(end)};
    for (const std::size_t count : bar.counts) cells.push_back(grouped_digits(count));
    cells.push_back(grouped_digits(bar.total));
    rows += numbers_row(cells);
  }
  return rows;
}

std::string refusal_table(const Timeline& timeline) {
  std::vector<std::string> head = {"from", "to"};
  for (const Timeline::Rule& rule : timeline.rules) head.push_back(html_text(clip(rule.id, 60)));
  head.emplace_back("all");
  return "<table class=\"numbers\">\n<caption>Refused requests in each " + length_text(timeline.width) +
         "; times without any are left out</caption>\n" + numbers_head(head) + "<tbody>\n" + refusal_rows(timeline) +
         "</tbody>\n</table>\n";
}

std::string not_ready_table(const Timeline& timeline) {
  std::string rows;
  for (const Timeline::NotReady& change : timeline.not_ready) {
    rows += numbers_row({to_text(change.at), grouped_digits(change.nodes)});
  }
  return "<table class=\"numbers\">\n<caption>Nodes not ready, of " + grouped_digits(timeline.nodes) + "</caption>\n" +
         numbers_head({"from", "nodes"}) + "<tbody>\n" + rows + "</tbody>\n</table>\n";
}

std::string version_table(const Timeline& timeline) {
  std::string rows;
  for (const Timeline::Lane& lane : timeline.lanes) {
    for (const Timeline::Stretch& stretch : lane.stretches) {
      std::string shares;
      for (const Timeline::Share& share : stretch.shares) {
        shares += (shares.empty() ? "" : ", ") + html_text(clip(timeline.versions[share.version], 60)) + ": " +
                  grouped_digits(share.members);
      }
      rows += numbers_row({html_text(clip(lane_name(lane), 60)), to_text(stretch.at), shares});
    }
  }
  return "<table class=\"numbers\">\n<caption>Members of each version</caption>\n" +
         numbers_head({"who", "from", "versions"}) + "<tbody>\n" + rows + "</tbody>\n</table>\n";
}

}  // namespace

std::string timeline_text(const Simulation& simulation, const Timeline& timeline) {
  std::string text = "From the begin of the plan to " + to_text(timeline.end) + ", with marks for " +
                     counted(steps_of_plan(simulation), "step") + ". ";
  if (timeline.refusals == 0) {
    text += timeline.not_ready.empty() ? "No request is refused." : "No request is refused, but nodes are not ready.";
  } else {
    const auto highest = std::ranges::max_element(timeline.bars, {}, &Timeline::Bar::total);
    text += counted(timeline.refusals, "request") + " refused, most of them by " + clip(timeline.rules.front().id, 60) +
            "; " + std::to_string(highest->total) + " within " + length_text(timeline.width) + " from " +
            to_text(highest->at) + ", which is the highest bar.";
  }
  if (!timeline.not_ready.empty()) {
    const auto worst = std::ranges::max_element(timeline.not_ready, {}, &Timeline::NotReady::nodes);
    text += " " + std::to_string(worst->nodes) + " of " + counted(timeline.nodes, "node") +
            " not ready at the worst, from " + to_text(worst->at) + " on.";
  }
  for (const Timeline::Lane& lane : timeline.lanes) {
    if (lane.stretches.empty()) continue;
    const auto version = [&](const Timeline::Stretch& stretch) {
      const std::size_t most = majority_of(stretch);
      return most == Timeline::no_version ? std::string("several versions") : clip(timeline.versions[most], 60);
    };
    text += " " + clip(lane_name(lane), 60) + ": " + version(lane.stretches.front()) + " at first, " +
            version(lane.stretches.back()) + " at the end.";
  }
  return text;
}

std::string timeline_figure(const Simulation& simulation, const Timeline& timeline) {
  std::string out = "<figure>\n<div class=\"scroll\">\n" + timeline_picture(simulation, timeline) + "</div>\n";
  out += "<figcaption>\n" + rule_legend(timeline) + version_legend(timeline);
  if (timeline.lanes_left_out > 0) {
    out += html_element("p", "", "And " + counted(timeline.lanes_left_out, "more pool") + ", which are in the JSON.");
  }
  out += "<details>\n<summary>The numbers of this picture</summary>\n<div class=\"scroll\">\n";
  if (timeline.refusals > 0) out += refusal_table(timeline);
  if (!timeline.not_ready.empty()) out += not_ready_table(timeline);
  if (!timeline.lanes.empty()) out += version_table(timeline);
  if (timeline.refusals == 0 && timeline.lanes.empty()) out += "<p>There are none: no refusals and no versions.</p>\n";
  return out + "</div>\n</details>\n</figcaption>\n</figure>\n";
}

}  // namespace nodebound
