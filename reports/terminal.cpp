#include "reports/terminal.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <string_view>

#include "reports/page.h"
#include "reports/run/chain.h"
#include "reports/run/check_groups.h"
#include "reports/text.h"

namespace nodebound {
namespace {

constexpr std::size_t most_shown = 20;
constexpr std::size_t widest_profile = 40;

void header(Page& page, const Report& report) {
  page.raw(page.paint(Colour::bold, printable("Nodebound " + report.run.tool_version)));
  page.field(0, "target", report.target.name);
  page.field(0, "observed", report.target.version.empty() ? "version unknown" : report.target.version);
  page.field(0, "judged as",
             report.release.version + ", " + counted(report.release.rules_in_force, "rule") + " in force");
  page.field(0, "gates", comma_separated(report.release.feature_gates));
}

struct Column {
  const char* title;
  std::optional<Verdict> verdict;  ///< empty: every check
  Colour colour;                   ///< of a number that is not 0
};

constexpr Column table_columns[] = {
    {"checks", std::nullopt, Colour::plain}, {"pass", Verdict::pass, Colour::green},
    {"fail", Verdict::fail, Colour::red},    {"deviation", Verdict::deviation, Colour::yellow},
    {"skip", Verdict::skip, Colour::yellow}, {"inconclusive", Verdict::inconclusive, Colour::yellow},
};

std::size_t count(const std::vector<const CheckResult*>& checks, const Column& column) {
  return static_cast<std::size_t>(std::ranges::count_if(
      checks, [&column](const CheckResult* check) { return !column.verdict || check->verdict == *column.verdict; }));
}

/// The width of each column; `all` has the largest numbers.
std::vector<std::size_t> column_widths(const std::vector<const CheckResult*>& all) {
  std::vector<std::size_t> out;
  for (const Column& column : table_columns) {
    out.push_back(std::max(columns(column.title), columns(std::to_string(count(all, column)))));
  }
  return out;
}

void table_row(Page& page, const std::string& name, std::size_t name_width, const std::vector<std::size_t>& widths,
               const std::vector<const CheckResult*>& checks) {
  std::string line = pad_right(clip(name, name_width), name_width);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const std::size_t number = count(checks, table_columns[i]);
    const Colour colour = number == 0 ? Colour::dim : table_columns[i].colour;
    line += "  " + page.paint(colour, pad_left(std::to_string(number), widths[i]));
  }
  page.raw(line);
}

void table(Page& page, const Report& report) {
  const auto every = [](const CheckResult&) { return true; };
  const auto profiles =
      grouped_checks(report, every, [](const CheckResult& check) { return printable(check.profile); });
  std::size_t name_width = columns("profile");
  for (const CheckGroup& profile : profiles) name_width = std::max(name_width, columns(profile.key));
  name_width = std::min(name_width, widest_profile);

  std::vector<const CheckResult*> all;
  all.reserve(report.checks.size());
  for (const CheckResult& check : report.checks) all.push_back(&check);
  const std::vector<std::size_t> widths = column_widths(all);

  std::string head = pad_right("profile", name_width);
  for (std::size_t i = 0; i < widths.size(); ++i) head += "  " + pad_left(table_columns[i].title, widths[i]);
  page.blank();
  page.raw(page.paint(Colour::bold, head));
  for (const CheckGroup& profile : profiles) table_row(page, profile.key, name_width, widths, profile.checks);
  if (profiles.size() > 1) table_row(page, "total", name_width, widths, all);
}

void one_check(Page& page, const CheckResult& check, const std::string& known) {
  constexpr std::size_t indent = 6;
  page.paragraph(4, Colour::plain, check.id);
  page.field(indent, "where", check.where);
  if (check.rules.size() > 1) page.field(indent, "rules", comma_separated(check.rules));
  page.field(indent, "expected", check.expected);
  page.field(indent, "observed", check.observed);
  if (check.why != known) page.field(indent, "why", check.why);
  page.field(indent, "subject", check.evidence.subject);
  page.field(indent, "request", check.evidence.request);
  if (page.verbose()) page.field(indent, "body", check.evidence.body);
  page.field(indent, "message", check.evidence.message);
}

std::size_t checks_in(const std::vector<CheckGroup>& groups) {
  std::size_t out = 0;
  for (const CheckGroup& group : groups) out += group.checks.size();
  return out;
}

void detailed(Page& page, const std::vector<CheckGroup>& groups) {
  const std::vector<std::size_t> shown = fair_shares(groups, page.verbose() ? checks_in(groups) : most_shown);
  std::size_t hidden = 0;
  std::size_t hidden_groups = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto& [key, checks] = groups[i];
    if (shown[i] == 0) {
      hidden += checks.size();
      ++hidden_groups;
      continue;
    }
    page.paragraph(2, Colour::bold, key + ": " + counted(checks.size(), "check"));
    for (std::size_t n = 0; n < shown[i]; ++n) one_check(page, *checks[n], key);
    const std::size_t more = checks.size() - shown[i];
    if (more > 0) page.paragraph(4, Colour::dim, "and " + std::to_string(more) + " more (see report.json)");
  }
  if (hidden > 0) {
    page.paragraph(2, Colour::dim,
                   "and " + std::to_string(hidden) + " more under " + counted(hidden_groups, "other heading") +
                       " (see report.json)");
  }
}

