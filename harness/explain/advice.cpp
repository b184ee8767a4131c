#include "harness/explain/advice.h"

#include <optional>

#include "reference/identity/node_identity.h"

namespace nodebound::explain {
namespace {

// `in every release`, `from 1.11 on`, `from 1.32 to 1.34`
std::string when_allowed(const std::vector<AnswerSpan>& ranges) {
  std::size_t first = 0;
  while (first < ranges.size() && !ranges[first].asked) ++first;
  std::size_t last = first;
  while (first > 0 && ranges[first - 1].answer.allowed) --first;
  while (last + 1 < ranges.size() && ranges[last + 1].answer.allowed) ++last;
  if (first == 0 && last + 1 == ranges.size()) return "in every release";
  ReleaseSpan span = ranges[first];
  span.last = ranges[last].last;
  span.until = ranges[last].until;
  if (last + 1 < ranges.size()) return "in " + span.text();
  const std::string text = span.text();
  return "from " + text.substr(0, text.find(' ')) + " on";
}

// The releases in which the request with the selector is allowed; nothing if it is refused at the release of the
// question.
std::optional<std::string> allowed_with(const Catalogue& catalogue, const GateSettings& set, const Question& question,
                                        const Release& release, const std::string& selector) {
  Question tried = question;
  tried.target += (tried.target.find('?') == std::string::npos ? "?" : "&");
  tried.target += "fieldSelector=" + percent_encoded(selector);
  tried.attributes = attributes_of(tried.method, tried.target);
  const Result<Explanation> found = explain_without_advice(catalogue, release, set, tried);
  if (!found || !found->answer.allowed) return std::nullopt;
  return when_allowed(found->releases);
}

std::optional<std::string> narrower(const Catalogue& catalogue, const GateSettings& set, const Question& question,
                                    const Release& release) {
  const Attributes& attributes = question.attributes;
  const std::string& user = question.subject.name;
  const bool many = attributes.verb == "list" || attributes.verb == "watch" || attributes.verb == "deletecollection";
  const bool selects = question.target.find("fieldSelector=") != std::string::npos;
  if (!many || selects || question.reviewed || !user.starts_with(node_user_prefix)) return std::nullopt;
  const std::string node = user.substr(node_user_prefix.size());
  for (const std::string& selector : {"spec.nodeName=" + node, "metadata.name=" + node}) {
    const std::optional<std::string> when = allowed_with(catalogue, set, question, release, selector);
    if (!when) continue;
    return "Add --field-selector " + selector + " (fieldSelector=" + selector + " in the URL): that is allowed " +
           *when + ".";
  }
  return std::nullopt;
}

std::string quoted(const std::string& text) {
  return "\"" + text + "\"";
}

// The rule of a ClusterRole that would suffice.
std::string policy_rule(const std::string& verb, const std::string& group, const std::string& resource,
                        const std::string& name) {
  return "{apiGroups: [" + quoted(group) + "], resources: [" + quoted(resource) + "], verbs: [" + quoted(verb) + "]" +
         (name.empty() ? "" : ", resourceNames: [" + quoted(name) + "]") + "}";
}

std::string missing_grant(const Question& question) {
  const Attributes& attributes = question.attributes;
  const std::string role = attributes.namespace_.empty()
                               ? "a ClusterRole"
                               : "a Role in namespace " + attributes.namespace_ + ", or a ClusterRole,";
  if (!attributes.resource_request) {
    return "Bind a ClusterRole with the rule {nonResourceURLs: [" + quoted(attributes.path) + "], verbs: [" +
           quoted(attributes.verb) + "]} to " + question.subject.name + ".";
  }
  const std::string sub = attributes.subresource.empty() ? "" : "/" + attributes.subresource;
  const bool named = question.reviewed && !attributes.name.empty();
  return "Bind " + role + " with the rule " +
         policy_rule(attributes.verb, attributes.api_group, attributes.resource + sub, named ? attributes.name : "") +
         " to " + question.subject.name + ".";
}

std::string signer_of(const Question& question) {
  for (const ClusterObject& entry : question.objects) {
    if (entry.key.resource == "certificatesigningrequests" && entry.key.name == question.attributes.name) {
      return std::string(text(entry.object, "spec", "signerName"));
    }
  }
  return {};
}

std::optional<std::string> by_rule(const Question& question, Rule rule) {
  const auto grant_for_signer = [&](const char* verb) {
    return "Bind a ClusterRole with the rule " +
           policy_rule(verb, "certificates.k8s.io", "signers", signer_of(question)) + " to " + question.subject.name +
           ", beside the right to update certificatesigningrequests/" + question.attributes.subresource + ".";
  };
  switch (rule) {
    case Rule::csr_approval_for_signer:
      return grant_for_signer("approve");
    case Rule::csr_certificate_for_signer:
    case Rule::csr_conditions_for_signer:
      return grant_for_signer("sign");
    case Rule::object_read_named:
    case Rule::object_read_namespaced:
      return "Name one object a pod on the node references: -n NAMESPACE --field-selector metadata.name=NAME; that is "
             "allowed from 1.11 on.";
    case Rule::secret_through_pod:
    case Rule::configmap_through_pod:
      return "Have a pod that is bound to the node reference the object, or give the caller a ServiceAccount of its "
             "own "
             "that may read it.";
    case Rule::node_read_own:
    case Rule::pod_of_node:
      return "Give the caller a ServiceAccount of its own with a ClusterRole for what it reads: a node's credentials "
             "see "
             "what is the node's alone.";
    default:
      return std::nullopt;
  }
}

}  // namespace

std::vector<std::string> advice_for(const Catalogue& catalogue, const GateSettings& set, const Question& question,
                                    const Explanation& explanation) {
  std::vector<std::string> out;
  const ReferenceAnswer& answer = explanation.answer;
  if (answer.allowed) return out;
  if (auto selector = narrower(catalogue, set, question, explanation.rules.release())) {
    out.push_back(std::move(*selector));
    return out;
  }
  // The Node authorizer gives its reason; RBAC only says that there is no grant.
  Rule rule = answer.rule;
  if (answer.layer == Layer::authorizer && !answer.opinions.empty()) {
    const bool node = question.subject.name.starts_with(node_user_prefix);
    rule = node ? answer.opinions.front().decision.rule.value() : answer.rule;
    if (!node) out.push_back(missing_grant(question));
  }
  if (auto known = by_rule(question, rule)) out.push_back(std::move(*known));
  return out;
}

}  // namespace nodebound::explain
