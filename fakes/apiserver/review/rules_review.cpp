#include "fakes/apiserver/review/rules_review.h"

#include "fakes/apiserver/call.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/status.h"
#include "reference/authorizer/authorizer.h"

namespace nodebound::apiserver {
namespace {

/// All rules that the authorizers report for a subject.
struct Resolved {
  Object resource_rules = Object::array();
  Object non_resource_rules = Object::array();
  std::vector<std::string> errors;
  bool incomplete = false;

  void add(const PolicyRule& rule) {
    if (!rule.urls.empty()) non_resource_rules.push_back({{"verbs", rule.verbs}, {"nonResourceURLs", rule.urls}});
    if (rule.resources.empty()) return;
    Object own = {{"verbs", rule.verbs}, {"apiGroups", rule.groups}, {"resources", rule.resources}};
    if (!rule.names.empty()) own["resourceNames"] = rule.names;
    resource_rules.push_back(std::move(own));
  }

  void add(const SubjectRules& told) {
    for (const PolicyRule& rule : told.rules) add(rule);
    errors.insert(errors.end(), told.errors.begin(), told.errors.end());
    incomplete |= told.incomplete;
  }
};

}  // namespace

HttpResponse review_rules(const ServerState& server, const Call& call, Object review) {
  const std::string namespace_(text(review, "spec", "namespace"));
  if (namespace_.empty()) return bad_request("no namespace on request");
  Resolved resolved;
  for (const auto& authorizer : server.authorizers) resolved.add(authorizer->rules_for(call.subject, namespace_));
  review["spec"] = Object::object();
  Object& status = review["status"] = {{"resourceRules", std::move(resolved.resource_rules)},
                                       {"nonResourceRules", std::move(resolved.non_resource_rules)},
                                       {"incomplete", resolved.incomplete}};
  if (!resolved.errors.empty()) status["evaluationError"] = go_aggregate(resolved.errors);
  return object_response(201, review);
}

}  // namespace nodebound::apiserver
