#include "harness/cli/site/site_page.h"
#include "harness/cli/site/site_writers.h"
#include "reference/release/minors.h"
#include "reference/release/source_link.h"
#include "reports/html.h"

namespace nodebound::cli {
namespace {

std::string term(const std::string& name, const std::string& content) {
  return content.empty() ? "" : "<dt>" + name + "</dt><dd>" + content + "</dd>\n";
}

std::string refusals_of(const RuleEntry& rule) {
  std::string out;
  for (const auto& [since, text] : rule.refusal) {
    const std::string begin = beginning_of(since);
    const std::string from = begin.empty() ? "" : " <span class=\"dim\">since " + begin + "</span>";
    out += "<div>" + site_code(text.pattern()) + from + "</div>";
  }
  return out;
}

std::string sources_of(const RuleEntry& rule, const Version& newest) {
  std::string out;
  for (const std::string& source : rule.source) {
    out += "<div>" + site_link(link_of(source, read_at(rule, newest)), source) + "</div>";
  }
  return out;
}

std::string bar_of(const SiteRule& rule, const SiteModel& model) {
  std::string out = "<ul class=\"bar\" aria-label=\"By release\">";
  for (std::size_t at = 0; at < model.minors.size(); ++at) {
    const Standing standing = rule.at[at];
    const char* const kind = standing == Standing::in_force ? "in" : standing == Standing::behind_gate ? "gate" : "out";
    const char* const meaning = standing == Standing::in_force      ? "in force"
                                : standing == Standing::behind_gate ? "behind a gate that is off"
                                                                    : "not in force";
    out +=
        "<li class=\"" + std::string(kind) + "\" title=\"" + meaning + "\">" + model.minors[at].minor_text() + "</li>";
  }
  return out + "</ul><p class=\"dim\">Marked: in force. Dashed: behind a feature gate that is off by default.</p>\n";
}

std::string encounters_of(const SiteRule& rule) {
  if (rule.encounters.empty()) return {};
  std::string out = site_heading("Who was hit by it") + "<ul class=\"list\">\n";
  for (const Encounter* one : rule.encounters) {
    out += "<li>" + html_text(one->what);
    for (const std::string& where : one->where) out += " " + site_link(address_of(where), where);
    out += "</li>\n";
  }
  return out + "</ul>\n";
}

std::string deviations_of(const SiteRule& rule, const SiteModel& model) {
  std::string out;
  for (const Deviation& each : model.catalogue->deviations()) {
    if (each.rule != rule.entry->id) continue;
    out +=
        "<li>" + html_text(each.statement) + " <span class=\"dim\">" + html_text(each.range.text()) + "</span></li>\n";
  }
  return out.empty() ? out : site_heading("Known defects of releases") + "<ul class=\"list\">\n" + out + "</ul>\n";
}

std::string scenarios_of(const SiteRule& rule) {
  if (rule.uses.empty()) return "<p>No scenario exercises it.</p>\n";
  std::string out = site_heading("Scenarios that exercise it") + "<ul class=\"list\">\n";
  for (const RuleUse& use : rule.uses) {
    out += "<li>" + site_code(use.scenario->id) + " " + html_text(use.scenario->title) + " <span class=\"dim\">" +
           std::to_string(use.permits.size()) + " allowed, " + std::to_string(use.refuses.size()) +
           " refused</span></li>\n";
  }
  return out + "</ul>\n";
}

std::string content_of(const SiteRule& rule, const SiteModel& model) {
  const RuleEntry& entry = *rule.entry;
  std::string out = "<h1>" + html_text(entry.id) + "</h1>\n<p>" + html_text(entry.statement) + "</p>\n<dl>\n";
  out += term("in force", html_text(rule.history));
  out += term("group", html_text(entry.title));
  out += term("decided by", std::string(to_string(entry.layer)) +
                                (entry.plugin.empty() ? "" : ", plugin " + html_text(entry.plugin)));
  out += term("effect", std::string(to_string(entry.effect)) +
                            (entry.effect == Effect::restriction ? ", HTTP " + std::to_string(entry.status) : ""));
  out += term("refusal", refusals_of(entry));
  out += term("what to do", html_text(rule.advice));
  out += term("source", sources_of(entry, model.minors.back()));
  out += term("why no request meets it", html_text(entry.unreachable));
  return out + "</dl>\n" + bar_of(rule, model) + deviations_of(rule, model) + encounters_of(rule) + scenarios_of(rule);
}

std::string list_of(const SiteModel& model) {
  std::string out =
      "<h1>Rules</h1>\n<p>" + std::to_string(model.rules.size()) +
      " statements about what a node may do, and who decides.</p>\n<p><label for=\"filter\">Filter</label>"
      "<input id=\"filter\" type=\"search\" autocomplete=\"off\"></p>\n";
  std::string group;
  for (const SiteRule& rule : model.rules) {
    if (rule.entry->title != group) {
      out += (group.empty() ? "" : "</ul></section>\n");
      group = rule.entry->title;
      out += "<section data-group>" + site_heading(group) + "<ul class=\"list\">\n";
    }
    out += "<li data-rule>" + site_link("rules/" + rule.entry->id + ".html", rule.entry->id) + " " +
           html_text(rule.entry->statement) + " <span class=\"dim\">" + html_text(rule.history) + "</span></li>\n";
  }
  return out + "</ul></section>\n";
}

}  // namespace

void add_rule_pages(SiteFiles& files, const SiteModel& model) {
  files["rules.html"] = site_page({"Rules", "rules.html", "", {"filter.js"}}, list_of(model));
  for (const SiteRule& rule : model.rules) {
    files["rules/" + rule.entry->id + ".html"] =
        site_page({rule.entry->id, "rules.html", "../"}, content_of(rule, model));
  }
}

}  // namespace nodebound::cli
