#include "reports/run/json.h"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "reports/json_object.h"
#include "reports/run/chain.h"
#include "reports/text.h"

namespace nodebound {
namespace {

using Json = nlohmann::ordered_json;

Json run_section(const Report::Run& run) {
  Json section;
  section["id"] = run.id;
  section["started"] = run.started;
  // JSON has no infinity, and a negative duration means nothing.
  section["seconds"] = std::isfinite(run.seconds) && run.seconds > 0 ? run.seconds : 0.0;
  section["host"] = run.host;
  section["tool_version"] = run.tool_version;
  section["requests"] = run.requests;
  section["request_seconds"] = std::isfinite(run.request_seconds) ? run.request_seconds : 0.0;
  if (run.settling) {
    section["settling"] = {{"writes", run.settling->writes},
                           {"median_seconds", run.settling->median_seconds},
                           {"worst_seconds", run.settling->worst_seconds}};
  }
  return section;
}

Json target_section(const Report::Target& target) {
  Json section;
  section["name"] = target.name;
  section["version"] = target.version;
  // Two names can become equal once invalid UTF-8 is replaced, and an object must not have duplicate keys.
  std::map<std::string, bool> gates;
  for (const auto& [gate, enabled] : target.feature_gates) gates[valid_utf8(gate)] = enabled;
  section["feature_gates"] = gates;
  if (target.is_authorizer) section["authorizer"] = true;
  return section;
}

Json release_section(const Report::Release& release) {
  Json section;
  section["version"] = release.version;
  section["feature_gates"] = release.feature_gates;
  section["rules_in_force"] = release.rules_in_force;
  return section;
}

Json chain_section(const std::vector<CheckResult>& checks) {
  Json section = Json::array();
  for (const ChainFitness& fitness : chain_fitness(checks)) {
    Json each;
    each["place"] = to_string(fitness.place);
    each["safety"] = to_string(fitness.safety);
    each["against"] = fitness.against;
    section.push_back(std::move(each));
  }
  return section;
}

Json declared_section(const std::vector<DeclaredDeviation>& declared) {
  Json section = Json::array();
  for (const DeclaredDeviation& each : declared) {
    section.push_back({{"checks", each.checks},
                       {"observed", each.observed},
                       {"reason", each.reason},
                       {"issue", each.issue},
                       {"expires", each.expires},
                       {"met", each.met}});
  }
  return section;
}

Json summary_section(const Report& report) {
  Json section;
  section["conformant"] = is_conformant(report);
  section["checks"] = report.checks.size();
  for (const Verdict verdict :
       {Verdict::pass, Verdict::fail, Verdict::deviation, Verdict::skip, Verdict::inconclusive}) {
    section[to_string(verdict)] = report.count(verdict);
  }
  if (!report.declared.empty()) section["declared_deviation"] = report.count_declared();
  section["reason_differences"] = report.reason_differences();
  // Replacing invalid UTF-8 can change the order, so the names are sorted afterwards.
  std::set<std::string> broken;
  for (const std::string& rule : report.broken_rules()) broken.insert(valid_utf8(rule));
  section["broken_rules"] = broken;
  if (report.target.is_authorizer) section["chain"] = chain_section(report.checks);
  return section;
}

Json reason_object(const CheckResult& check) {
  Json reason = Json::object();
  put_unless_empty(reason, "expected", check.reason_expected);
  if (check.reason_match) reason["match"] = *check.reason_match;
  return reason;
}

Json evidence_object(const Evidence& evidence) {
  Json object = Json::object();
  put_unless_empty(object, "subject", evidence.subject);
  put_unless_empty(object, "request", evidence.request);
  put_unless_empty(object, "body", evidence.body);
  put_unless_empty(object, "type", evidence.type);
  if (evidence.status != 0) object["status"] = evidence.status;
  put_unless_empty(object, "message", evidence.message);
  put_unless_empty(object, "layer", evidence.layer);
  put_unless_empty(object, "decision", evidence.decision);
  if (evidence.opinion) object["opinion"] = to_string(*evidence.opinion);
  return object;
}

Json check_object(const CheckResult& check) {
  Json object;
  object["id"] = check.id;
  object["scenario"] = check.scenario;
  object["title"] = check.title;
  object["profile"] = check.profile;
  object["rules"] = check.rules;
  object["layer"] = check.layer;
  object["where"] = check.where;
  object["verdict"] = to_string(check.verdict);
  object["expected"] = check.expected;
  put_unless_empty(object, "observed", check.observed);
  put_unless_empty(object, "why", check.why);
  put_unless_empty(object, "deviation", check.deviation);
  if (check.declared) object["declared"] = true;
  if (!check.leaked.empty()) object["leaked"] = check.leaked;
  if (Json reason = reason_object(check); !reason.empty()) object["reason"] = std::move(reason);
  object["evidence"] = evidence_object(check.evidence);
  return object;
}

}  // namespace

std::string to_json(const Report& report) {
  Json document;
  document["schema"] = report_schema;
  document["run"] = run_section(report.run);
  document["target"] = target_section(report.target);
  document["release"] = release_section(report.release);
  document["summary"] = summary_section(report);
  if (!report.declared.empty()) document["declared_deviations"] = declared_section(report.declared);
  document["checks"] = Json::array();
  for (const CheckResult& check : report.checks) document["checks"].push_back(check_object(check));
  return json_text(document);
}

}  // namespace nodebound
