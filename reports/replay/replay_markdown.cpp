#include "reports/markdown.h"
#include "reports/replay/replay.h"
#include "reports/text.h"

namespace nodebound {
namespace {

using Kind = Replay::Finding::Outcome;

void table(std::string& out, const Replay& replay, Kind kind, const std::string& title) {
  bool begun = false;
  for (const Replay::Finding& finding : replay.findings) {
    if (finding.outcome != kind) continue;
    if (!begun) {
      out += "\n## " + title + "\n\n" +
             markdown_head({"rule", "request", "who", "user agent", "count", "first seen", "last seen", "since",
                            "put off by", "what to do"});
    }
    begun = true;
    if (!finding.accepted.empty()) continue;
    std::string who = finding.who == "nodes" ? counted(finding.subjects, "node") : finding.who;
    if (!finding.pool.empty()) who += " of pool " + finding.pool;
    out += markdown_row({markdown_code(finding.rule), markdown_code(finding.request), markdown_text(who),
                         markdown_text(finding.user_agent), std::to_string(finding.count), finding.first, finding.last,
                         finding.since, markdown_text(comma_separated(finding.put_off_by)),
                         markdown_text(finding.advice)});
  }
}

std::string clients_table(const Replay& replay) {
  if (replay.clients.empty()) return {};
  std::string out = "\n## Whom the upgrade concerns\n\n" +
                    markdown_head({"what", "user agent", "asks", "count", "last seen", "what to do"});
  for (const Finding& client : replay.clients) {
    out += markdown_row({markdown_code(client.id), markdown_text(client.who), markdown_text(client.what),
                         std::to_string(client.count), client.last, markdown_text(client.advice)});
  }
  return out;
}

}  // namespace

std::string to_markdown(const Replay& replay) {
  std::string out = "# From " + replay.from.release + " to " + replay.to.release + "\n\n";
  out += share_text(replay.decided(), replay.requests) + " of " + counted(replay.requests, "request") +
         " about nodes could be decided; " + share_text(replay.compared - replay.disagreeing, replay.compared) +
         " of " + std::to_string(replay.compared) + " agree with the recorded answer.\n";
  if (!replay.first.empty()) out += "\nSeen from " + replay.first + " to " + replay.last + ".\n";
  table(out, replay, Kind::disagrees, "Decided otherwise than recorded: " + counted(replay.disagreeing, "request"));
  table(out, replay, Kind::newly_refused, "Newly refused: " + counted(replay.newly_refused, "request"));
  table(out, replay, Kind::newly_allowed, "Newly allowed: " + counted(replay.newly_allowed, "request"));
  for (const Replay::Finding& finding : replay.findings) {
    if (finding.accepted.empty()) continue;
    out += "\nAccepted: " + markdown_code(finding.rule) + " of " + markdown_text(finding.user_agent) + ": " +
           markdown_text(finding.accepted) + "\n";
  }
  out += clients_table(replay);
  if (!replay.unknowns.empty()) {
    out +=
        "\n## Cannot tell: " + counted(replay.unknown, "request") + "\n\n" + markdown_head({"reason", "count", "why"});
    for (const Replay::Unknown& one : replay.unknowns) {
      out += markdown_row({markdown_code(one.reason), std::to_string(one.count), markdown_text(one.statement)});
    }
  }
  if (!replay.troubles.empty()) {
    out += "\n## Left out of the logs\n\n" + markdown_head({"what", "count", "first places"});
    for (const Replay::Trouble& one : replay.troubles) {
      out += markdown_row(
          {markdown_code(one.what), std::to_string(one.count), markdown_text(comma_separated(one.places))});
    }
  }
  return out;
}

}  // namespace nodebound
