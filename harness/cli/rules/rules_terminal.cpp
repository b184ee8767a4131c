#include <algorithm>

#include "harness/cli/rules/rule_history.h"
#include "harness/cli/rules/rules_listing.h"
#include "harness/cli/target.h"
#include "reference/release/source_link.h"
#include "reports/page.h"
#include "reports/table.h"
#include "reports/text.h"

namespace nodebound::cli {
namespace {

constexpr std::size_t most_scenarios = 12;
constexpr std::size_t most_checks = 5;

// Shows only the first release with the rule. The page of the rule has its whole history.
std::string since_cell(const RuleEntry& rule) {
  const ReleaseRange& first = rule.in_force.front();
  const bool more = first.since.size() > 1 || rule.in_force.size() > 1 || first.until;
  return first.since.front().short_text() + (more ? "…" : "") + (gates_of(rule).empty() ? "" : " (gate)");
}

void by_group(Page& page, const std::vector<ListedRule>& rules, const Catalogue& catalogue, bool whole) {
  Table table({"RULE", "SINCE", "LAYER", "WHAT IT SAYS"});
  std::string group;
  for (const ListedRule& listed : rules) {
    const RuleEntry& rule = catalogue[listed.rule];
    if (rule.title != group) table.heading(group = rule.title);
    table.row({rule.id, since_cell(rule), std::string(to_string(rule.layer)), rule.statement});
  }
  table.write(page, whole);
}

void by_time(Page& page, std::string_view title, const std::vector<ListedRule>& rules, const Catalogue& catalogue,
             bool whole) {
  if (rules.empty()) return;
  page.blank();
  page.paragraph(0, Colour::bold, title);
  Table table({"RULE", "WHEN", "LAYER", "WHAT IT SAYS"});
  for (const ListedRule& listed : rules) {
    const RuleEntry& rule = catalogue[listed.rule];
    table.row({rule.id, listed.when, std::string(to_string(rule.layer)), rule.statement});
  }
  table.write(page, whole);
}

std::string names(const std::vector<const Step*>& steps, bool verbose) {
  std::string text;
  const std::size_t shown = verbose ? steps.size() : std::min(steps.size(), most_checks);
  for (std::size_t i = 0; i < shown; ++i) text += (i == 0 ? "" : ", ") + steps[i]->check->name;
  return shown < steps.size() ? text + " and " + std::to_string(steps.size() - shown) + " more" : text;
}

void uses(Page& page, const std::vector<RuleUse>& all, bool verbose) {
  std::size_t checks = 0;
  for (const RuleUse& use : all) checks += use.permits.size() + use.refuses.size();
  page.heading(Colour::plain, "·",
               "Exercised by " + counted(checks, "check") + " of " + counted(all.size(), "scenario"));
  const std::size_t shown = verbose ? all.size() : std::min(all.size(), most_scenarios);
  for (std::size_t i = 0; i < shown; ++i) {
    page.paragraph(2, Colour::plain, all[i].scenario->id + ": " + all[i].scenario->title);
    page.field(4, "permits", names(all[i].permits, verbose));
    page.field(4, "refuses", names(all[i].refuses, verbose));
  }
  if (shown < all.size()) {
    page.paragraph(2, Colour::dim, "and " + counted(all.size() - shown, "scenario") + " more (--verbose)");
  }
}

void history(Page& page, const RuleEntry& rule, const Catalogue& catalogue) {
  std::string label = "in force";
  for (const ReleaseRange& range : rule.in_force) {
    page.field(0, label, describe(range));
    label = "and";
  }
  label = rule.in_force.size() > 1 || !gates_of(rule).empty() ? "gate" : "";
  for (const std::string& name : gates_of(rule)) {
    const GateEntry* gate = catalogue.find_gate(name);
    page.field(0, label, name + ": " + (gate == nullptr ? "unknown" : history_of(*gate)));
  }
  for (const auto& [since, text] : rule.refusal) {
    page.field(0, "refusal", (rule.refusal.size() > 1 ? "since " + since.short_text() + ": " : "") + text.pattern());
  }
}

}  // namespace

std::string to_terminal(const RuleListing& listing, const Catalogue& catalogue, const TerminalStyle& style,
                        bool whole) {
  Page page(style);
  if (listing.filter.since) {
    const std::string since = "since " + listing.filter.since->short_text();
    by_time(page, "Came into force " + since, listing.rules, catalogue, whole);
    by_time(page, "No longer in force " + since, listing.removed, catalogue, whole);
  } else if (!listing.rules.empty()) {
    by_group(page, listing.rules, catalogue, whole);
  }
  page.blank();
  std::string total = counted(listing.rules.size(), "rule");
  if (listing.filter.since) total += " came, " + std::to_string(listing.removed.size()) + " went";
  if (listing.filter.release) total += " in force at " + listing.filter.release->version.text();
  page.paragraph(0, Colour::plain, total + ".");
  page.paragraph(0, Colour::dim,
                 listing.filter.since
                     ? "(gate): only with a feature gate set for it. `nodebound rules ID` shows a rule's history."
                     : "…: there is more to its history. (gate): depends on a feature gate. `nodebound rules ID` shows "
                       "both, and the scenarios.");
  return page.text();
}

std::string to_terminal(const RuleDetails& details, const Catalogue& catalogue, const TerminalStyle& style) {
  const RuleEntry& rule = catalogue[details.rule];
  // A single rule, and the rules of a gate, are shown in full.
  Page page({style.colour, style.width, true});
  page.paragraph(0, Colour::bold, rule.id);
  page.paragraph(0, Colour::plain, rule.statement);
  page.blank();
  page.field(0, "group", rule.title);
  page.field(0, "layer", std::string(to_string(rule.layer)) + (rule.plugin.empty() ? "" : ", plugin " + rule.plugin));
  page.field(0, "effect",
             std::string(to_string(rule.effect)) +
                 (rule.effect == Effect::restriction ? ", HTTP " + std::to_string(rule.status) : ""));
  history(page, rule, catalogue);
  if (details.release) {
    const bool holds = RuleSet(catalogue, *details.release).in_force(details.rule);
    page.field(0, details.release->version.text(), holds ? "in force" : "not in force");
  }
  const Version at = read_at(rule, details.release ? details.release->version : *Version::parse(reference_release));
  for (const std::string& source : rule.source) {
    page.field(0, "source", source);
    page.raw("          " + page.paint(Colour::dim, link_of(source, at)));
  }
  page.field(0, "unmet", rule.unreachable);
  for (const Deviation& deviation : catalogue.deviations()) {
    if (deviation.rule != rule.id) continue;
    page.field(0, "deviation",
               deviation.id + ", since " + deviation.range.since.front().short_text() +
                   (deviation.range.until ? ", before " + deviation.range.until->short_text() : "") + ": " +
                   deviation.statement);
    page.field(0, "", deviation.issue);
  }
  uses(page, details.uses, style.verbose);
  return page.text();
}

std::string to_terminal(const GateListing& listing, const Catalogue& catalogue, const TerminalStyle& style) {
  Page page({style.colour, style.width, true});
  for (const GateEntry* gate : listing.gates) {
    std::string name = gate->name;
    if (listing.release) {
      name += std::string(" (") + (listing.release->gates.at(gate->name) ? "on" : "off") + " at " +
              listing.release->version.text() + ")";
    }
    page.paragraph(0, Colour::bold, name);
    page.field(2, "default", history_of(*gate));
    std::string rules;
    for (const std::string& rule : rules_of_gate(catalogue, gate->name)) rules += (rules.empty() ? "" : ", ") + rule;
    page.field(2, "rules", rules.empty() ? "none" : rules);
  }
  page.blank();
  page.paragraph(0, Colour::plain, counted(listing.gates.size(), "feature gate"));
  return page.text();
}

}  // namespace nodebound::cli
