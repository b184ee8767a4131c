#include <algorithm>

#include "reports/page.h"
#include "reports/replay/replay.h"
#include "reports/text.h"

namespace nodebound {
namespace {

using Kind = Replay::Finding::Outcome;

constexpr std::size_t most_groups_shown = 30;

std::string side_text(const Replay::Side& side) {
  return side.release + (side.gates.empty() ? "" : " (" + comma_separated(side.gates) + ")") +
         (side.without.empty() ? "" : " without " + comma_separated(side.without));
}

std::string who_text(const Replay::Finding& finding) {
  std::string out = finding.who;
  if (finding.who == "nodes") {
    out = counted(finding.subjects, "node") + (finding.more_subjects ? " or more" : "");
    if (!finding.pool.empty()) out += " of pool " + finding.pool;
  }
  return out + (finding.user_agent.empty() ? ", no user agent" : ", " + finding.user_agent);
}

void show(Page& page, const Replay::Finding& finding, bool new_rule) {
  constexpr std::size_t indent = 6;
  if (new_rule) {
    page.paragraph(2, Colour::bold, finding.rule);
    page.paragraph(4, Colour::dim, finding.statement);
  }
  page.paragraph(4, Colour::plain,
                 finding.request + ": " + counted(finding.count, "request") + " by " + who_text(finding));
  page.field(indent, "seen", finding.first + (finding.last == finding.first ? "" : " to " + finding.last));
  page.field(indent, "example", finding.example + " (" + finding.where + ")");
  page.field(indent, "recorded", finding.recorded);
  page.field(indent, "since", finding.since);
  std::string gates;
  for (const std::string& gate : finding.put_off_by) gates += (gates.empty() ? "" : ", ") + ("--feature-gates=" + gate);
  page.field(indent, "put off", gates);
  page.field(indent, "do", finding.advice);
}

void section(Page& page, const Replay& replay, Kind kind, Colour colour, std::string_view glyph,
             const std::string& title) {
  std::size_t shown = 0;
  std::string rule;
  for (const Replay::Finding& finding : replay.findings) {
    if (finding.outcome != kind || !finding.accepted.empty()) continue;
    if (shown == 0) page.heading(colour, glyph, title);
    if (++shown > most_groups_shown && !page.verbose()) continue;
    show(page, finding, finding.rule != rule);
    rule = finding.rule;
  }
  if (shown > most_groups_shown && !page.verbose()) {
    page.paragraph(2, Colour::dim, "and " + counted(shown - most_groups_shown, "group") + " more (see replay.json)");
  }
}

void show_accepted_groups(Page& page, const Replay& replay) {
  bool begun = false;
  for (const Replay::Finding& finding : replay.findings) {
    if (finding.accepted.empty()) continue;
    if (!begun) page.heading(Colour::plain, "·", "Accepted");
    begun = true;
    page.paragraph(2, Colour::plain,
                   finding.rule + ": " + finding.request + " of " + who_text(finding) + ", " +
                       counted(finding.count, "request") + ": " + finding.accepted);
  }
}

void show_clients(Page& page, const Replay& replay) {
  constexpr std::size_t most_shown = 10;
  if (replay.clients.empty()) return;
  page.heading(Colour::yellow, "!", "Whom the upgrade concerns: " + counted(replay.clients.size(), "client"));
  std::string id;
  std::size_t shown = 0;
  for (const Finding& client : replay.clients) {
    shown = client.id == id ? shown + 1 : 1;
    if (shown > most_shown && !page.verbose()) continue;
    if (client.id != id) {
      page.paragraph(2, Colour::bold, client.id);
      page.paragraph(4, Colour::dim, client.statement);
    }
    page.paragraph(
        4, Colour::plain,
        client.who + " " + client.what + " (" + counted(client.count, "request") + ", last " + client.last + ")");
    if (client.id != id) page.field(6, "do", client.advice);
    id = client.id;
  }
}

}  // namespace

std::string to_terminal(const Replay& replay, const TerminalStyle& style) {
  Page page(style);
  page.field(0, "decided",
             share_text(replay.decided(), replay.requests) + ": " + std::to_string(replay.decided()) + " of " +
                 counted(replay.requests, "request") + " about nodes");
  page.field(0, "agreed",
             share_text(replay.compared - replay.disagreeing, replay.compared) + " of " +
                 std::to_string(replay.compared) + " compared with the recorded answer");
  page.field(0, "from", side_text(replay.from) + " to " + side_text(replay.to));
  if (!replay.first.empty()) page.field(0, "window", replay.first + " to " + replay.last);
  page.field(0, "read",
             counted(replay.events, "event") + ": " + std::to_string(replay.not_final) + " before an answer, " +
                 std::to_string(replay.repeated) + " repeated, " + std::to_string(replay.about_others) +
                 " not about nodes, " + std::to_string(replay.administrators) + " by administrators" +
                 (replay.outside == 0 ? "" : ", " + std::to_string(replay.outside) + " outside the window"));
  for (const std::string& note : replay.notes) page.field(0, "note", note);
  if (!replay.troubles.empty()) {
    page.heading(Colour::yellow, "!", "Left out of the logs");
    for (const Replay::Trouble& one : replay.troubles) {
      page.paragraph(2, Colour::plain,
                     one.what + ": " + std::to_string(one.count) + ", first at " + comma_separated(one.places));
    }
  }
  section(page, replay, Kind::disagrees, Colour::yellow, "≠",
          "Decided otherwise than recorded at " + replay.from.release + ": " + counted(replay.disagreeing, "request") +
              " (another release, another cluster's dump, or a fault of nodebound)");
  section(page, replay, Kind::newly_refused, Colour::red, "✗",
          "Newly refused: " + counted(replay.newly_refused, "request"));
  section(page, replay, Kind::newly_allowed, Colour::yellow, "+",
          "Newly allowed: " + counted(replay.newly_allowed, "request"));
  show_accepted_groups(page, replay);
  show_clients(page, replay);
  if (!replay.unknowns.empty()) {
    page.heading(Colour::yellow, "?", "Cannot tell: " + counted(replay.unknown, "request"));
    for (const Replay::Unknown& one : replay.unknowns) {
      page.paragraph(2, Colour::bold, one.reason + ": " + std::to_string(one.count) + ", first at " + one.where);
      page.paragraph(4, Colour::plain, one.statement);
    }
  }
  page.blank();
  if (replay.requests == 0) {
    page.raw(page.paint(Colour::yellow, "?") + " NOTHING TO DECIDE: no request is about nodes");
  } else if (replay.decided() == 0) {
    page.raw(page.paint(Colour::yellow, "?") + " COULD NOT TELL: no request could be decided");
  } else if (const std::size_t refused = replay.not_accepted(Kind::newly_refused); refused > 0) {
    page.raw(page.paint(Colour::red, "✗") + " NEWLY REFUSED: " + counted(refused, "request"));
  } else {
    page.raw(page.paint(Colour::green, "✓") + " NOTHING NEWLY REFUSED among what could be decided");
  }
  return page.text();
}

}  // namespace nodebound
