#include <algorithm>
#include <cmath>

#include "reports/mutation/mutation_writers.h"
#include "reports/page.h"
#include "reports/table.h"
#include "reports/text.h"

namespace nodebound {
namespace {

using MutantOutcome = MutantResult::Outcome;

constexpr std::size_t most_idle_checks = 20;

std::string at_release(const MutantResult& mutant) {
  return mutant.release + (mutant.setting.empty() ? "" : " " + mutant.setting);
}

void parts(Page& page, const MutationReport& report) {
  Table table({"part", "mutants", "killed", "survived", "equivalent"});
  for (const PartScore& part : parts_of(report)) {
    table.row({part.part, std::to_string(part.mutants), std::to_string(part.killed), std::to_string(part.survived),
               std::to_string(part.equivalent)});
  }
  table.write(page, true);
}

void releases(Page& page, const MutationReport& report) {
  if (report.releases.size() < 2) return;
  page.blank();
  Table table({"release", "killed", "survived", "equivalent", "score"});
  for (const std::string& release : report.releases) {
    table.row({release, std::to_string(report.count(MutantOutcome::killed, release)),
               std::to_string(report.count(MutantOutcome::survived, release)),
               std::to_string(report.count(MutantOutcome::equivalent, release)), percent(report.score(release))});
  }
  table.write(page, true);
}

void one_mutant(Page& page, const MutantResult& mutant) {
  page.paragraph(2, Colour::bold, mutant.id);
  page.field(4, "fault", mutant.meaning);
  page.field(4, "at", at_release(mutant));
  page.field(4, "caught by", mutant.killer);
  if (mutant.outcome == MutantOutcome::killed) return;
  page.field(4, "worded", mutant.noticed);
  page.field(4, "unclear", mutant.unclear);
  page.field(4, "proof", mutant.proof);
}

void mutants(Page& page, const MutationReport& report, MutantOutcome outcome, Colour colour, std::string_view glyph,
             std::string_view title) {
  const std::size_t number = report.count(outcome);
  if (number == 0) return;
  page.heading(colour, glyph, std::string(title) + ": " + counted(number, "mutant"));
  for (const MutantResult& mutant : report.mutants) {
    if (mutant.outcome == outcome) one_mutant(page, mutant);
  }
}

void scenarios(Page& page, const MutationReport& report) {
  if (report.scenarios.empty()) return;
  std::size_t killing = 0;
  std::vector<const ScenarioUse*> idle;
  for (const ScenarioUse& scenario : report.scenarios) {
    if (!scenario.kills.empty()) ++killing;
    if (scenario.kills.empty()) idle.push_back(&scenario);
  }
  if (!idle.empty()) {
    page.heading(Colour::yellow, "~", "Scenarios that kill no mutant: " + std::to_string(idle.size()));
    for (const ScenarioUse* scenario : idle) {
      page.paragraph(2, Colour::plain, scenario->id);
      page.paragraph(4, Colour::dim, scenario->stays.empty() ? "nothing is said of why it stays" : scenario->stays);
    }
  }
  page.blank();
  page.paragraph(0, Colour::plain,
                 std::to_string(killing) + " of " + counted(report.scenarios.size(), "scenario") + " kill a mutant");
}

void checks(Page& page, const MutationReport& report) {
  if (report.checks.empty()) return;
  const std::map<std::string, CheckUse> idle = report.idle_checks();
  if (!idle.empty()) {
    page.heading(Colour::yellow, "~", "Checks that no mutant makes fail: " + std::to_string(idle.size()));
  }
  std::size_t left = page.verbose() ? idle.size() : std::min(idle.size(), most_idle_checks);
  const std::size_t cut = idle.size() - left;
  for (auto check = idle.begin(); left > 0; ++check, --left) {
    page.paragraph(2, Colour::plain, check->first);
    page.paragraph(4, Colour::dim, check->second.stays);
  }
  if (cut > 0) page.paragraph(2, Colour::dim, "and " + std::to_string(cut) + " more (--verbose, or --out DIR)");
  page.paragraph(0, Colour::plain,
                 std::to_string(report.checks.size() - idle.size()) + " of " + counted(report.checks.size(), "check") +
                     " fail on some mutant");
}

void outcome(Page& page, const MutationReport& report) {
  for (const std::string& mistake : report.mistakes) page.paragraph(0, Colour::red, mistake);
  const std::string score =
      std::to_string(report.count(MutantOutcome::killed)) + " of " +
      counted(report.count(MutantOutcome::killed) + report.count(MutantOutcome::survived), "mutant") + " killed, " +
      percent(report.score()) + ", beside " + std::to_string(report.count(MutantOutcome::equivalent)) +
      " that are equivalent";
  page.paragraph(0, Colour::plain, score);
  const int code = exit_code(report);
  if (code == 4) return page.raw(page.paint(Colour::yellow, "- NOTHING RAN: there is no such mutant"));
  page.raw(code == 0 ? page.paint(Colour::green, "✓ EVERY FAULT IS CAUGHT")
                     : page.paint(Colour::red, "✗ NOT EVERY FAULT IS CAUGHT, OR A LIST IS OUT OF DATE"));
}

}  // namespace

std::string percent(double score) {
  const double floored = std::floor(score * 100.0) / 100.0;
  std::string text = std::to_string(floored);
  text.resize(text.find('.') + 3);
  return text.ends_with(".00") ? text.substr(0, text.size() - 3) + " %" : text + " %";
}

std::vector<PartScore> parts_of(const MutationReport& report) {
  std::vector<PartScore> parts;
  for (const MutantResult& mutant : report.mutants) {
    auto part = std::find_if(parts.begin(), parts.end(), [&](const PartScore& one) { return one.part == mutant.part; });
    if (part == parts.end()) part = parts.insert(parts.end(), PartScore{mutant.part});
    ++part->mutants;
    if (mutant.outcome == MutantOutcome::killed) ++part->killed;
    if (mutant.outcome == MutantOutcome::survived) ++part->survived;
    if (mutant.outcome == MutantOutcome::equivalent) ++part->equivalent;
  }
  return parts;
}

std::string to_terminal(const MutationReport& report, const TerminalStyle& style) {
  Page page(style);
  parts(page, report);
  releases(page, report);
  if (page.verbose()) mutants(page, report, MutantOutcome::killed, Colour::green, "✓", "Killed");
  if (page.verbose()) mutants(page, report, MutantOutcome::equivalent, Colour::dim, "=", "Equivalent");
  mutants(page, report, MutantOutcome::survived, Colour::red, "✗", "Survived");
  scenarios(page, report);
  checks(page, report);
  outcome(page, report);
  return page.text();
}

}  // namespace nodebound
