#include <nlohmann/json.hpp>

#include "reports/findings/finding_parts.h"
#include "reports/json_object.h"
#include "reports/replay/replay.h"

namespace nodebound {
namespace {

using Json = nlohmann::ordered_json;

Json replay_side(const Replay::Side& side) {
  return {{"release", side.release},
          {"feature_gates", side.gates},
          {"rules_in_force", side.rules_in_force},
          {"without", side.without}};
}

Json finding_section(const Replay::Finding& finding, bool of_share) {
  Json out;
  out["outcome"] = to_string(finding.outcome);
  out["rule"] = finding.rule;
  put_unless_empty(out, "statement", finding.statement);
  out["layer"] = finding.layer;
  put_unless_empty(out, "by", finding.by);
  out["recorded"] = finding.recorded;
  out["request"] = finding.request;
  put_unless_empty(out, "user_agent", finding.user_agent);
  out["who"] = finding.who;
  put_unless_empty(out, "pool", finding.pool);
  out["subjects"] = finding.subjects;
  out["more_subjects"] = finding.more_subjects;
  out["count"] = finding.count;
  out["first"] = finding.first;
  out["last"] = finding.last;
  out["example"] = finding.example;
  out["where"] = finding.where;
  put_unless_empty(out, "since", finding.since);
  out["put_off_by"] = finding.put_off_by;
  put_unless_empty(out, "advice", finding.advice);
  put_unless_empty(out, "accepted", finding.accepted);
  if (of_share) out["order"] = finding.order;
  return out;
}

Json unknown_section(const Replay::Unknown& one, bool of_share) {
  Json out = {{"reason", one.reason}, {"statement", one.statement}, {"count", one.count}, {"where", one.where}};
  if (of_share) out["order"] = one.order;
  return out;
}

}  // namespace

std::string to_json(const Replay& replay) {
  Json out;
  out["schema"] = replay_schema;
  out["run"] = {{"started", replay.run.started},
                {"host", replay.run.host},
                {"tool_version", replay.run.tool_version},
                {"seconds", replay.run.seconds}};
  // What merging needs stands only in the reports of shares.
  const bool of_share = !replay.share.is_all();
  if (of_share) out["share"] = {{"index", replay.share.index}, {"of", replay.share.of}};
  out["from"] = replay_side(replay.from);
  out["to"] = replay_side(replay.to);
  out["logs"] = replay.logs;
  out["cluster"] = replay.cluster;
  put_unless_empty(out, "first", replay.first);
  put_unless_empty(out, "last", replay.last);
  out["read"] = {{"bytes", replay.bytes},
                 {"events", replay.events},
                 {"not_final", replay.not_final},
                 {"repeated", replay.repeated},
                 {"about_others", replay.about_others},
                 {"administrators", replay.administrators},
                 {"outside_window", replay.outside}};
  out["summary"] = {{"requests", replay.requests},
                    {"decided", replay.decided()},
                    {"newly_refused", replay.newly_refused},
                    {"newly_allowed", replay.newly_allowed},
                    {"unchanged", replay.unchanged},
                    {"unchanged_by_record", replay.unchanged_by_record},
                    {"unknown", replay.unknown},
                    {"compared", replay.compared},
                    {"disagreeing", replay.disagreeing}};
  out["findings"] = Json::array();
  for (const Replay::Finding& finding : replay.findings) out["findings"].push_back(finding_section(finding, of_share));
  out["findings_left_out"] = replay.findings_left_out;
  out["clients"] = Json::array();
  for (const Finding& client : replay.clients) out["clients"].push_back(finding_json(client));
  out["unknown"] = Json::array();
  for (const Replay::Unknown& one : replay.unknowns) out["unknown"].push_back(unknown_section(one, of_share));
  out["troubles"] = Json::array();
  for (const Replay::Trouble& one : replay.troubles) {
    out["troubles"].push_back({{"what", one.what}, {"count", one.count}, {"places", one.places}});
  }
  out["notes"] = replay.notes;
  return json_text(out);
}

}  // namespace nodebound
