#include "reports/findings/finding_parts.h"
#include "reports/json_object.h"
#include "reports/replay/replay.h"

namespace nodebound {
namespace {

using Kind = Replay::Finding::Outcome;
constexpr Kind all_outcomes[] = {Kind::newly_refused, Kind::newly_allowed, Kind::disagrees};

Share read_share(JsonObject section) {
  Share out{section.number("index"), section.number("of")};
  if (out.index == 0 || out.index > out.of) {
    section.problem().add(section.path("index"), "must be from 1 to `of`, found " + std::to_string(out.index));
  }
  section.close();
  return out;
}

Replay::Run read_replay_run(JsonObject section) {
  Replay::Run out{section.text("started"), section.text("host"), section.text("tool_version"), 0};
  const nlohmann::json& seconds = section.required("seconds");
  if (seconds.is_number() && seconds.get<double>() >= 0) {
    out.seconds = seconds.get<double>();
  } else {
    section.problem().expected(section.path("seconds"), "a number that is not negative", seconds);
  }
  section.close();
  return out;
}

Replay::Side read_replay_side(JsonObject section) {
  Replay::Side out{section.text("release"), section.texts("feature_gates"), section.number("rules_in_force"),
                   section.texts("without")};
  section.close();
  return out;
}

Replay::Finding read_replay_finding(JsonObject object) {
  Replay::Finding out;
  out.outcome = object.one_of("outcome", all_outcomes);
  out.rule = object.text("rule");
  out.statement = object.optional_text("statement");
  out.layer = object.text("layer");
  out.by = object.optional_text("by");
  out.recorded = object.text("recorded");
  out.request = object.text("request");
  out.user_agent = object.optional_text("user_agent");
  out.who = object.text("who");
  out.pool = object.optional_text("pool");
  out.subjects = object.number("subjects");
  out.more_subjects = object.boolean("more_subjects");
  out.count = object.number("count");
  out.first = object.text("first");
  out.last = object.text("last");
  out.example = object.text("example");
  out.where = object.text("where");
  out.since = object.optional_text("since");
  out.put_off_by = object.texts("put_off_by");
  out.advice = object.optional_text("advice");
  out.accepted = object.optional_text("accepted");
  if (object.optional("order") != nullptr) out.order = object.number("order");
  object.close();
  return out;
}

void read_counts(JsonObject read, Replay& out) {
  out.bytes = read.number("bytes");
  out.events = read.number("events");
  out.not_final = read.number("not_final");
  out.repeated = read.number("repeated");
  out.about_others = read.number("about_others");
  out.administrators = read.number("administrators");
  out.outside = read.number("outside_window");
  read.close();
}

void read_summary(JsonObject summary, Replay& out) {
  out.requests = summary.number("requests");
  out.newly_refused = summary.number("newly_refused");
  out.newly_allowed = summary.number("newly_allowed");
  out.unchanged = summary.number("unchanged");
  out.unchanged_by_record = summary.number("unchanged_by_record");
  out.unknown = summary.number("unknown");
  out.compared = summary.number("compared");
  out.disagreeing = summary.number("disagreeing");
  if (summary.number("decided") != out.decided()) {
    summary.problem().add(summary.path("decided"), "is not what the other numbers give");
  }
  summary.close();
}

Replay::Unknown read_unknown(JsonObject object) {
  Replay::Unknown out{object.text("reason"), object.text("statement"), object.number("count"), object.text("where"), 0};
  if (object.optional("order") != nullptr) out.order = object.number("order");
  object.close();
  return out;
}

Replay::Trouble read_trouble(JsonObject object) {
  Replay::Trouble out{object.text("what"), object.number("count"), object.texts("places")};
  object.close();
  return out;
}

Replay read_replay(JsonObject& document) {
  JsonProblem& problem = document.problem();
  Replay out;
  out.run = read_replay_run(document.object("run"));
  if (document.optional("share") != nullptr) out.share = read_share(document.object("share"));
  out.from = read_replay_side(document.object("from"));
  out.to = read_replay_side(document.object("to"));
  out.logs = document.texts("logs");
  out.cluster = document.texts("cluster");
  out.first = document.optional_text("first");
  out.last = document.optional_text("last");
  read_counts(document.object("read"), out);
  read_summary(document.object("summary"), out);
  document.each("findings", [&](const nlohmann::json& item, const std::string& path) {
    out.findings.push_back(read_replay_finding({item, path, problem}));
  });
  out.findings_left_out = document.number("findings_left_out");
  document.each("clients", [&](const nlohmann::json& item, const std::string& path) {
    out.clients.push_back(finding_from_json({item, path, problem}));
  });
  document.each("unknown", [&](const nlohmann::json& item, const std::string& path) {
    out.unknowns.push_back(read_unknown({item, path, problem}));
  });
  document.each("troubles", [&](const nlohmann::json& item, const std::string& path) {
    out.troubles.push_back(read_trouble({item, path, problem}));
  });
  out.notes = document.texts("notes");
  document.close();
  return out;
}

}  // namespace

Result<Replay> replay_from_json(std::string_view text, const std::string& where) {
  const Result<nlohmann::json> parsed = parsed_json(text, where);
  if (!parsed) return tl::unexpected<Error>(parsed.error());
  JsonProblem problem{where, {}};
  JsonObject document(*parsed, "", problem);
  document.must_be_of(replay_schema);
  if (problem.first) return tl::unexpected<Error>(*problem.first);
  Replay out = read_replay(document);
  if (problem.first) return tl::unexpected<Error>(*problem.first);
  return out;
}

}  // namespace nodebound
