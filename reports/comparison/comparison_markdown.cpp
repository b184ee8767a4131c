#include "reports/comparison/comparison_writers.h"
#include "reports/markdown.h"
#include "reports/text.h"

namespace nodebound {
namespace {

using Change = ComparedRequest::Change;

std::string joined(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : ", ") + markdown_code(item);
  return out;
}

std::string sides(const Comparison& comparison) {
  const auto row = [](const char* label, const Comparison::Side& side) {
    std::string notes;
    for (const std::string& note : side.notes) notes += (notes.empty() ? "" : "; ") + markdown_text(note);
    return markdown_row({label, markdown_code(side.name), markdown_text(side.version), markdown_text(side.release),
                         std::to_string(side.rules_in_force), joined(side.feature_gates), notes});
  };
  return markdown_head({"", "target", "observed as", "rules of", "in force", "feature gates", "notes"}) +
         row("A", comparison.a) + row("B", comparison.b);
}

std::string rule_table(const char* title, const std::vector<RuleChange>& rules) {
  if (rules.empty()) return {};
  std::string out = std::string("\n## ") + title + " (" + std::to_string(rules.size()) + ")\n\n" +
                    markdown_head({"rule", "effect", "what it says", "in force"});
  for (const RuleChange& rule : rules) {
    std::string in_force = markdown_text(rule.in_force);
    for (const std::string& why : rule.why) in_force += "; " + markdown_text(why);
    out += markdown_row({markdown_code(rule.id), rule.effect, markdown_text(rule.statement), in_force});
  }
  return out;
}

std::string reworded_table(const std::vector<RuleChange>& rules) {
  if (rules.empty()) return {};
  std::string out = "\n## Rules that refuse in other words (" + std::to_string(rules.size()) + ")\n\n" +
                    markdown_head({"rule", "A says", "B says"});
  for (const RuleChange& rule : rules) {
    out += markdown_row({markdown_code(rule.id), markdown_code(rule.text_a), markdown_code(rule.text_b)});
  }
  return out;
}

std::string answer_cell(const ObservedAnswer& answer) {
  const std::string message = answer.decision == "refused" ? markdown_code(answer.message) : std::string();
  return markdown_text(answer.text()) + (message.empty() ? "" : "<br>" + message);
}

std::string request_table(const Comparison& comparison, Change change, const char* title) {
  const std::size_t number = comparison.count(change);
  if (number == 0) return {};
  std::string out = std::string("\n## ") + title + " (" + counted(number, "request") + ")\n";
  for (const RuleRequests& rule : requests_by_rule(comparison, change)) {
    out += "\n### " + markdown_code(rule.rule) + " (" + counted(rule.probes, "request") + ")\n\n" +
           markdown_head({"scenario and checks", "subject and request", "A", "B"});
    for (const RequestWays& ways : rule.requests) {
      const ComparedRequest& shown = *ways.shown;
      std::string checks = markdown_text(shown.scenario);
      for (const ComparedRequest* request : ways.all) checks += "<br>" + markdown_code(request->id);
      if (!shown.deviation.empty()) checks += "<br>known deviation " + markdown_code(shown.deviation);
      out += markdown_row({checks, markdown_code(shown.subject) + "<br>" + markdown_code(shown.request),
                           answer_cell(shown.a), answer_cell(shown.b)});
    }
  }
  return out;
}

std::string reason_list(const Comparison& comparison, Change change, const char* title) {
  const std::size_t number = comparison.count(change);
  if (number == 0) return {};
  std::string out = std::string("\n## ") + title + " (" + counted(number, "request") + ")\n\n";
  for (const RequestsByReason& group : requests_by_reason(comparison, change)) {
    out += "* " + counted(group.requests.size(), "request") + ": " + markdown_text(group.reason) + "\n";
  }
  return out;
}

}  // namespace

std::string to_markdown(const Comparison& comparison) {
  std::string out = "# " + markdown_text(comparison.a.name) + " → " + markdown_text(comparison.b.name) + "\n\n" +
                    markdown_text(summary_line(comparison)) + ".\n\n";
  out += sides(comparison);
  out += rule_table("Rules that come into force", comparison.rules_in);
  out += rule_table("Rules no longer in force", comparison.rules_out);
  out += reworded_table(comparison.rules_reworded);
  out += request_table(comparison, Change::now_refused, "Now refused");
  out += request_table(comparison, Change::now_allowed, "Now allowed");
  out += request_table(comparison, Change::answered_otherwise,
                       "The same decision by another layer or with another status");
  out += request_table(comparison, Change::reworded, "Refused in other words");
  out += reason_list(comparison, Change::undecided, "Without two decisions");
  out += reason_list(comparison, Change::only_a, "Asked of A only");
  out += reason_list(comparison, Change::only_b, "Asked of B only");
  return out;
}

}  // namespace nodebound
