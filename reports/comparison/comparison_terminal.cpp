#include <algorithm>
#include <string_view>

#include "reports/comparison/comparison_writers.h"
#include "reports/page.h"
#include "reports/text.h"

namespace nodebound {
namespace {

using Change = ComparedRequest::Change;

// The number shown for each rule; --verbose and the files have the rest.
constexpr std::size_t most_requests = 3;
constexpr std::size_t most_reasons = 12;
constexpr std::size_t most_ids = 3;
constexpr std::size_t widest_body = 300;

void side(Page& page, std::string_view label, const Comparison::Side& side) {
  std::string gates;
  for (const std::string& gate : side.feature_gates) gates += ", " + gate;
  page.field(0, label, side.name);
  const std::string rules = counted(side.rules_in_force, "rule");
  page.field(0, "",
             (side.version == "v" + side.release
                  ? rules + " in force"
                  : "observed as " + side.version + ", " + rules + " of " + side.release + " in force") +
                 gates);
  for (const std::string& note : side.notes) page.field(0, "", note);
}

void rules(Page& page, Colour colour, std::string_view glyph, std::string_view title,
           const std::vector<RuleChange>& changes) {
  if (changes.empty()) return;
  page.heading(colour, glyph, std::string(title) + ": " + std::to_string(changes.size()));
  for (const RuleChange& change : changes) {
    page.paragraph(2, Colour::bold, change.id);
    page.paragraph(4, Colour::plain, change.statement);
    page.paragraph(4, Colour::dim, change.in_force);
    for (const std::string& why : change.why) page.paragraph(4, Colour::dim, why);
  }
}

void reworded_rules(Page& page, const std::vector<RuleChange>& changes) {
  if (changes.empty()) return;
  page.heading(Colour::yellow, "~", "Rules that refuse in other words: " + std::to_string(changes.size()));
  for (const RuleChange& change : changes) {
    page.paragraph(2, Colour::bold, change.id);
    page.field(4, "A", change.text_a);
    page.field(4, "B", change.text_b);
  }
}

// `[merge]`, `@admission`: other ways in which it was asked.
std::string other_ways(const RequestWays& ways) {
  std::string text;
  for (const ComparedRequest* request : ways.all) {
    if (request == ways.shown) continue;
    const std::size_t name = request->id.rfind('/');
    const std::size_t way = request->id.find_first_of("[@", name == std::string::npos ? 0 : name);
    text += (text.empty() ? "" : ", ") + (way == std::string::npos ? "the request itself" : request->id.substr(way));
  }
  return text;
}

void one_request(Page& page, const RequestWays& ways) {
  constexpr std::size_t indent = 6;
  const ComparedRequest& request = *ways.shown;
  page.paragraph(4, Colour::plain, request.scenario);
  page.field(indent, "check", request.id);
  page.field(indent, "and so", other_ways(ways));
  page.field(indent, "subject", request.subject);
  page.field(indent, "request", request.request);
  // Shows the request if it fits; a whole object is less clear than the check's id.
  if (page.verbose() || columns(request.body) <= widest_body) page.field(indent, "body", request.body);
  page.field(indent, "A", request.a.text());
  page.field(indent, "B", request.b.text());
  if (request.a.decision == "refused") page.field(indent, "A says", request.a.message);
  if (request.b.decision == "refused") page.field(indent, "B says", request.b.message);
  if (!request.deviation.empty()) page.field(indent, "known", "deviation " + request.deviation);
}

void requests(Page& page, const Comparison& comparison, Change change, Colour colour, std::string_view glyph,
              std::string_view title) {
  const std::size_t number = comparison.count(change);
  if (number == 0) return;
  page.heading(colour, glyph, std::string(title) + ": " + counted(number, "request") + ", by rule");
  for (const RuleRequests& rule : requests_by_rule(comparison, change)) {
    page.paragraph(2, Colour::bold, rule.rule + ": " + counted(rule.probes, "request"));
    const std::size_t shown = page.verbose() ? rule.requests.size() : std::min(rule.requests.size(), most_requests);
    std::size_t hidden = rule.probes;
    for (std::size_t i = 0; i < shown; ++i) {
      one_request(page, rule.requests[i]);
      hidden -= rule.requests[i].all.size();
    }
    if (hidden > 0) {
      page.paragraph(4, Colour::dim, "and " + std::to_string(hidden) + " more (--verbose, or --out DIR)");
    }
  }
}

void reasons(Page& page, const Comparison& comparison, Change change, std::string_view glyph, std::string_view title) {
  const std::size_t number = comparison.count(change);
  if (number == 0) return;
  page.heading(Colour::yellow, glyph, std::string(title) + ": " + counted(number, "request") + ", by reason");
  const std::vector<RequestsByReason> all = requests_by_reason(comparison, change);
  const std::size_t shown = page.verbose() ? all.size() : std::min(all.size(), most_reasons);
  std::size_t hidden = number;
  for (std::size_t i = 0; i < shown; ++i) {
    hidden -= all[i].requests.size();
    page.paragraph(2, Colour::plain, counted(all[i].requests.size(), "request") + ": " + all[i].reason);
    if (!page.verbose() && all[i].requests.size() > most_ids) continue;
    for (const ComparedRequest* request : all[i].requests) page.paragraph(4, Colour::dim, request->id);
  }
  if (hidden > 0) {
    page.paragraph(2, Colour::dim, "and " + counted(hidden, "request") + " more (--verbose, or --out DIR)");
  }
}

void outcome(Page& page, const Comparison& comparison) {
  page.blank();
  page.paragraph(0, Colour::plain, summary_line(comparison));
  const int code = exit_code(comparison);
  if (code == 4) return page.raw(page.paint(Colour::yellow, "- NOTHING RAN: no request was asked of both"));
  if (code == 3) return page.raw(page.paint(Colour::yellow, "? COULD NOT TELL: not every request got two decisions"));
  if (code == 1) {
    const bool known = std::ranges::all_of(comparison.changed, [](const ComparedRequest& request) {
      return !decides_otherwise(request.change) || !request.deviation.empty();
    });
    return page.raw(page.paint(
        Colour::red, std::string("✗ THEY DECIDE DIFFERENTLY") + (known ? ", by known deviations alone" : "")));
  }
  if (comparison.different() > 0) return;
  const bool whole = comparison.count(Change::only_a) + comparison.count(Change::only_b) == 0;
  page.raw(page.paint(Colour::green, whole ? "✓ THEY DECIDE ALIKE" : "✓ THEY DECIDE ALIKE what both were asked"));
}

}  // namespace

std::string to_terminal(const Comparison& comparison, const TerminalStyle& style) {
  Page page(style);
  side(page, "A", comparison.a);
  side(page, "B", comparison.b);
  rules(page, Colour::green, "+", "Rules that come into force", comparison.rules_in);
  rules(page, Colour::red, "-", "Rules no longer in force", comparison.rules_out);
  reworded_rules(page, comparison.rules_reworded);
  requests(page, comparison, Change::now_refused, Colour::red, "✗", "Now refused");
  requests(page, comparison, Change::now_allowed, Colour::green, "✓", "Now allowed");
  requests(page, comparison, Change::answered_otherwise, Colour::yellow, "~",
           "The same decision by another layer or with another status");
  if (page.verbose()) requests(page, comparison, Change::reworded, Colour::yellow, "~", "Refused in other words");
  reasons(page, comparison, Change::undecided, "?", "Without two decisions");
  reasons(page, comparison, Change::only_a, "-", "Asked of A only");
  reasons(page, comparison, Change::only_b, "-", "Asked of B only");
  outcome(page, comparison);
  return page.text();
}

}  // namespace nodebound