/// A line for each group, the largest first; the ids below it if verbose.
void listed(Page& page, std::vector<CheckGroup> groups) {
  sort_by_size(groups);
  const std::size_t shown = page.verbose() ? groups.size() : std::min(groups.size(), most_shown);
  for (std::size_t i = 0; i < shown; ++i) {
    page.paragraph(2, Colour::plain, counted(groups[i].checks.size(), "check") + ": " + groups[i].key);
    if (!page.verbose()) continue;
    for (const CheckResult* check : groups[i].checks) page.paragraph(4, Colour::dim, check->id);
  }
  std::size_t hidden = 0;
  for (std::size_t i = shown; i < groups.size(); ++i) hidden += groups[i].checks.size();
  if (hidden > 0) page.paragraph(2, Colour::dim, "and " + counted(hidden, "check") + " more (see report.json)");
}

void failures(Page& page, const Report& report) {
  const auto leaks = [](const CheckResult& check) { return !check.leaked.empty(); };
  const auto fails = [&](const CheckResult& check) { return check.verdict == Verdict::fail && !leaks(check); };
  if (std::ranges::any_of(report.checks, leaks)) {
    page.heading(Colour::red, "✗", "Leaks: the answer shows what was not asked for");
    detailed(page, grouped_checks(report, leaks, deciding_rule));
  }
  if (std::ranges::any_of(report.checks, fails)) {
    page.heading(Colour::red, "✗", "Failed, by the rule that should have decided");
    detailed(page, grouped_checks(report, fails, deciding_rule));
  }
}

void deviations(Page& page, const Report& report) {
  const auto text = [](const CheckResult& check) {
    return check.why.empty() ? check.deviation : check.deviation + ", " + check.why;
  };
  for (const bool declared : {false, true}) {
    const auto groups = grouped_checks(
        report,
        [&](const CheckResult& check) { return check.verdict == Verdict::deviation && check.declared == declared; },
        text);
    if (groups.empty()) continue;
    page.heading(Colour::yellow, "~",
                 declared ? "Declared deviations: wrong, and its implementer says so"
                          : "Known deviations: wrong, but upstream is too");
    listed(page, groups);
  }
}

void skips(Page& page, const Report& report) {
  if (report.count(Verdict::skip) == 0) return;
  page.heading(Colour::yellow, "-", "Skipped, by reason");
  listed(page, grouped_checks(report, Verdict::skip, reason_of_verdict));
}

void inconclusives(Page& page, const Report& report) {
  if (report.count(Verdict::inconclusive) == 0) return;
  page.heading(Colour::yellow, "?", "Inconclusive: the answer says neither allowed nor refused");
  detailed(page, grouped_checks(report, Verdict::inconclusive, reason_of_verdict));
}

void reason_differences(Page& page, const Report& report) {
  const std::size_t number = report.reason_differences();
  if (number == 0) return;
  page.blank();
  page.paragraph(0, Colour::plain,
                 counted(number, "refusal") + " worded otherwise than in the catalogue; no verdict depends on it");
  if (!page.verbose()) return;
  for (const CheckResult& check : report.checks) {
    if (!check.is_reworded()) continue;
    page.paragraph(4, Colour::plain, check.id);
    page.field(6, "expected", check.reason_expected);
    page.field(6, "message", check.evidence.message);
  }
}

void chain(Page& page, const Report& report) {
  if (!report.target.is_authorizer) return;
  page.blank();
  page.paragraph(0, Colour::plain, "In a chain of authorizers: " + in_words(chain_fitness(report.checks)));
}

/// `12 ms`, `1.5 s`
std::string short_time(double seconds) {
  std::array<char, 32> out{};
  if (seconds < 1) {
    std::snprintf(out.data(), out.size(), seconds < 0.01 ? "%.1f ms" : "%.0f ms", seconds * 1000);
  } else {
    std::snprintf(out.data(), out.size(), "%.1f s", seconds);
  }
  return out.data();
}

void settling(Page& page, const Report& report) {
  if (!report.run.settling) return;
  const Settling& times = *report.run.settling;
  page.paragraph(0, Colour::plain,
                 "It decides on a write after " + short_time(times.median_seconds) + " (median of " +
                     std::to_string(times.writes) + "), at worst after " + short_time(times.worst_seconds));
}

void verdict(Page& page, const Report& report) {
  const int code = exit_code(report);
  const bool declared = code == 0 && report.count_declared() > 0;
  const std::string_view glyph = declared ? "~ " : code == 0 ? "✓ " : code == 1 ? "✗ " : code == 3 ? "? " : "- ";
  const Colour colour = code == 1 ? Colour::red : code == 0 && !declared ? Colour::green : Colour::yellow;
  page.blank();
  page.raw(page.paint(colour, std::string(glyph) + verdict_line(report)));
}

}  // namespace

std::string to_terminal(const Report& report, const TerminalStyle& style) {
  Page page(style);
  header(page, report);
  if (!report.checks.empty()) table(page, report);
  failures(page, report);
  deviations(page, report);
  skips(page, report);
  inconclusives(page, report);
  reason_differences(page, report);
  chain(page, report);
  settling(page, report);
  verdict(page, report);
  return page.text();
}

}  // namespace nodebound
