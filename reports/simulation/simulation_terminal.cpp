#include <algorithm>

#include "reports/page.h"
#include "reports/simulation/simulation_writers.h"
#include "reports/text.h"

namespace nodebound {
namespace {

// The number shown for each step; --verbose and the files have the rest.
constexpr std::size_t most_findings = 20;

void plan_header(Page& page, const Simulation& simulation) {
  page.paragraph(0, Colour::bold, title_of(simulation));
  page.field(0, "plan", simulation.file);
  page.field(0, "target", simulation.target);
  page.field(0, "lasts",
             length_text(simulation.length) + ", " + counted(simulation.run.requests, "request") + ", seed " +
                 std::to_string(simulation.seed));
  page.field(0, "starts", date_text(simulation, Simulation::Time(0)));
}

void remedies(Page& page, std::size_t indent, const std::vector<std::string>& avoided_by, const std::string& advice) {
  for (std::size_t i = 0; i < avoided_by.size(); ++i) {
    page.field(indent, i == 0 ? "avoided" : "", (i == 0 ? "by " : "or by ") + avoided_by[i]);
  }
  page.field(indent, "advice", advice);
}

void one_finding(Page& page, const FindingGroup& group, AdviceOnce& advice) {
  constexpr std::size_t indent = 6;
  const Simulation::Finding& finding = group.finding;
  page.paragraph(4, Colour::bold, finding.who + ": " + finding.request);
  page.field(indent, "accepted", finding.accepted);
  page.field(indent, "refused", refusal_text(finding));
  page.field(indent, "", servers_text(finding));
  page.field(indent, "from", when_refused_text(finding));
  page.field(indent, "request", finding.example);
  page.field(indent, "told", finding.reason);
  for (const Simulation::Finding::OtherReason& other : finding.other_reasons) {
    page.field(indent, "", "at " + other.servers + ": " + other.reason);
  }
  page.field(indent, "touches",
             (group.members > 1 ? "each at most " : "") + touched_text(finding) + ", " + times_text(finding));
  page.field(indent, "heals", finding.healed ? healing_text(finding) : "not before the plan ends");
  page.field(indent, "follows", finding.follows);
  remedies(page, indent, finding.avoided_by, advice(finding.advice, finding.who));
}

void one_loss(Page& page, const Simulation::Loss& loss, AdviceOnce& advice) {
  constexpr std::size_t indent = 6;
  page.paragraph(4, Colour::bold, loss.who + ": " + loss_text(loss));
  page.field(indent, "accepted", loss.accepted);
  page.field(indent, "cause", loss.cause);
  page.field(indent, "since", to_text(loss.first));
  page.field(indent, "heals", loss.healed ? healing_text(loss) : "not before the plan ends");
  remedies(page, indent, loss.avoided_by, advice(loss.advice, loss.who));
}

void list_findings(Page& page, const Simulation::Step& step) {
  AdviceOnce advice;
  const std::vector<FindingGroup> all = grouped(step.findings);
  const std::size_t shown = page.verbose() ? all.size() : std::min(all.size(), most_findings);
  for (std::size_t i = 0; i < shown; ++i) one_finding(page, all[i], advice);
  if (shown < all.size()) {
    page.paragraph(4, Colour::dim, "and " + std::to_string(all.size() - shown) + " more (--verbose, or --out DIR)");
  }
  const std::size_t losses_shown = page.verbose() ? step.losses.size() : std::min(step.losses.size(), most_findings);
  for (std::size_t i = 0; i < losses_shown; ++i) one_loss(page, step.losses[i], advice);
  if (losses_shown < step.losses.size()) {
    page.paragraph(4, Colour::dim, "and " + counted(step.losses.size() - losses_shown, "more loss") + " (--verbose)");
  }
}

void what_was_before(Page& page, const Simulation& simulation, std::size_t index) {
  const Simulation::Step& begin = simulation.steps[index];
  const std::vector<std::string> lost = losses(simulation, index);
  if (begin.findings.empty() && lost.empty() && begin.losses.empty()) return;
  const bool broken = begins_broken(simulation);
  page.heading(broken ? Colour::red : Colour::yellow, broken ? "✗" : "~",
               broken ? "The plan begins broken" : "Refused before the plan begins");
  if (broken) {
    page.paragraph(4, Colour::plain, "What does not work before its first step, no step can be seen to break.");
  }
  for (const std::string& line : lost) page.paragraph(4, Colour::red, line);
  list_findings(page, begin);
}

// Aligns numbers and times in columns, so that steps can be compared.
struct StepColumns {
  std::size_t number = 0;
  std::size_t time = 0;
};

StepColumns step_columns(const Simulation& simulation) {
  StepColumns widest;
  for (const Simulation::Step& step : simulation.steps) {
    widest.number = std::max(widest.number, columns(std::to_string(step.number)));
    widest.time = std::max(widest.time, columns(to_text(step.at)));
  }
  return widest;
}

void step_line(Page& page, const Simulation& simulation, std::size_t index, const StepColumns& width) {
  const Simulation::Step& step = simulation.steps[index];
  const bool breaks = breaks_something(simulation, index);
  const std::string lead =
      pad_left(std::to_string(step.number), width.number) + "  " + pad_right(to_text(step.at), width.time) + "  ";
  const std::string verdict = ": " + heading_text(simulation, index);
  const std::size_t used = 2 + columns(lead) + columns(verdict);
  std::string what = printable(step.what.empty() ? "a step that says nothing of itself" : step.what);
  if (!page.verbose()) what = clip(what, page.width() > used + 1 ? page.width() - used : 1);
  const Colour colour = breaks ? Colour::red : Colour::green;
  page.raw(page.paint(colour, breaks ? "✗" : "✓") + " " + lead + page.paint(Colour::bold, what) +
           page.paint(colour, verdict));
}

void one_step(Page& page, const Simulation& simulation, std::size_t index, const StepColumns& width) {
  const Simulation::Step& step = simulation.steps[index];
  const std::vector<std::string> lost = losses(simulation, index);
  const bool breaks = breaks_something(simulation, index);
  step_line(page, simulation, index, width);
  const std::string date = date_text(simulation, step.at);
  if (breaks || !date.empty()) {
    page.paragraph(4, Colour::dim, date + (date.empty() || !breaks ? "" : ", ") + (breaks ? step.where : ""));
  }
  for (const std::string& line : lost) page.paragraph(4, breaks ? Colour::red : Colour::yellow, line);
  list_findings(page, step);
  if (breaks && index + 1 < simulation.steps.size()) page.blank();
}

void plan_verdict(Page& page, const Simulation& simulation) {
  page.blank();
  const FindingCount count = findings_of_plan(simulation);
  if (count.all > 0) {
    page.paragraph(
        0, Colour::plain,
        counted(count.all, "kind") + " of requests newly refused, " + std::to_string(count.for_good) + " for good");
  }
  if (const std::size_t accepted = accepted_in(simulation); accepted > 0) {
    page.paragraph(0, Colour::plain, counted(accepted, "finding") + " accepted");
  }
  const bool breaks = breaks_something(simulation) || begins_broken(simulation);
  page.raw(page.paint(breaks ? Colour::red : Colour::green, (breaks ? "✗ " : "✓ ") + verdict_text(simulation)));
}

}  // namespace

std::string to_terminal(const Simulation& simulation, const TerminalStyle& style) {
  Page page(style);
  plan_header(page, simulation);
  const StepColumns width = step_columns(simulation);
  for (std::size_t i = 0; i < simulation.steps.size(); ++i) {
    if (simulation.steps[i].number == 0) what_was_before(page, simulation, i);
  }
  page.blank();
  for (std::size_t i = 0; i < simulation.steps.size(); ++i) {
    if (simulation.steps[i].number != 0) one_step(page, simulation, i, width);
  }
  if (!simulation.notes.empty()) page.heading(Colour::dim, "-", "Notes");
  for (const std::string& note : simulation.notes) page.paragraph(2, Colour::plain, note);
  if (!simulation.not_simulated.empty()) page.heading(Colour::dim, "-", "Not simulated");
  for (const std::string& what : simulation.not_simulated) page.paragraph(2, Colour::plain, what);
  plan_verdict(page, simulation);
  return page.text();
}

}  // namespace nodebound
