#include "fakes/apiserver/review/rules_review.h"

#include "fakes/apiserver/call.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/status.h"
#include "reference/authorizer/rbac_authorizer.h"
#include "reference/identity/node_identity.h"

namespace nodebound {
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
};

void resolve(const Authorizer& authorizer, AuthorizationMode mode, const RuleSet& rules, const Subject& subject,
             const std::string& namespace_, Resolved& out) {
  if (mode == AuthorizationMode::always_allow) {
    out.add({{"*"}, {"*"}, {"*"}, {}, {}});
    out.add({{"*"}, {}, {}, {}, {"*"}});
  }
  if (mode == AuthorizationMode::node && rules.in_force(Rule::rules_review_incomplete) &&
      node_identity(rules, subject)) {
    out.incomplete = true;
    out.errors.push_back(rules.refusal(Rule::rules_review_incomplete).render({}));
  }
  const auto* const rbac = dynamic_cast<const RbacAuthorizer*>(&authorizer);
  if (rbac == nullptr) return;
  const RbacAuthorizer::SubjectRules found = rbac->rules_for(subject, namespace_);
  for (const PolicyRule* rule : found.rules) out.add(*rule);
  out.errors.insert(out.errors.end(), found.errors.begin(), found.errors.end());
}

}  // namespace

HttpResponse review_rules(const ServerState& server, const Call& call, Object review) {
  const std::string namespace_(text(review, "spec", "namespace"));
  if (namespace_.empty()) return bad_request("no namespace on request");
  Resolved resolved;
  for (std::size_t i = 0; i < server.authorizers.size(); ++i) {
    resolve(*server.authorizers[i], server.options.authorization_modes[i], server.rules, call.subject, namespace_,
            resolved);
  }
  review["spec"] = Object::object();
  Object& status = review["status"] = {{"resourceRules", std::move(resolved.resource_rules)},
                                       {"nonResourceRules", std::move(resolved.non_resource_rules)},
                                       {"incomplete", resolved.incomplete}};
  if (!resolved.errors.empty()) status["evaluationError"] = go_aggregate(resolved.errors);
  return object_response(201, review);
}

}  // namespace nodebound
