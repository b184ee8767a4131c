#include <algorithm>

#include "reports/html.h"
#include "reports/simulation/simulation_html_parts.h"
#include "reports/simulation/simulation_writers.h"
#include "reports/text.h"

namespace nodebound {
namespace {

// Limits what the page shows; simulation.json has everything.
constexpr std::size_t most_sections = 300;
constexpr std::size_t most_rows = 500;
constexpr std::size_t most_rows_of_a_step = 100;
constexpr std::size_t most_changes = 5;
constexpr std::size_t most_lost = 20;

std::string html_paragraph(std::string_view kind, std::string_view text) {
  return text.empty() ? std::string() : html_element("p", kind, html_text(text)) + "\n";
}

// Only web pages are linked.
std::string source_links(const Simulation::Finding& finding) {
  std::string out;
  for (const Simulation::Finding::Source& source : finding.sources) {
    const bool is_page = source.url.starts_with("https://");
    const std::string name = html_text(source.name);
    out += (out.empty() ? "" : ", ") +
           (is_page ? "<a href=\"" + html_text(source.url) + "\" rel=\"noreferrer\">" + name + "</a>" : name);
  }
  if (out.empty()) return {};
  return "<p class=\"sources\">" + out + "</p>\n";
}

std::string refused_cell(const Simulation::Finding& finding) {
  std::string out = html_element("code", "rule", html_text(rule_of(finding)));
  if (!finding.rule.empty()) out += " " + html_element("span", "quiet", "HTTP " + std::to_string(finding.status));
  std::string told = html_paragraph("told", finding.reason);
  for (const Simulation::Finding::OtherReason& other : finding.other_reasons) {
    told += html_paragraph("told", "at " + other.servers + ": " + other.reason);
  }
  const std::string when = when_refused_text(finding);
  return out + html_paragraph("servers", servers_text(finding)) + html_paragraph("", finding.statement) +
         html_paragraph("quiet", when.empty() ? "" : "From " + when) + told +
         html_paragraph("follows", finding.follows) + source_links(finding);
}

std::string remedy_cell(const std::vector<std::string>& avoided_by, const std::string& advice,
                        const std::string& accepted) {
  const std::string why = html_paragraph("accepted", accepted.empty() ? "" : "Accepted: " + accepted);
  std::string items;
  const std::size_t shown = std::min(avoided_by.size(), most_changes);
  for (std::size_t i = 0; i < shown; ++i) items += html_element("li", "", html_text(avoided_by[i]));
  if (shown < avoided_by.size()) {
    items += "<li>and " + std::to_string(avoided_by.size() - shown) + " more</li>";
  }
  if (items.empty() && advice.empty()) return why + html_element("span", "quiet", "nothing that was tried");
  return why + (items.empty() ? "" : html_element("ul", "remedies", items)) + html_paragraph("", advice);
}

std::string counted_html(std::size_t number, std::string_view noun) {
  return "<b>" + grouped_digits(number) + "</b> " + std::string(noun) + (number == 1 ? "" : "s");
}

std::string touched_cell(const FindingGroup& group) {
  const Simulation::Finding& finding = group.finding;
  const bool once = finding.first == finding.last;
  return (group.members > 1 ? "each at most<br>" : "") + counted_html(finding.nodes, "node") + "<br>" +
         counted_html(finding.pods, "pod") + "<br>" + counted_html(finding.count, "request") +
         html_paragraph("quiet", to_text(finding.first) + (once ? "" : " to " + to_text(finding.last)));
}

// Of a finding or a loss. Red if it stays broken and nobody accepts it.
template <typename Breakage>
std::string healing_cell(const Breakage& breakage) {
  const bool bad = !breakage.healed && breakage.accepted.empty();
  return (bad ? "<td class=\"bad\">" : "<td>") + html_text(healing_text(breakage)) + "</td>";
}

std::string finding_row(const FindingGroup& group, AdviceOnce& advice) {
  const Simulation::Finding& finding = group.finding;
  std::string out = "<tr>";
  out += "<th scope=\"row\">" + html_text(finding.who) + "</th>";
  out += "<td>" + html_text(finding.request) +
         (finding.example.empty() ? "" : "<br>" + html_element("code", "example", html_text(finding.example))) +
         "</td>";
  out += "<td>" + refused_cell(finding) + "</td>";
  out += "<td>" + touched_cell(group) + "</td>";
  out += healing_cell(finding);
  return out + "<td>" + remedy_cell(finding.avoided_by, advice(finding.advice, finding.who), finding.accepted) +
         "</td></tr>\n";
}

std::string loss_row(const Simulation::Loss& loss, AdviceOnce& advice) {
  std::string out = "<tr><th scope=\"row\">" + html_text(loss.who) + "</th>";
  out += (loss.accepted.empty() ? "<td class=\"bad\">" : "<td>") + html_text(loss_text(loss)) + "</td>";
  out += "<td>" + html_text(loss.cause) + "</td>";
  out += "<td>" + counted_html(loss.count, loss.what == Simulation::Loss::What::pods_waiting ? "pod" : "node") +
         html_paragraph("quiet", "since " + to_text(loss.first)) + "</td>";
  out += healing_cell(loss);
  return out + "<td>" + remedy_cell(loss.avoided_by, advice(loss.advice, loss.who), loss.accepted) + "</td></tr>\n";
}

/// `rows` is how many rows the page may still get.
std::string finding_table(const Simulation::Step& step, std::size_t& rows) {
  const std::vector<FindingGroup> groups = grouped(step.findings);
  const std::size_t all = groups.size() + step.losses.size();
  if (all == 0) return {};
  const std::size_t shown = std::min({all, most_rows_of_a_step, rows});
  rows -= shown;
  AdviceOnce advice;
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) {
    out += i < groups.size() ? finding_row(groups[i], advice) : loss_row(step.losses[i - groups.size()], advice);
  }
  if (!out.empty()) {
    out =
        "<div class=\"scroll\">\n<table class=\"findings\">\n<thead><tr><th scope=\"col\">Who</th><th "
        "scope=\"col\">What</th><th scope=\"col\">Why</th>"
        "<th scope=\"col\">Touches</th><th scope=\"col\">Heals</th><th scope=\"col\">Avoided "
        "by</th></tr></thead>\n<tbody>\n" +
        out + "</tbody>\n</table>\n</div>\n";
  }
  if (shown == all) return out;
  return out + html_paragraph("quiet", "And " + counted(all - shown, "more finding") + ", in the JSON.");
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
                          when_text(simulation, step.at) + " to " + when_text(simulation, step.until)) +
         "</div>\n";
}

std::string one_section(const Simulation& simulation, std::size_t index, std::size_t& rows) {
  const Simulation::Step& step = simulation.steps[index];
  const bool begin = step.number == 0;
  const std::string content = loss_list(simulation, index) + finding_table(step, rows);
  const bool broken = begin && begins_broken(simulation);
  std::string out = "<section id=\"" + step_anchor(step) + "\" class=\"step " +
                    (broken                                ? "begin breaks"
                     : begin                               ? "begin"
                     : breaks_something(simulation, index) ? "breaks"
                                                           : "fine") +
                    "\">\n" + step_heading(simulation, index);
  if (broken) {
    out += html_paragraph("", "The plan begins broken: what does not work here, no step can be seen to break.");
  } else if (begin && !step.findings.empty()) {
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
