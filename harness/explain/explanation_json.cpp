#include "harness/explain/explanation_json.h"

#include "reference/release/source_link.h"
#include "reports/json_object.h"

namespace nodebound::explain {
namespace {

using Json = nlohmann::ordered_json;

Json rule_json(Rule rule, const RuleSet& rules) {
  const RuleEntry& entry = rules.catalogue()[rule];
  Json links = Json::array();
  const Version at = read_at(entry, rules.release().version);
  for (const std::string& source : entry.source) links.push_back(link_of(source, at));
  return {{"id", entry.id},
          {"statement", entry.statement},
          {"sources", entry.source},
          {"links", links},
          {"inForce", rules.in_force(rule)}};
}

Json decision_json(const ReferenceAnswer& answer, const RuleSet& rules) {
  return {{"allowed", answer.allowed},
          {"summary", headline(answer)},
          {"layer", to_string(answer.layer)},
          {"by", answer.by},
          {"status", answer.status},
          {"reason", answer.reason},
          {"rule", rule_json(answer.rule, rules)}};
}

Json authorizers_json(const ReferenceAnswer& answer, const RuleSet& rules) {
  Json out = Json::array();
  for (const Opinion& opinion : answer.opinions) {
    out.push_back({{"name", opinion.authorizer},
                   {"allowed", opinion.decision.allowed()},
                   {"rule", rules.catalogue()[opinion.decision.rule.value()].id},
                   {"reason", opinion.decision.reason}});
  }
  return out;
}

Json path_json(const Tie& tie, const RuleSet& rules) {
  const Catalogue& catalogue = rules.catalogue();
  Json out = {{"from", described(tie.from)}, {"node", tie.node}, {"leads", !tie.path.empty()}};
  out["steps"] = Json::array();
  for (std::size_t i = 0; i < tie.path.size(); ++i) {
    const bool last = i + 1 == tie.path.size();
    out["steps"].push_back({{"object", last ? "node " + tie.node : described(tie.path[i + 1])},
                            {"field", field_of(catalogue, tie.path[i].edge)},
                            {"rule", catalogue[tie.path[i].edge].id}});
  }
  out["misses"] = Json::array();
  for (const NearMiss& miss : tie.misses) out["misses"].push_back(described(miss, rules));
  return out;
}

Json range_json(const AnswerSpan& range, const RuleSet& rules) {
  Json out = {{"since", range.first.text()}};
  if (range.until) out["until"] = range.until->text();
  out["asked"] = range.asked;
  out["allowed"] = range.answer.allowed;
  out["layer"] = to_string(range.answer.layer);
  out["by"] = range.answer.by;
  out["rule"] = rules.catalogue()[range.answer.rule].id;
  out["reasons"] = Json::array({{{"since", range.first.text()}, {"text", range.answer.reason}}});
  for (const auto& [since, text] : range.reasons) out["reasons"].push_back({{"since", since.text()}, {"text", text}});
  return out;
}

}  // namespace

std::string to_json(const Explanation& explanation, const Question& question) {
  const RuleSet& rules = explanation.rules;
  const ReferenceAnswer& answer = explanation.answer;
  Json out;
  out["subject"] = {{"user", question.subject.name}, {"groups", question.subject.groups}};
  out["request"] = {{"text", question.line},
                    {"method", question.method},
                    {"target", question.target},
                    {"onlyReviewed", question.reviewed}};
  out["release"] = {{"version", rules.release().version.text()},
                    {"featureGates", rules.release().changed_gates()},
                    {"rulesInForce", rules.size()}};
  out["cluster"] = {{"objects", question.given.count}};
  out["decision"] = decision_json(answer, rules);
  out["certain"] = explanation.certain();
  out["missing"] = Json::array();
  for (const Gap& gap : explanation.gaps) out["missing"].push_back({{"what", gap.what}, {"command", gap.command}});
  out["advice"] = explanation.advice;
  out["authorizers"] = authorizers_json(answer, rules);
  out["admission"] = {{"asked", answer.admission_asked},
                      {"note", answer.why_not_admission},
                      {"pluginsNotAsked", answer.plugins_not_asked}};
  if (explanation.tie) out["path"] = path_json(*explanation.tie, rules);
  out["releases"] = Json::array();
  for (const AnswerSpan& range : explanation.releases) out["releases"].push_back(range_json(range, rules));
  // The command line may contain arbitrary bytes.
  return json_text(out);
}

}  // namespace nodebound::explain
