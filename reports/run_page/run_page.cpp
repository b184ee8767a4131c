#include "reports/run_page/run_page.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "reference/encoding/base64.h"
#include "reports/html.h"
#include "reports/run/chain.h"
#include "reports/run/check_groups.h"
#include "reports/run/repeat.h"
#include "reports/text.h"

namespace nodebound::data {
std::string_view run_page_css_text();
std::string_view run_page_js_text();
std::string_view run_page_js_digest();
}  // namespace nodebound::data

namespace nodebound {
namespace {

/// A page with more is too heavy for a phone; `report.json` has the rest.
constexpr std::size_t most_told_checks = 500;
constexpr std::size_t most_listed_checks = 50'000;

using RuleNotes = std::unordered_map<std::string, const RuleNote*>;

std::string policy() {
  // Only the page's own script runs: the one with this digest.
  return "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" +
         base64_encode(data::run_page_js_digest()) + "'; base-uri 'none'; form-action 'none'";
}

std::string run_page_head(const Report& report) {
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"" +
         policy() +
         "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n<title>" +
         html_text(verdict_line(report) + ": " + clip(printable(report.target.name), 100)) + "</title>\n<style>\n" +
         std::string(data::run_page_css_text()) + "</style>\n</head>\n";
}

std::string fact(const char* name, const std::string& value) {
  if (value.empty()) return {};
  return std::string("<dt>") + name + "</dt><dd>" + value + "</dd>\n";
}

std::string html_code(const std::string& text) {
  return text.empty() ? text : html_element("code", "", html_text(text));
}

std::string facts_of_run(const Report& report) {
  std::string out;
  out += fact("Target", html_code(report.target.name));
  out += fact("Observed", html_text(report.target.version.empty() ? "version unknown" : report.target.version));
  out += fact("Judged as",
              html_text(report.release.version + ", " + counted(report.release.rules_in_force, "rule") + " in force"));
  out += fact("Feature gates", html_text(comma_separated(report.release.feature_gates)));
  if (report.target.is_authorizer) out += fact("In a chain", html_text(in_words(chain_fitness(report.checks))));
  if (report.reason_differences() > 0) {
    out += fact("In other words", html_text(counted(report.reason_differences(), "refusal")));
  }
  return "<dl class=\"facts\">\n" + out + "</dl>\n";
}

std::string verdict_tiles(const Report& report) {
  std::string out;
  for (const Verdict verdict : all_verdicts) {
    out += std::string("<div><dt>") + to_string(verdict) + "</dt><dd>" + grouped_digits(report.count(verdict)) +
           "</dd></div>\n";
  }
  return "<dl class=\"tiles\">\n" + out + "</dl>\n";
}

/// Hidden until the script is there that it needs.
std::string filter_form() {
  std::string boxes;
  for (const Verdict verdict : all_verdicts) {
    const std::string name = to_string(verdict);
    boxes += "<label><input type=\"checkbox\" value=\"" + name + "\" checked> " + name + "</label>\n";
  }
  return "<form id=\"filter\" role=\"search\" hidden>\n<label for=\"search\">Search <span class=\"quiet\">(press /)"
         "</span></label>\n<input id=\"search\" type=\"search\" autocomplete=\"off\" spellcheck=\"false\">\n"
         "<fieldset><legend>Verdicts</legend>\n" +
         boxes + "</fieldset>\n<output id=\"told\" for=\"search\"></output>\n</form>\n";
}

std::string told_check(const Report& report, const CheckResult& check) {
  const Evidence& evidence = check.evidence;
  const std::string verdict = to_string(check.verdict);
  std::string facts = fact("Verdict", html_element("span", "word " + verdict, verdict));
  facts += fact("Expected", html_text(check.expected));
  facts += fact("Observed", html_text(check.observed));
  facts += fact("Why", html_text(check.why));
  facts += fact(check.declared ? "Declared as" : "Known as", html_text(check.deviation));
  facts += fact("Leaked", html_text(comma_separated(check.leaked)));
  facts += fact("Rules", html_code(comma_separated(check.rules)));
  facts += fact("Subject", html_code(evidence.subject));
  facts += fact("Request", html_code(evidence.request));
  facts += fact("Body", html_code(evidence.body));
  facts += fact("Message", html_code(evidence.message));
  facts += fact("Where", html_code(check.where));
  facts += fact("Again", "<pre><code>" + html_text(command_to_repeat(report, check)) + "</code></pre>");
  return "<article class=\"check " + verdict + "\" data-verdict=\"" + verdict + "\" data-check>\n<h3>" +
         html_text(check.id) + "</h3>\n<dl class=\"facts\">\n" + facts + "</dl>\n</article>\n";
}

std::string told_checks(const Report& report, Verdict verdict, const char* title, const CheckKey& key) {
  const auto groups = grouped_checks(report, verdict, key);
  if (groups.empty()) return {};
  const std::vector<std::size_t> shown = fair_shares(groups, most_told_checks);
  std::string out = std::string("<h2>") + title + "</h2>\n";
  std::size_t hidden = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    hidden += groups[i].checks.size() - shown[i];
    for (std::size_t n = 0; n < shown[i]; ++n) out += told_check(report, *groups[i].checks[n]);
  }
  if (hidden > 0) out += html_element("p", "quiet", "and " + std::to_string(hidden) + " more in report.json") + "\n";
  return out;
}

std::string skips_table(const Report& report) {
  auto groups = grouped_checks(report, Verdict::skip, reason_of_verdict);
  if (groups.empty()) return {};
  sort_by_size(groups);
  std::string rows;
  for (std::size_t i = 0; i < std::min(groups.size(), most_told_checks); ++i) {
    rows += "<tr><td class=\"number\">" + grouped_digits(groups[i].checks.size()) + "</td><td>" +
            html_text(groups[i].key) + "</td></tr>\n";
  }
  return "<h2>Skipped, by reason</h2>\n<table>\n<thead><tr><th scope=\"col\" class=\"number\">Checks</th>"
         "<th scope=\"col\">Why</th></tr></thead>\n<tbody>\n" +
         rows + "</tbody>\n</table>\n";
}

std::string verdicts_of_rule(const std::string& id, const RuleNotes& notes,
                             const std::map<Verdict, std::size_t>& counts) {
  const auto note = notes.find(id);
  std::string verdicts;
  std::string cells;
  for (const Verdict verdict : all_verdicts) {
    const auto found = counts.find(verdict);
    const std::size_t count = found == counts.end() ? 0 : found->second;
    if (count > 0) verdicts += (verdicts.empty() ? "" : " ") + std::string(to_string(verdict));
    cells += "<td class=\"number\">" + (count == 0 ? std::string("·") : grouped_digits(count)) + "</td>";
  }
  return "<tr data-verdict=\"" + verdicts + "\"><th scope=\"row\"><code>" + html_text(id) + "</code>" +
         (note == notes.end() ? "" : "<br>" + html_element("span", "quiet", html_text(note->second->statement))) +
         "</th>" + cells + "</tr>\n";
}

std::string rules_table(const Report& report, const std::vector<RuleNote>& rules) {
  RuleNotes notes;
  for (const RuleNote& note : rules) notes.try_emplace(note.id, &note);
  std::map<std::string, std::map<Verdict, std::size_t>> counts;
  for (const CheckResult& check : report.checks) {
    for (const std::string& rule : check.rules) ++counts[rule][check.verdict];
  }
  if (counts.empty()) return {};
  std::string head;
  for (const Verdict verdict : all_verdicts) {
    head += std::string("<th scope=\"col\" class=\"number\">") + to_string(verdict) + "</th>";
  }
  std::string rows;
  for (const auto& [id, of_rule] : counts) rows += verdicts_of_rule(id, notes, of_rule);
  return "<h2>Rules by verdict</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Rules by "
         "verdict\">\n<table>\n<thead><tr><th scope=\"col\">Rule</th>" +
         head + "</tr></thead>\n<tbody>\n" + rows + "</tbody>\n</table>\n</div>\n";
}

std::string listed_check(const CheckResult& check) {
  const std::string verdict = to_string(check.verdict);
  return "<li data-verdict=\"" + verdict + "\" data-check>" + html_element("span", "word " + verdict, verdict) + " " +
         html_text(check.id) + "</li>\n";
}

/// Those that are told in full are not listed again.
std::string scenario_lists(const Report& report) {
  const auto is_listed = [](const CheckResult& check) {
    return check.verdict == Verdict::pass || check.verdict == Verdict::skip;
  };
  const auto groups = grouped_checks(report, is_listed, [](const CheckResult& check) { return check.scenario; });
  if (groups.empty()) return {};
  std::string out = "<h2>Passed and skipped, by scenario</h2>\n";
  std::size_t left = most_listed_checks;
  for (const CheckGroup& group : groups) {
    out += "<details class=\"scenario\" data-group>\n<summary>" + html_text(group.key) + " " +
           html_element("span", "quiet", counted(group.checks.size(), "check")) + "</summary>\n<ul>\n";
    for (const CheckResult* check : group.checks) {
      if (left == 0) break;
      --left;
      out += listed_check(*check);
    }
    out += "</ul>\n</details>\n";
  }
  if (left == 0) out += html_element("p", "quiet", "The rest is in report.json.") + "\n";
  return out;
}

std::string origin_of(const Report& report) {
  std::string text = "Nodebound " + report.run.tool_version;
  if (!report.run.started.empty()) text += " · started " + report.run.started;
  if (!report.run.host.empty()) text += " on " + report.run.host;
  return "<footer>" + html_text(text) + " · " + counted(report.run.requests, "request") + "</footer>\n";
}

}  // namespace

