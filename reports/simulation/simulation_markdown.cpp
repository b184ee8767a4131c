#include <algorithm>

#include "reports/markdown.h"
#include "reports/simulation/simulation_writers.h"
#include "reports/text.h"

namespace nodebound {
namespace {

// Limits what the change request shows; simulation.json has everything.
constexpr std::size_t most_rows_of_a_request = 100;

std::string request_section(const std::string& title) {
  return "\n## " + title + "\n\n";
}

std::string list_item(const std::string& text) {
  return "- " + text + "\n";
}

// Commands in one code block, which text from a target cannot end.
std::string command_block(const std::vector<std::string>& lines, const std::string& indent) {
  std::string out = "\n" + indent + "```sh\n";
  for (const std::string& line : lines) out += indent + printable(line) + "\n";
  return out + indent + "```\n";
}

std::string request_head(const Simulation& simulation) {
  const bool bad = breaks_something(simulation) || begins_broken(simulation);
  std::string out = "# " + markdown_text(title_of(simulation)) + "\n\n";
  out += std::string("**") + (bad ? "✗ " : "✓ ") + "The plan " + markdown_text(verdict_text(simulation)) + ".** ";
  out += "Plan " + markdown_code(simulation.file) + ", " + counted(steps_of_plan(simulation), "step") + " in " +
         length_text(simulation.length);
  const std::string start = date_text(simulation, Simulation::Time(0));
  if (!start.empty()) out += ", from " + start;
  return out + ". Simulated on " + markdown_text(simulation.target) + ", Nodebound " +
         markdown_text(simulation.run.tool_version) + ".\n";
}

std::string when_it_breaks(const Simulation& simulation, const Simulation::Step& step) {
  return step.number == 0 ? "begin" : std::to_string(step.number) + ", " + when_text(simulation, step.at);
}

struct BreakageRows {
  const Simulation& simulation;
  std::string out;
  std::size_t count = 0;

