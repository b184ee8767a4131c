#include <algorithm>

#include "reports/exploration/exploration.h"
#include "reports/page.h"
#include "reports/text.h"

namespace nodebound {
namespace {

using Difference = Exploration::Difference;

constexpr std::size_t most_rules = 8;
constexpr std::size_t most_differences = 20;

void side(Page& page, std::string_view label, const Exploration::Side& side) {
  page.field(0, label, side.name);
  page.field(0, "",
             "observed as " + side.version + ", " + counted(side.rules_in_force, "rule") + " of " + side.release +
                 " in force");
}

std::string rate(const Exploration& exploration) {
  if (exploration.run.seconds < 1) return "";
  return ", " +
         std::to_string(static_cast<std::size_t>(static_cast<double>(exploration.requests) / exploration.run.seconds)) +
         " a second";
}

void fired(Page& page, const Exploration& exploration) {
  const std::size_t could = exploration.rules_fired.size() + exploration.rules_not_fired.size();
  page.heading(
      Colour::dim, "-",
      "Rules that decided: " + std::to_string(exploration.rules_fired.size()) + " of " + std::to_string(could));
  std::vector<std::pair<std::size_t, std::string>> seldom;
  seldom.reserve(exploration.rules_fired.size());
  for (const auto& [rule, count] : exploration.rules_fired) seldom.emplace_back(count, rule);
  std::sort(seldom.begin(), seldom.end());
  std::string text;
  for (std::size_t at = 0; at < std::min(most_rules, seldom.size()); ++at) {
    text += (text.empty() ? "" : ", ") + seldom[at].second + " " + std::to_string(seldom[at].first);
  }
  page.field(2, "seldom", text);
  text.clear();
  for (const std::string& rule : exploration.rules_not_fired) text += (text.empty() ? "" : ", ") + rule;
  page.field(2, "never", text);
}

void one(Page& page, const Difference& difference) {
  constexpr std::size_t indent = 4;
  const std::string rule = difference.rule.empty() ? "no rule decides" : difference.rule;
  page.paragraph(2, Colour::bold, rule + ": " + counted(difference.count, "request"));
  for (std::size_t at = 0; at < difference.steps.size(); ++at) {
    page.field(indent, at + 1 == difference.steps.size() ? "asked" : at == 0 ? "given" : "", difference.steps[at]);
  }
  page.field(indent, "A", difference.a);
  page.field(indent, "B", difference.b);
  page.field(indent, "A says", difference.message_a);
  page.field(indent, "B says", difference.message_b);
  if (difference.explained == Difference::Explained::deviation)
    page.field(indent, "known", difference.by + ": " + difference.statement);
  if (difference.explained == Difference::Explained::release) {
    std::string who;
    if (!difference.by.empty()) who = difference.by + " is in force on one side only: ";
    for (const std::string& each : difference.together) who += (who.empty() ? "" : ", ") + each;
    if (!difference.together.empty()) who += " are in force on one side only, and explain it together: ";
    page.field(indent, "why", who + difference.statement);
  }
  if (difference.explained == Difference::Explained::defect) {
    page.field(indent, "as if", difference.by + " were turned round: " + difference.statement);
  }
  page.field(indent, "scenario", difference.scenario);
  page.field(indent, "episode", std::to_string(difference.episode) + (difference.small ? "" : ", not made small"));
}

template <typename Fits>
void list(Page& page, const Exploration& exploration, Colour colour, std::string_view glyph, const std::string& title,
          Fits fits) {
  std::size_t sorts = 0;
  std::size_t requests = 0;
  for (const Difference& difference : exploration.differences) {
    sorts += fits(difference) ? 1 : 0;
    requests += fits(difference) ? difference.count : 0;
  }
  if (sorts == 0) return;
  page.heading(colour, glyph, title + ": " + counted(requests, "request") + " in " + counted(sorts, "sort"));
  std::size_t shown = 0;
  for (const Difference& difference : exploration.differences) {
    if (!fits(difference) || (++shown > most_differences && !page.verbose())) continue;
    one(page, difference);
  }
  if (shown > most_differences && !page.verbose()) {
    page.paragraph(2, Colour::dim, "and " + std::to_string(shown - most_differences) + " more (see explore.json)");
  }
}

}  // namespace

std::string to_terminal(const Exploration& exploration, const TerminalStyle& style) {
  Page page(style);
  side(page, "A", exploration.a);
  side(page, "B", exploration.b);
  page.field(0, "asked",
             counted(exploration.requests, "request") + " in " + counted(exploration.episodes, "episode") +
                 rate(exploration) + ", seed " + std::to_string(exploration.seed));
  fired(page, exploration);
  list(page, exploration, Colour::yellow, "~", "Known deviations", is_known);
  list(page, exploration, Colour::yellow, "?", "Not found again", [](const Difference& one) { return !one.steady; });
  list(page, exploration, Colour::red, "✗", "Differences", is_new);
  page.blank();
  if (exploration.reworded != 0)
    page.raw("~ " + counted(exploration.reworded, "request") + " with other messages alone");
  const std::size_t different = new_differences(exploration);
  if (different != 0) {
    page.raw(page.paint(Colour::red, "✗") + " DIFFERENT: " + counted(different, "request"));
  } else if (unsteady_differences(exploration) != 0) {
    page.raw(page.paint(Colour::yellow, "?") + " COULD NOT TELL: what differed was not found again");
  } else {
    page.raw(page.paint(Colour::green, "✓") + " NO DIFFERENCE in decision, layer or status" +
             (known_differences(exploration) == 0 ? "" : " but for known deviations"));
  }
  return page.text();
}

}  // namespace nodebound