std::string to_html(const Report& report, const std::vector<RuleNote>& rules) {
  const int result = exit_code(report);
  const std::string kind = result == 0 ? "pass" : result == 1 ? "fail" : "other";
  std::string out = run_page_head(report) + "<body>\n<a class=\"skip-link\" href=\"#checks\">To the checks</a>\n";
  out += "<header>\n<h1>Nodebound report</h1>\n" +
         html_element("p", "verdict " + kind, html_text(verdict_line(report))) + "\n" + verdict_tiles(report) +
         facts_of_run(report) + "</header>\n<main id=\"checks\">\n" + filter_form();
  out += told_checks(report, Verdict::fail, "Failed", deciding_rule);
  out += told_checks(report, Verdict::inconclusive, "Inconclusive", reason_of_verdict);
  out += told_checks(report, Verdict::deviation, report.declared.empty() ? "Known deviations" : "Deviations",
                     [](const CheckResult& check) {
                       return (check.declared ? "declared by the implementer: " : "") + check.deviation;
                     });
  out += skips_table(report) + rules_table(report, rules) + scenario_lists(report);
  return out + "</main>\n" + origin_of(report) + "<script>" + std::string(data::run_page_js_text()) +
         "</script>\n</body>\n</html>\n";
}

}  // namespace nodebound