  void add(const Simulation::Step& step, const std::string& who, const std::string& what, const std::string& why,
           const std::string& touches, const std::string& heals) {
    if (count++ >= most_rows_of_a_request) return;
    out += markdown_row({markdown_text(when_it_breaks(simulation, step)), markdown_text(who), markdown_text(what), why,
                         markdown_text(touches), markdown_text(heals)});
  }
};

// Of a finding or a loss.
template <typename Breakage>
std::string heals_or_accepted(const Breakage& breakage) {
  return (breakage.accepted.empty() ? "" : "accepted; ") + healing_text(breakage);
}

std::string breakage_table(const Simulation& simulation) {
  BreakageRows rows{simulation, {}};
  for (const Simulation::Step& step : simulation.steps) {
    for (const FindingGroup& group : grouped(step.findings)) {
      const Simulation::Finding& finding = group.finding;
      rows.add(step, finding.who, "refused " + finding.request,
               markdown_code(rule_of(finding)) + " " + markdown_text(finding.statement),
               touched_text(finding) + ", " + counted(finding.count, "request"), heals_or_accepted(finding));
    }
    for (const Simulation::Loss& loss : step.losses) {
      rows.add(step, loss.who, loss_text(loss), markdown_text(loss.cause), "since " + to_text(loss.first),
               heals_or_accepted(loss));
    }
  }
  if (rows.out.empty()) return "Nothing.\n";
  std::string out = markdown_head({"step", "who", "what", "why", "touches", "heals"}) + rows.out;
  if (rows.count > most_rows_of_a_request)
    out += "\nAnd " + std::to_string(rows.count - most_rows_of_a_request) + " more, in the JSON.\n";
  return out;
}

std::string linked_sources(const Simulation::Finding& finding) {
  std::string out;
  for (const Simulation::Finding::Source& source : finding.sources) {
    const std::string name = markdown_text(source.name);
    out += (out.empty() ? "" : ", ") + (source.url.empty() ? name : "[" + name + "](" + source.url + ")");
  }
  return out;
}

std::string joined_by_or(const std::vector<std::string>& changes) {
  std::string out;
  for (const std::string& change : changes) out += (out.empty() ? "" : "; or ") + markdown_text(change);
  return out;
}

std::string details_of(const Simulation::Finding& finding, AdviceOnce& advice) {
  std::string out = "\n### " + markdown_text(finding.who + ": " + finding.request) + "\n\n";
  if (!finding.accepted.empty()) out += list_item("Accepted: " + markdown_text(finding.accepted));
  if (!finding.example.empty()) out += list_item("Request: " + markdown_code(finding.example));
  out += list_item("To look for in logs: " + markdown_code(finding.reason));
  for (const Simulation::Finding::OtherReason& other : finding.other_reasons) {
    out += list_item("At " + markdown_text(other.servers) + ": " + markdown_code(other.reason));
  }
  if (!finding.check.empty()) {
    out += list_item("Is allowed before the step, and refused after it: " + markdown_code(finding.check));
  }
  if (!finding.follows.empty()) out += list_item("What follows: " + markdown_text(finding.follows));
  if (!finding.avoided_by.empty()) out += list_item("Avoided, as was tried, by " + joined_by_or(finding.avoided_by));
  if (!finding.advice.empty()) out += list_item("Advice: " + markdown_text(advice(finding.advice, finding.who)));
  if (const std::string when = when_refused_text(finding); !when.empty()) {
    out += list_item("From: " + markdown_text(when));
  }
  if (!finding.sources.empty()) out += list_item("Rule: " + linked_sources(finding));
  return out;
}

std::string details_of(const Simulation::Loss& loss, AdviceOnce& advice) {
  std::string out = "\n### " + markdown_text(loss.who + ": " + loss_text(loss)) + "\n\n";
  if (!loss.accepted.empty()) out += list_item("Accepted: " + markdown_text(loss.accepted));
  out += list_item("Cause: " + markdown_text(loss.cause));
  if (!loss.avoided_by.empty()) out += list_item("Avoided, as was tried, by " + joined_by_or(loss.avoided_by));
  if (!loss.advice.empty()) out += list_item("Advice: " + markdown_text(advice(loss.advice, loss.who)));
  return out;
}

std::string breakage_details(const Simulation& simulation) {
  AdviceOnce advice;
  std::string out;
  std::size_t count = 0;
  for (const Simulation::Step& step : simulation.steps) {
    for (const FindingGroup& group : grouped(step.findings)) {
      if (count++ < most_rows_of_a_request) out += details_of(group.finding, advice);
    }
    for (const Simulation::Loss& loss : step.losses) {
      if (count++ < most_rows_of_a_request) out += details_of(loss, advice);
    }
  }
  return out;
}

std::string planned_step(const Simulation& simulation, std::size_t index) {
  const Simulation::Step& step = simulation.steps[index];
  const std::string indent = "   ";
  std::string out = std::to_string(step.number) + ". **" + markdown_text(when_text(simulation, step.at)) +
                    "**: " + markdown_text(step.what) + " (" + heading_text(simulation, index) + ")\n";
  if (!step.checks.empty()) out += "\n" + indent + "Before it:\n" + command_block(step.checks, indent);
  if (!step.rollback.empty()) {
    out += "\n" + indent + "To undo it:\n";
    for (const std::string& line : step.rollback) out += indent + list_item(markdown_text(line));
  }
  return out + "\n";
}

}  // namespace

std::string to_markdown(const Simulation& simulation) {
  std::string out = request_head(simulation);
  out += request_section("What breaks") + breakage_table(simulation) + breakage_details(simulation);
  out += request_section("Steps, in this order");
  for (std::size_t i = 0; i < simulation.steps.size(); ++i) {
    if (simulation.steps[i].number != 0) out += planned_step(simulation, i);
  }
  if (steps_of_plan(simulation) == 0) out += "The plan has no step.\n";
  if (!simulation.notes.empty()) out += request_section("Notes");
  for (const std::string& note : simulation.notes) out += list_item(markdown_text(note));
  if (!simulation.not_simulated.empty()) out += request_section("Not simulated");
  for (const std::string& what : simulation.not_simulated) out += list_item(markdown_text(what));
  return out;
}

}  // namespace nodebound
