#include <algorithm>
#include <string>

#include "reports/html.h"
#include "reports/replay/replay.h"
#include "reports/text.h"

namespace nodebound::data {
std::string_view run_page_css_text();
}  // namespace nodebound::data

namespace nodebound {
namespace {

using Kind = Replay::Finding::Outcome;

/// A page with more is too heavy for a phone; `replay.json` has the rest.
constexpr std::size_t most_told_groups = 500;

std::string replay_fact(const char* name, const std::string& value) {
  if (value.empty()) return {};
  return std::string("<dt>") + name + "</dt><dd>" + value + "</dd>\n";
}

std::string code_fact(const char* name, const std::string& value) {
  return replay_fact(name, value.empty() ? value : html_element("code", "", html_text(value)));
}

std::string facts_of(const std::string& facts) {
  return "<dl class=\"facts\">\n" + facts + "</dl>\n";
}

struct ReplayVerdict {
  std::string text;
  const char* kind;
};

ReplayVerdict verdict_of(const Replay& replay) {
  const std::size_t refused = replay.not_accepted(Kind::newly_refused);
  if (replay.requests == 0) return {"Nothing to decide: no request is about nodes", "other"};
  if (replay.decided() == 0) return {"Could not tell: no request could be decided", "other"};
  if (refused > 0) return {"Newly refused: " + counted(refused, "request"), "fail"};
  return {"Nothing newly refused among what could be decided", "pass"};
}

std::string head_of(const std::string& title) {
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
         "base-uri "
         "'none'; form-action 'none'\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n<title>" +
         html_text(title) + "</title>\n<style>\n" + std::string(data::run_page_css_text()) + "</style>\n</head>\n";
}

std::string side_in_words(const Replay::Side& side) {
  return side.release + (side.gates.empty() ? "" : " (" + comma_separated(side.gates) + ")") +
         (side.without.empty() ? "" : " without " + comma_separated(side.without));
}

std::string facts_of_replay(const Replay& replay) {
  std::string out = replay_fact("From", html_text(side_in_words(replay.from)));
  out += replay_fact("To", html_text(side_in_words(replay.to)));
  out += replay_fact("Decided", html_text(share_text(replay.decided(), replay.requests) + " of " +
                                          counted(replay.requests, "request") + " about nodes"));
  out += replay_fact("Agreed", html_text(share_text(replay.compared - replay.disagreeing, replay.compared) + " of " +
                                         std::to_string(replay.compared) + " compared with the recorded answer"));
  if (!replay.first.empty()) out += replay_fact("Seen", html_text(replay.first + " to " + replay.last));
  for (const std::string& note : replay.notes) out += replay_fact("Note", html_text(note));
  return facts_of(out);
}

std::string tiles_of(const Replay& replay) {
  std::string out;
  for (const auto& [name, count] : {std::pair{"newly refused", replay.newly_refused},
                                    {"newly allowed", replay.newly_allowed},
                                    {"unchanged", replay.unchanged},
                                    {"cannot tell", replay.unknown},
                                    {"disagreeing", replay.disagreeing}}) {
    out += std::string("<div><dt>") + name + "</dt><dd>" + grouped_digits(count) + "</dd></div>\n";
  }
  return "<dl class=\"tiles\">\n" + out + "</dl>\n";
}

std::string who_of(const Replay::Finding& finding) {
  if (finding.who != "nodes") return finding.who;
  return counted(finding.subjects, "node") + (finding.more_subjects ? " or more" : "") +
         (finding.pool.empty() ? "" : " of pool " + finding.pool);
}

std::string told_group(const Replay::Finding& finding) {
  std::string facts = replay_fact("Who", html_text(who_of(finding)));
  facts += code_fact("User agent", finding.user_agent);
  facts += replay_fact("Requests", grouped_digits(finding.count));
  facts += replay_fact("Seen", html_text(finding.first + (finding.last == finding.first ? "" : " to " + finding.last)));
  facts += code_fact("Example", finding.example);
  facts += code_fact("Where", finding.where);
  facts += replay_fact("Recorded", html_text(finding.recorded));
  facts += code_fact("Rule", finding.rule);
  facts += replay_fact("It says", html_text(finding.statement));
  facts += replay_fact("Since", html_text(finding.since));
  std::string gates;
  for (const std::string& gate : finding.put_off_by)
    gates += (gates.empty() ? "" : " or ") + ("--feature-gates=" + gate);
  facts += code_fact("Put off by", gates);
  facts += replay_fact("What to do", html_text(finding.advice));
  facts += replay_fact("Accepted", html_text(finding.accepted));
  const bool refused = finding.outcome == Kind::newly_refused && finding.accepted.empty();
  return "<article class=\"check" + std::string(refused ? " fail" : "") + "\">\n<h3>" + html_text(finding.request) +
         "</h3>\n" + facts_of(facts) + "</article>\n";
}

template <typename Belongs>
std::string told_groups(const Replay& replay, const std::string& title, Belongs belongs) {
  std::string out;
  std::size_t groups = 0;
  for (const Replay::Finding& finding : replay.findings) {
    if (belongs(finding) && ++groups <= most_told_groups) out += told_group(finding);
  }
  if (groups == 0) return {};
  if (groups > most_told_groups) {
    out += html_element("p", "quiet", "and " + counted(groups - most_told_groups, "group") + " more in replay.json") +
           "\n";
  }
  return "<h2>" + html_text(title) + "</h2>\n" + out;
}

std::string told_outcome(const Replay& replay, Kind outcome, const std::string& title) {
  return told_groups(replay, title, [&](const Replay::Finding& finding) {
    return finding.outcome == outcome && finding.accepted.empty();
  });
}

std::string table_of(const std::string& title, const std::vector<const char*>& columns, const std::string& rows) {
  if (rows.empty()) return {};
  std::string head;
  for (const char* column : columns) head += std::string("<th scope=\"col\">") + column + "</th>";
  return "<h2>" + html_text(title) + "</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" +
         html_text(title) + "\">\n<table>\n<thead><tr>" + head + "</tr></thead>\n<tbody>\n" + rows +
         "</tbody>\n</table>\n</div>\n";
}

std::string replay_row(const std::string& first, const std::vector<std::string>& others) {
  std::string out = "<tr><th scope=\"row\"><code>" + html_text(first) + "</code></th>";
  for (const std::string& cell : others) out += "<td>" + html_text(cell) + "</td>";
  return out + "</tr>\n";
}

std::string clients_of_page(const Replay& replay) {
  std::string rows;
  for (std::size_t i = 0; i < std::min(replay.clients.size(), most_told_groups); ++i) {
    const Finding& client = replay.clients[i];
    rows += replay_row(client.id, {client.who, client.what, std::to_string(client.count), client.last, client.advice});
  }
  return table_of("Whom the upgrade concerns", {"What", "User agent", "Asks", "Requests", "Last seen", "What to do"},
                  rows);
}

std::string unknowns_of_page(const Replay& replay) {
  std::string rows;
  for (const Replay::Unknown& one : replay.unknowns) {
    rows += replay_row(one.reason, {std::to_string(one.count), one.where, one.statement});
  }
  return table_of("Cannot tell: " + counted(replay.unknown, "request"), {"Reason", "Requests", "First at", "Why"},
                  rows);
}

std::string troubles_of_page(const Replay& replay) {
  std::string rows;
  for (const Replay::Trouble& one : replay.troubles) {
    rows += replay_row(one.what, {std::to_string(one.count), comma_separated(one.places)});
  }
  return table_of("Left out of the logs", {"What", "How many", "First places"}, rows);
}

}  // namespace

std::string to_html(const Replay& replay) {
  const ReplayVerdict verdict = verdict_of(replay);
  std::string body = "<h1>From " + html_text(replay.from.release) + " to " + html_text(replay.to.release) + "</h1>\n" +
                     html_element("p", std::string("verdict ") + verdict.kind, html_text(verdict.text)) + "\n" +
                     facts_of_replay(replay) + tiles_of(replay);
  std::string groups =
      told_outcome(replay, Kind::disagrees,
                   "Decided otherwise than recorded: " + counted(replay.disagreeing, "request")) +
      told_outcome(replay, Kind::newly_refused, "Newly refused: " + counted(replay.newly_refused, "request")) +
      told_outcome(replay, Kind::newly_allowed, "Newly allowed: " + counted(replay.newly_allowed, "request")) +
      told_groups(replay, "Accepted", [](const Replay::Finding& finding) { return !finding.accepted.empty(); });
  const std::string tables = clients_of_page(replay) + unknowns_of_page(replay) + troubles_of_page(replay);
  return head_of(verdict.text + ": " + replay.from.release + " to " + replay.to.release) + "<body>\n<header>\n" + body +
         "</header>\n<main>\n" + groups + tables + "</main>\n<footer>\n<p>Made by nodebound " +
         html_text(replay.run.tool_version) + ", " + html_text(replay.run.started) +
         "</p>\n</footer>\n</body>\n</html>\n";
}

}  // namespace nodebound
