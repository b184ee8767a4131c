#include "reports/changes/changes_writers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "reports/json_object.h"
#include "reports/markdown.h"
#include "reports/page.h"
#include "reports/text.h"

namespace nodebound {
namespace {

constexpr std::size_t most_changes_shown = 50;
constexpr std::size_t longest_reason = 300;

std::string milliseconds(double seconds) {
  constexpr double longest = 1e6;
  const double bounded = std::isfinite(seconds) ? std::clamp(seconds, 0.0, longest) : 0.0;
  std::array<char, 32> out{};
  std::snprintf(out.data(), out.size(), "%.2f ms", bounded * 1000);
  return out.data();
}

std::string told_side(const RunChanges::Side& side) {
  return side.target + " (" + (side.version.empty() ? "version unknown" : side.version) + "), judged as " +
         side.release;
}

/// `pass → fail`
std::string verdicts_of(const CheckChange& change) {
  return (change.before.empty() ? "not there" : change.before) + " → " +
         (change.after.empty() ? "not there" : change.after);
}

void tell_changes(Page& page, const RunChanges& changes, CheckChange::Kind kind) {
  const auto found = changes.of(kind);
  if (found.empty()) return;
  const bool bad = kind == CheckChange::Kind::newly_failing || kind == CheckChange::Kind::still_failing;
  const bool good = kind == CheckChange::Kind::newly_passing;
  page.heading(bad    ? Colour::red
               : good ? Colour::green
                      : Colour::yellow,
               bad    ? "✗"
               : good ? "✓"
                      : "~",
               std::string(title_of(kind)) + ": " + counted(found.size(), "check"));
  const std::size_t shown = page.verbose() ? found.size() : std::min<std::size_t>(found.size(), 20);
  for (std::size_t i = 0; i < shown; ++i) {
    page.paragraph(2, Colour::plain, found[i]->id);
    if (kind == CheckChange::Kind::gone || kind == CheckChange::Kind::added) continue;
    page.field(4, "rule", found[i]->rule);
    page.field(4, "verdict", verdicts_of(*found[i]));
    page.field(4, "why", found[i]->why);
  }
  if (shown < found.size()) page.paragraph(2, Colour::dim, "and " + std::to_string(found.size() - shown) + " more");
}

nlohmann::ordered_json changes_side(const RunChanges::Side& side) {
  nlohmann::ordered_json out;
  out["target"] = side.target;
  out["version"] = side.version;
  out["release"] = side.release;
  out["requests"] = side.requests;
  out["request_seconds"] = std::isfinite(side.request_seconds) ? std::max(side.request_seconds, 0.0) : 0.0;
  return out;
}

}  // namespace

const char* title_of(CheckChange::Kind kind) {
  switch (kind) {
    case CheckChange::Kind::newly_failing:
      return "Newly failing";
    case CheckChange::Kind::newly_passing:
      return "Newly passing";
    case CheckChange::Kind::undecided:
      return "Cannot be told any more";
    case CheckChange::Kind::no_longer_asked:
      return "No longer asked";
    case CheckChange::Kind::gone:
      return "Gone";
    case CheckChange::Kind::added:
      return "New";
    case CheckChange::Kind::otherwise:
      return "Another verdict";
    case CheckChange::Kind::still_failing:
      return "Still failing";
  }
  return "Another verdict";
}

std::string verdict_line(const RunChanges& changes) {
  switch (exit_code(changes)) {
    case 1:
      return "WORSE: " + counted(changes.count(CheckChange::Kind::newly_failing), "check") + " newly failing";
    case 3:
      return "CANNOT TELL: " + counted(changes.count(CheckChange::Kind::undecided), "check") +
             " could be judged before";
    case 4:
      return "NOTHING TO COMPARE: no check is in both reports";
    default:
      return "NOTHING FAILS THAT DID NOT BEFORE";
  }
}

std::string pace_of(const RunChanges& changes) {
  if (changes.before.requests == 0 || changes.after.requests == 0) return {};
  return "A request took " + milliseconds(changes.before.seconds_each()) + " before and " +
         milliseconds(changes.after.seconds_each()) + " after, on average";
}

std::string to_terminal(const RunChanges& changes, const TerminalStyle& style) {
  Page page(style);
  page.field(0, "before", told_side(changes.before));
  page.field(0, "after", told_side(changes.after));
  for (const CheckChange::Kind kind : all_check_changes) tell_changes(page, changes, kind);
  page.blank();
  page.paragraph(0, Colour::plain, counted(changes.same, "check") + " as before");
  page.paragraph(0, Colour::plain, pace_of(changes));
  const int code = exit_code(changes);
  page.raw(page.paint(code == 0 ? Colour::green : code == 1 ? Colour::red : Colour::yellow, verdict_line(changes)));
  return page.text();
}

std::string to_json(const RunChanges& changes) {
  nlohmann::ordered_json out;
  out["schema"] = changes_schema;
  out["exit_code"] = exit_code(changes);
  out["before"] = changes_side(changes.before);
  out["after"] = changes_side(changes.after);
  out["summary"]["same"] = changes.same;
  for (const CheckChange::Kind kind : all_check_changes) out["summary"][to_string(kind)] = changes.count(kind);
  out["changes"] = nlohmann::ordered_json::array();
  for (const CheckChange& change : changes.changes) {
    nlohmann::ordered_json each;
    each["change"] = to_string(change.kind);
    each["id"] = change.id;
    put_unless_empty(each, "rule", change.rule);
    each["where"] = change.where;
    put_unless_empty(each, "before", change.before);
    put_unless_empty(each, "after", change.after);
    put_unless_empty(each, "why", change.why);
    out["changes"].push_back(std::move(each));
  }
  return json_text(out);
}

std::string to_markdown(const RunChanges& changes) {
  std::string out = "## Nodebound: " + markdown_text(verdict_line(changes)) +
                    "\n\n- before: " + markdown_text(told_side(changes.before)) +
                    "\n- after: " + markdown_text(told_side(changes.after)) + "\n- " + counted(changes.same, "check") +
                    " as before\n";
  if (const std::string pace = pace_of(changes); !pace.empty()) out += "- " + pace + "\n";
  for (const CheckChange::Kind kind : all_check_changes) {
    const auto found = changes.of(kind);
    if (found.empty()) continue;
    out += std::string("\n### ") + title_of(kind) + " (" + std::to_string(found.size()) + ")\n\n" +
           markdown_head({"check", "rule", "verdict", "why"});
    for (std::size_t i = 0; i < std::min(found.size(), most_changes_shown); ++i) {
      const CheckChange& change = *found[i];
      out += markdown_row({markdown_code(clip(change.id, longest_reason)), markdown_code(change.rule),
                           verdicts_of(change), markdown_text(clip(printable(change.why), longest_reason))});
    }
    if (found.size() > most_changes_shown) {
      out += "\nand " + std::to_string(found.size() - most_changes_shown) + " more\n";
    }
  }
  return out;
}

}  // namespace nodebound
