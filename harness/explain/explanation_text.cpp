#include "harness/explain/explanation_text.h"

#include <algorithm>

#include "reference/release/source_link.h"
#include "reports/page.h"
#include "reports/text.h"

namespace nodebound::explain {
namespace {

constexpr std::size_t misses_shown = 8;

std::string capitalized(std::string text) {
  text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string word_for(const ReferenceAnswer& answer) {
  return answer.allowed ? "allowed" : "refused";
}

Colour colour_of(const ReferenceAnswer& answer) {
  return answer.allowed ? Colour::green : Colour::red;
}

std::string glyph_of(const ReferenceAnswer& answer) {
  return answer.allowed ? "✓" : "✗";
}

void add_question(Page& page, const Question& question, const RuleSet& rules, const std::string& cluster) {
  page.field(2, "asked", question.line);
  if (question.reviewed) {
    page.field(2, "sent", "nothing: no request is like that; authorizers are asked it, as in a SubjectAccessReview");
  } else if (question.attributes.resource_request) {
    page.field(2, "sent", question.method + " " + question.target);
  }
  page.field(2, "as", question.subject.name + " [" + comma_separated(question.subject.groups) + "]");
  const std::vector<std::string> gates = rules.release().changed_gates();
  page.field(2, "release", rules.release().version.text() + (gates.empty() ? "" : " with " + comma_separated(gates)));
  page.field(2, "cluster",
             cluster.empty() ? "empty but for the bootstrap roles: give its objects with --cluster"
                             : counted(question.given.count, "object") + " of " + cluster);
}

void add_rule(Page& page, const ReferenceAnswer& answer, const RuleSet& rules) {
  const RuleEntry& entry = rules.catalogue()[answer.rule];
  const std::string absent = " (not in force at " + rules.release().version.text() + ")";
  page.field(2, "rule", entry.id + (answer.rule_in_force ? "" : absent));
  page.field(2, "", entry.statement);
  page.field(2, "source", comma_separated(entry.source));
  const Version at = read_at(entry, rules.release().version);
  for (const std::string& source : entry.source)
    page.raw("            " + page.paint(Colour::dim, link_of(source, at)));
}

std::string not_asked(const ReferenceAnswer& answer) {
  const std::vector<std::string>& plugins = answer.plugins_not_asked;
  if (plugins.empty()) return {};
  return comma_separated(plugins) + (plugins.size() == 1 ? ", which is" : ", which are") +
         " on by default and may still refuse it";
}

void add_gaps(Page& page, const std::vector<Gap>& gaps) {
  if (gaps.empty()) return;
  page.heading(Colour::plain, "-", "What is missing from what was given");
  std::string last;
  for (const Gap& gap : gaps) {
    page.paragraph(2, Colour::plain, gap.what);
    if (gap.command != last) page.raw("    " + page.paint(Colour::bold, printable(gap.command)));
    last = gap.command;
  }
}

void add_decision(Page& page, const Explanation& explanation) {
  const ReferenceAnswer& answer = explanation.answer;
  const RuleSet& rules = explanation.rules;
  const bool certain = explanation.certain();
  page.heading(certain ? colour_of(answer) : Colour::yellow, certain ? glyph_of(answer) : "?",
               capitalized(headline(explanation)));
  if (!answer.allowed) page.field(2, "status", "HTTP " + std::to_string(answer.status));
  page.field(2, "reason", answer.reason.empty() && !answer.allowed ? "(none is given)" : answer.reason);
  add_rule(page, answer, rules);
  page.field(2, "note", answer.why_not_admission);
  page.field(2, "not asked", not_asked(answer));
  for (const std::string& advice : explanation.advice) page.field(2, "advice", advice);
}

void add_authorizers(Page& page, const ReferenceAnswer& answer, const RuleSet& rules) {
  if (answer.opinions.empty()) return;
  page.heading(Colour::plain, "-", "Authorizers, in the order in which they were asked");
  for (const Opinion& opinion : answer.opinions) {
    const Decision& decision = opinion.decision;
    const std::string reason = decision.reason.empty() ? "" : ": " + decision.reason;
    page.field(2, opinion.authorizer,
               (decision.allowed() ? "allows it, " : "does not allow it, ") +
                   rules.catalogue()[decision.rule.value()].id + reason);
  }
}

void add_steps(Page& page, const Tie& tie, const Catalogue& catalogue) {
  std::vector<std::string> objects;
  std::size_t width = 0;
  for (std::size_t i = 1; i <= tie.path.size(); ++i) {
    objects.push_back(printable(i < tie.path.size() ? described(tie.path[i]) : "node " + tie.node));
    width = std::max(width, columns(objects.back()));
  }
  page.raw("  " + printable(described(tie.from)));
  for (std::size_t i = 0; i < tie.path.size(); ++i) {
    const Rule edge = tie.path[i].edge;
    page.raw("    <- " + pad_right(objects[i], width) + "  " + field_of(catalogue, edge) + "  " +
             page.paint(Colour::dim, "(" + catalogue[edge].id + ")"));
  }
}

void add_path(Page& page, const Tie& tie, const RuleSet& rules) {
  const std::string ends = " from " + described(tie.from) + " to node " + tie.node;
  if (!tie.path.empty()) {
    page.heading(Colour::plain, "-", "The path" + ends);
    add_steps(page, tie, rules.catalogue());
    return;
  }
  page.heading(Colour::plain, "-", "No path" + ends);
  const std::size_t shown = std::min(tie.misses.size(), misses_shown);
  for (std::size_t i = 0; i < shown; ++i) page.paragraph(2, Colour::plain, described(tie.misses[i], rules));
  if (tie.misses.size() > shown) {
    page.paragraph(2, Colour::dim, "and " + std::to_string(tie.misses.size() - shown) + " more");
  }
  // The decision does not depend on the object itself, but its name may be mistyped.
  const bool unnamed = !tie.misses.empty() && tie.misses.front().cause == NearMiss::Cause::unnamed;
  if (unnamed && !tie.given)
    page.paragraph(2, Colour::plain, "There is no such object in the cluster that was given, either.");
}

void add_releases(Page& page, const std::vector<AnswerSpan>& ranges, const Catalogue& catalogue) {
  if (ranges.size() == 1 && ranges.front().reasons.empty()) {
    page.heading(Colour::plain, "-", "The same answer in every release, " + ranges.front().text());
    return;
  }
  page.heading(Colour::plain, "-", "The answer by release");
  std::size_t width = 0;
  for (const AnswerSpan& range : ranges) width = std::max(width, columns(range.text()));
  for (const AnswerSpan& range : ranges) {
    const std::string line =
        pad_right(range.text(), width) + "  " + page.paint(colour_of(range.answer), word_for(range.answer)) + "  " +
        catalogue[range.answer.rule].id + (range.answer.rule_in_force ? "" : ", which is not in force");
    page.raw((range.asked ? page.paint(Colour::bold, "> ") : "  ") + line);
    for (const auto& [since, text] : range.reasons) {
      page.paragraph(width + 4, Colour::dim,
                     "from " + since.text() + ": " + (text.empty() ? "no reason is given" : text));
    }
  }
}

}  // namespace

std::string to_text(const Explanation& explanation, const Question& question, const std::string& cluster,
                    const TerminalStyle& style) {
  Page page(style);
  const RuleSet& rules = explanation.rules;
  add_question(page, question, rules, cluster);
  add_decision(page, explanation);
  add_gaps(page, explanation.gaps);
  add_authorizers(page, explanation.answer, rules);
  if (explanation.tie) add_path(page, *explanation.tie, rules);
  add_releases(page, explanation.releases, rules.catalogue());
  return page.text();
}

}  // namespace nodebound::explain
