#include "harness/cli/rules/rule_history.h"
#include "harness/cli/rules/rules_listing.h"
#include "harness/cli/target.h"
#include "reference/release/source_link.h"
#include "reports/markdown.h"

namespace nodebound::cli {
namespace {

std::string heading(int level, const std::string& text) {
  return "\n" + std::string(static_cast<std::size_t>(level), '#') + " " + markdown_text(text) + "\n\n";
}

std::string item(const std::string& label, const std::string& markdown) {
  return markdown.empty() ? std::string() : "* " + label + ": " + markdown + "\n";
}

std::string codes(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& one : items) out += (out.empty() ? "" : ", ") + markdown_code(one);
  return out;
}

std::string linked(const RuleEntry& rule, const Version& version) {
  std::string out;
  for (const std::string& source : rule.source) {
    out += (out.empty() ? "" : ", ") + std::string("[") + markdown_code(source) + "](" +
           link_of(source, read_at(rule, version)) + ")";
  }
  return out;
}

std::string rule_row(const RuleEntry& rule, const std::string& when) {
  return markdown_row({markdown_code(rule.id), markdown_text(when.empty() ? history_of(rule) : when),
                       std::string(to_string(rule.layer)), std::string(to_string(rule.effect)),
                       markdown_text(rule.statement)});
}

std::string by_time(const char* title, const std::vector<ListedRule>& rules, const Catalogue& catalogue) {
  if (rules.empty()) return {};
  std::string out = heading(2, title) + markdown_head({"rule", "when", "layer", "effect", "what it says"});
  for (const ListedRule& listed : rules) out += rule_row(catalogue[listed.rule], listed.when);
  return out;
}

std::string by_group(const std::vector<ListedRule>& rules, const Catalogue& catalogue) {
  std::string out;
  std::string group;
  for (const ListedRule& listed : rules) {
    const RuleEntry& rule = catalogue[listed.rule];
    if (rule.title != group) {
      group = rule.title;
      out += heading(2, group) + markdown_head({"rule", "in force", "layer", "effect", "what it says"});
    }
    out += rule_row(rule, {});
  }
  return out;
}

std::string check_names(const std::vector<const Step*>& steps) {
  std::vector<std::string> names;
  names.reserve(steps.size());
  for (const Step* step : steps) names.push_back(step->check->name);
  return codes(names);
}

std::string deviations(const RuleEntry& rule, const Catalogue& catalogue) {
  std::string out;
  for (const Deviation& deviation : catalogue.deviations()) {
    if (deviation.rule != rule.id) continue;
    const std::string until = deviation.range.until ? ", before " + deviation.range.until->short_text() : "";
    out +=
        item("known deviation", markdown_code(deviation.id) + ", since " + deviation.range.since.front().short_text() +
                                    until + ": " + markdown_text(deviation.statement) + " <" + deviation.issue + ">");
  }
  return out;
}

}  // namespace

std::string to_markdown(const RuleListing& listing, const Catalogue& catalogue) {
  std::string title = "Rules of what a Kubernetes node may do";
  if (listing.filter.release) title += ", at " + listing.filter.release->version.text();
  const std::string out = "# " + markdown_text(title) + "\n";
  if (!listing.filter.since) return out + by_group(listing.rules, catalogue);
  const std::string since = " since " + listing.filter.since->short_text();
  return out + by_time(("Came into force" + since).c_str(), listing.rules, catalogue) +
         by_time(("No longer in force" + since).c_str(), listing.removed, catalogue);
}

std::string to_markdown(const RuleDetails& details, const Catalogue& catalogue) {
  const RuleEntry& rule = catalogue[details.rule];
  std::string out = "# " + markdown_code(rule.id) + "\n\n" + markdown_text(rule.statement) + "\n\n";
  out += item("group", markdown_text(rule.title));
  out += item("layer", std::string(to_string(rule.layer)) + (rule.plugin.empty() ? "" : ", plugin " + rule.plugin));
  out += item("effect", std::string(to_string(rule.effect)));
  out += item("in force", markdown_text(history_of(rule)));
  for (const std::string& name : gates_of(rule)) {
    const GateEntry* gate = catalogue.find_gate(name);
    out += item("feature gate", markdown_code(name) + ": " + (gate == nullptr ? "unknown" : history_of(*gate)));
  }
  for (const auto& [since, text] : rule.refusal) {
    out += item("says", (since.major > 0 ? "since " + since.short_text() + ": " : "") + markdown_code(text.pattern()));
  }
  out += item("sources", linked(rule, details.release ? details.release->version : *Version::parse(reference_release)));
  out += item("no request can meet it", markdown_text(rule.unreachable));
  out += deviations(rule, catalogue);
  if (details.release) {
    const bool holds = RuleSet(catalogue, *details.release).in_force(details.rule);
    out += item("at " + details.release->version.text(), holds ? "in force" : "not in force");
  }
  out += heading(2, "Exercised by") + markdown_head({"scenario", "checks that it permits", "checks that it refuses"});
  for (const RuleUse& use : details.uses) {
    out += markdown_row({markdown_code(use.scenario->id) + "<br>" + markdown_text(use.scenario->title),
                         check_names(use.permits), check_names(use.refuses)});
  }
  return out;
}

std::string to_markdown(const GateListing& listing, const Catalogue& catalogue) {
  std::vector<std::string> titles = {"feature gate", "default", "rules"};
  if (listing.release) titles.push_back("at " + listing.release->version.text());
  std::string out = "# Feature gates that rules depend on\n\n" + markdown_head(titles);
  for (const GateEntry* gate : listing.gates) {
    std::vector<std::string> cells = {markdown_code(gate->name), history_of(*gate),
                                      codes(rules_of_gate(catalogue, gate->name))};
    if (listing.release) cells.emplace_back(listing.release->gates.at(gate->name) ? "on" : "off");
    out += markdown_row(cells);
  }
  return out;
}

}  // namespace nodebound::cli
