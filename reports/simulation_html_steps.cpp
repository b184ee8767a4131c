#include <algorithm>

#include "reports/html.h"
#include "reports/simulation_html_parts.h"
#include "reports/simulation_writers.h"
#include "reports/text.h"

namespace nodebound {
namespace {

// A page is to be read; simulation.json has all.
constexpr std::size_t most_sections = 300;
constexpr std::size_t most_rows = 500;
constexpr std::size_t most_rows_of_a_step = 100;
constexpr std::size_t most_changes = 5;
constexpr std::size_t most_lost = 20;

std::string html_paragraph(std::string_view kind, std::string_view text) {
  return text.empty() ? std::string() : html_element("p", kind, html_text(text)) + "\n";
}

std::string refused_cell(const Simulation::Finding& finding) {
  std::string out = html_element("code", "rule", html_text(rule_of(finding)));
  if (!finding.rule.empty()) out += " " + html_element("span", "quiet", "HTTP " + std::to_string(finding.status));
  return out + html_paragraph("servers", servers_text(finding)) + html_paragraph("", finding.statement) +
         html_paragraph("told", finding.reason) + html_paragraph("follows", finding.follows);
}

std::string remedy_cell(const Simulation::Finding& finding) {
  std::string items;
  const std::size_t shown = std::min(finding.avoided_by.size(), most_changes);
  for (std::size_t i = 0; i < shown; ++i) items += html_element("li", "", html_text(finding.avoided_by[i]));
  if (shown < finding.avoided_by.size()) {
    items += "<li>and " + std::to_string(finding.avoided_by.size() - shown) + " more</li>";
  }
  if (items.empty() && finding.advice.empty()) return html_element("span", "quiet", "nothing that was tried");
  return (items.empty() ? "" : html_element("ul", "remedies", items)) + html_paragraph("", finding.advice);
}

std::string counted_html(std::size_t number, std::string_view noun) {
  return "<b>" + grouped_digits(number) + "</b> " + std::string(noun) + (number == 1 ? "" : "s");
}

std::string touched_cell(const Simulation::Finding& finding) {
  const bool once = finding.first == finding.last;
  return counted_html(finding.nodes, "node") + "<br>" + counted_html(finding.pods, "pod") + "<br>" +
         counted_html(finding.count, "request") +
         html_paragraph("quiet", to_text(finding.first) + (once ? "" : " to " + to_text(finding.last)));
}

std::string finding_row(const Simulation::Finding& finding) {
  std::string out = "<tr>";
  out += "<th scope=\"row\">" + html_text(finding.who) + "</th>";
  out += "<td>" + html_text(finding.request) +
         (finding.example.empty() ? "" : "<br>" + html_element("code", "example", html_text(finding.example))) +
         "</td>";
  out += "<td>" + refused_cell(finding) + "</td>";
  out += "<td>" + touched_cell(finding) + "</td>";
  out += std::string(finding.healed ? "<td>" : "<td class=\"bad\">") + html_text(healing_text(finding)) + "</td>";
  return out + "<td>" + remedy_cell(finding) + "</td></tr>\n";
}

/// `rows` is how many the page still bears.
std::string finding_table(const std::vector<Simulation::Finding>& findings, std::size_t& rows) {
  if (findings.empty()) return {};
  const std::size_t shown = std::min({findings.size(), most_rows_of_a_step, rows});
  rows -= shown;
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) out += finding_row(findings[i]);
  if (!out.empty()) {
    out =
        "<div class=\"scroll\">\n<table class=\"findings\">\n<thead><tr><th scope=\"col\">Who</th><th "
        "scope=\"col\">Request</th><th scope=\"col\">Refused by</th>"
        "<th scope=\"col\">Touches</th><th scope=\"col\">Heals</th><th scope=\"col\">Avoided "
        "by</th></tr></thead>\n<tbody>\n" +
        out + "</tbody>\n</table>\n</div>\n";
  }
  if (shown == findings.size()) return out;
  return out + html_paragraph("quiet", "And " + counted(findings.size() - shown, "more finding") + ", in the JSON.");
}

std::string loss_list(const Simulation& simulation, std::size_t index) {
  std::string items;
  const std::vector<std::string> all = losses(simulation, index);
  for (std::size_t i = 0; i < std::min(all.size(), most_lost); ++i) {
    items += html_element("li", "", html_text(all[i]));
  }
  if (all.size() > most_lost) items += "<li>and " + std::to_string(all.size() - most_lost) + " more</li>";
  return items.empty() ? items : html_element("ul", "losses", items) + "\n";
}

std::string step_heading(const Simulation& simulation, std::size_t index) {
  const Simulation::Step& step = simulation.steps[index];
  if (step.number == 0) return "<h3>Before the plan begins</h3>\n";
  const bool breaks = breaks_something(simulation, index);
  return "<div class=\"head\"><h3><span class=\"badge\">" + std::to_string(step.number) + "</span> " +
         html_text(step.what.empty() ? "A step that says nothing of itself" : step.what) + " " +
         html_element("span", "outcome", heading_text(simulation, index)) + "</h3>\n" +
         html_element("p", "quiet",
                      (step.where.empty() || !breaks ? "" : html_element("code", "", html_text(step.where)) + " · ") +
                          to_text(step.at) + " to " + to_text(step.until)) +
         "</div>\n";
}

std::string one_section(const Simulation& simulation, std::size_t index, std::size_t& rows) {
  const Simulation::Step& step = simulation.steps[index];
  const bool begin = step.number == 0;
  const std::string content = finding_table(step.findings, rows) + loss_list(simulation, index);
  std::string out = "<section id=\"" + step_anchor(step) + "\" class=\"step " +
                    (begin                                 ? "begin"
                     : breaks_something(simulation, index) ? "breaks"
                                                           : "fine") +
                    "\">\n" + step_heading(simulation, index);
  if (begin && !step.findings.empty()) {
    out += html_paragraph("", "Refused before the plan begins, and so not by the plan:");
  }
  if (begin && content.empty()) out += html_paragraph("quiet", "Nothing is refused, and every node is well.");
  return out + content + "</section>\n";
}

}  // namespace

std::string step_anchor(const Simulation::Step& step) {
  return "step-" + std::to_string(step.number);
}

std::string step_sections(const Simulation& simulation) {
  std::string out;
  std::size_t rows = most_rows;
  const std::size_t shown = std::min(simulation.steps.size(), most_sections);
  for (std::size_t i = 0; i < shown; ++i) out += one_section(simulation, i, rows);
  if (simulation.steps.empty()) out += html_paragraph("quiet", "The plan has no step.");
  if (shown < simulation.steps.size()) {
    out += html_paragraph("quiet", "And " + counted(simulation.steps.size() - shown, "more step") + ", in the JSON.");
  }
  return out;
}

}  // namespace nodebound
