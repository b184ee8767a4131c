#include <algorithm>
#include <cmath>

#include "reports/html.h"
#include "reports/simulation/simulation_html_parts.h"
#include "reports/simulation/simulation_writers.h"
#include "reports/text.h"

namespace nodebound::data {
std::string_view simulation_css_text();
}  // namespace nodebound::data

namespace nodebound {
namespace {

constexpr std::size_t most_links = 40;
constexpr std::size_t most_notes = 100;

// Up to `chosen_colours` versions have chosen colours. If there are more, all are spread around the colour wheel, with
// alternating lightness.
constexpr std::size_t chosen_colours = 12;
constexpr std::size_t most_colours = 96;

std::string hsl(std::size_t hue, int saturation, int lightness) {
  return "hsl(" + std::to_string(hue) + " " + std::to_string(saturation) + "% " + std::to_string(lightness) + "%)";
}

std::string version_styles(std::size_t versions) {
  const std::size_t count = std::min(versions, most_colours);
  if (count <= chosen_colours) return {};
  std::string light;
  std::string dark;
  std::string classes;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = "v" + std::to_string(i);
    const std::size_t hue = (205 + i * 320 / count) % 360;
    light += " --" + name + ": " + hsl(hue, 62, i % 2 == 0 ? 86 : 72) + ";";
    dark += " --" + name + ": " + hsl(hue, 42, i % 2 == 0 ? 27 : 42) + ";";
    if (i >= chosen_colours)
      classes += "." + name + " { fill: var(--" + name + "); background: var(--" + name + "); }\n";
  }
  return ":root {" + light + " }\n@media (prefers-color-scheme: dark) { :root {" + dark + " } }\n" + classes;
}

std::string page_head(const Simulation& simulation, const Timeline& timeline) {
  // The content security policy enforces that the page loads nothing and runs no script.
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n<title>" +
         html_text(title_of(simulation) + ": " + verdict_text(simulation)) + "</title>\n<style>\n" +
         std::string(data::simulation_css_text()) + version_styles(timeline.versions.size()) + "</style>\n</head>\n";
}

std::string links_to_breaking_steps(const Simulation& simulation) {
  const std::vector<std::size_t> breaking = breaking_steps(simulation);
  std::string items;
  if (begins_broken(simulation)) {
    items += "<li><span class=\"badge\">0</span> <a href=\"#step-0\">before the plan begins</a></li>\n";
  }
  for (std::size_t i = 0; i < std::min(breaking.size(), most_links); ++i) {
    const Simulation::Step& step = simulation.steps[breaking[i]];
    items += "<li><span class=\"badge\">" + std::to_string(step.number) + "</span> <a href=\"#" + step_anchor(step) +
             "\">" + html_text(clip(step.what, 120)) + "</a> <span class=\"quiet\">" + when_text(simulation, step.at) +
             "</span></li>\n";
  }
  if (breaking.size() > most_links) items += "<li>and " + std::to_string(breaking.size() - most_links) + " more</li>\n";
  return items.empty() ? items : html_element("ul", "", "\n" + items) + "\n";
}

std::string verdict_banner(const Simulation& simulation) {
  const bool breaks = breaks_something(simulation) || begins_broken(simulation);
  return std::string("<div class=\"verdict ") + (breaks ? "breaks" : "fine") + "\">\n<p><span aria-hidden=\"true\">" +
         (breaks ? "✗" : "✓") + "</span> This plan " + html_text(verdict_text(simulation)) + "</p>\n" +
         links_to_breaking_steps(simulation) + "</div>\n";
}

// Red if the number counts something broken and is not 0.
std::string number_tile(std::string_view name, std::size_t number, const std::string& beside, bool bad) {
  return std::string(bad && number > 0 ? "<div class=\"bad\">" : "<div>") + "<dt>" + std::string(name) +
         "</dt><dd><b>" + grouped_digits(number) + "</b> " + beside + "</dd></div>\n";
}

std::string of_all(std::size_t number) {
  return number == 0 ? "" : "of " + grouped_digits(number);
}

std::string number_tiles(const Simulation& simulation, const Timeline& timeline) {
  const FindingCount count = findings_of_plan(simulation);
  const LossCount lost = losses_of_plan(simulation);
  const bool all_is_accepted =
      accepted_in(simulation) > 0 && !breaks_something(simulation) && !begins_broken(simulation);
  const bool bad = !all_is_accepted;
  std::string out =
      number_tile("Newly refused", count.all, count.all == 1 ? "kind of requests" : "kinds of requests", bad);
  out += number_tile("For good", count.for_good, count.for_good == 1 ? "does not heal" : "do not heal", bad);
  out += number_tile("Requests refused", timeline.refusals, of_all(simulation.run.requests), false);
  if (!simulation.steps.empty()) {
    const Simulation::Health& health = simulation.steps.back().health;
    out += number_tile("Nodes not ready at once", lost.nodes, of_all(lost.of_nodes), bad);
    out += number_tile("Nodes not ready at the end", health.nodes_not_ready, of_all(health.nodes), bad);
    out += number_tile("Pods waiting at once", lost.pods, of_all(lost.of_pods), bad);
    out += number_tile("DaemonSets that lose pods", lost.daemon_sets, "", bad);
  }
  return "<dl class=\"tiles\">\n" + out + "</dl>\n";
}

std::string text_list(const std::string& heading, const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  std::string items;
  const std::size_t shown = std::min(lines.size(), most_notes);
  for (std::size_t i = 0; i < shown; ++i) items += html_element("li", "", html_text(lines[i])) + "\n";
  if (shown < lines.size()) items += "<li>and " + std::to_string(lines.size() - shown) + " more</li>\n";
  return "<h2>" + heading + "</h2>\n<ul>\n" + items + "</ul>\n";
}

std::string page_origin(const Simulation& simulation) {
  const Simulation::Run& run = simulation.run;
  std::vector<std::string> parts;
  const auto say = [&parts](std::string_view what, const std::string& value) {
    if (!value.empty()) parts.push_back(std::string(what) + value);
  };
  say("Nodebound ", run.tool_version);
  say("target ", simulation.target);
  say("seed ", std::to_string(simulation.seed));
  say("started ", run.started);
  say("on ", run.host);
  // Larger or non-finite numbers cannot be converted safely.
  constexpr double longest = 1e9;
  if (std::isfinite(run.seconds) && run.seconds >= 0 && run.seconds < longest) {
    say("took ", length_text(Simulation::Time(std::llround(run.seconds * 1000))));
  }
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : " · ") + html_text(part);
  return html_element("footer", "", text) + "\n";
}

}  // namespace

std::string to_html(const Simulation& simulation) {
  const Timeline timeline = timeline_of(simulation);
  const std::string plan = simulation.file.empty() ? "" : html_element("code", "", html_text(simulation.file)) + ": ";
  std::string out = page_head(simulation, timeline) + "<body>\n<main>\n<header>\n";
  out += html_element("h1", "", html_text(clip(title_of(simulation), 200))) + "\n";
  out += html_element("p", "quiet",
                      plan + counted(steps_of_plan(simulation), "step") + " in " + length_text(simulation.length) +
                          (simulation.start ? ", from " + date_text(simulation, Simulation::Time(0)) : "")) +
         "\n</header>\n";
  out += verdict_banner(simulation) + number_tiles(simulation, timeline);
  out += "<h2>Timeline</h2>\n" + timeline_figure(simulation, timeline);
  out += "<h2>Steps</h2>\n" + step_sections(simulation);
  out += text_list("Notes", simulation.notes) + text_list("Not simulated", simulation.not_simulated);
  return out + "</main>\n" + page_origin(simulation) + "</body>\n</html>\n";
}

}  // namespace nodebound
