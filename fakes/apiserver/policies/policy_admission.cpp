#include "fakes/apiserver/policies/policy_admission.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fakes/apiserver/call.h"
#include "fakes/apiserver/pipeline/admission.h"
#include "fakes/apiserver/pipeline/forbidden.h"
#include "fakes/apiserver/policies/admission_notes.h"
#include "fakes/apiserver/policies/expression_inputs.h"
#include "fakes/apiserver/policies/policy_evaluation.h"
#include "fakes/apiserver/policies/policy_parameters.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/status.h"
#include "fakes/store/change.h"
#include "fakes/wire/go/json.h"

// staging/src/k8s.io/apiserver/pkg/admission/plugin/policy: validating/dispatcher.go and generic/

namespace nodebound::apiserver {
namespace {

constexpr std::string_view policy_group = "admissionregistration.k8s.io";
constexpr std::string_view plugin_name = "ValidatingAdmissionPolicy";

// Policies do not look at what configures them, nor at reviews, which they could cut a cluster off from
// (pkg/kubeapiserver/admission/exclusion/resources.go).
bool is_exempt_from_policies(const ApiResource& resource) {
  constexpr std::array configurations = {"validatingadmissionpolicies", "validatingadmissionpolicybindings",
                                         "mutatingadmissionpolicies", "mutatingadmissionpolicybindings"};
  constexpr std::array reviews = {"selfsubjectreviews", "tokenreviews"};
  const auto among = [&](const auto& names) {
    return std::find(names.begin(), names.end(), resource.resource) != names.end();
  };
  if (resource.group == policy_group) return among(configurations);
  return resource.group == "authorization.k8s.io" || (resource.group == "authentication.k8s.io" && among(reviews));
}

/// A policy with the bindings that put it in force.
struct BoundPolicy {
  std::string name;
  ObjectPtr policy;
  std::vector<std::pair<std::string, ObjectPtr>> bindings;
};

// In the order of their names, which kube-apiserver does not promise.
std::vector<BoundPolicy> bound_policies(const Cluster& cluster) {
  std::map<std::string, BoundPolicy> out;
  cluster.each_shared(policy_group, "validatingadmissionpolicybindings", "",
                      [&](const std::string&, const std::string& name, const ObjectPtr& binding) {
                        out[std::string(text(*binding, "spec", "policyName"))].bindings.emplace_back(name, binding);
                      });
  std::vector<BoundPolicy> found;
  for (auto& [name, bound] : out) {
    bound.policy = cluster.find({std::string(policy_group), "validatingadmissionpolicies", "", name});
    if (bound.policy == nullptr) continue;
    bound.name = name;
    found.push_back(std::move(bound));
  }
  return found;
}

/// What a write matches: as which resource, if it does. The error is one of configuration.
using MatchedAs = tl::expected<const ApiResource*, std::string>;

MatchedAs matched_by_resources(const Object& matches, const MatchedWrite& write, const Cluster& cluster,
                               const ApiResources& resources) {
  const Selected in = namespace_selected(member(matches, "namespaceSelector"), write, cluster);
  if (in == Selected::no || !object_selected(member(matches, "objectSelector"), write)) return nullptr;
  const std::string_view match_policy = text(matches, "matchPolicy");
  const Object& excluded = member(matches, "excludeResourceRules");
  if (matched_by_rules(excluded, match_policy, write, resources) != nullptr) return nullptr;
  const Object& rules = member(matches, "resourceRules");
  const ApiResource* const as =
      rules.empty() ? &write.resource : matched_by_rules(rules, match_policy, write, resources);
  if (as != nullptr && in == Selected::no_namespace) {
    return tl::unexpected("namespaces " + go_quoted(write.namespace_) + " not found");
  }
  return as;
}

/// Why a write is denied.
struct Denial {
  std::string message;  ///< the whole, with the names of policy and binding
  std::string reason;
  Rule rule = Rule::policy_fails_closed;
};

std::string denied_by(const std::string& policy, const std::string& binding, const std::string& why) {
  const std::string with = binding.empty() ? "" : " with binding '" + binding + "'";
  return "ValidatingAdmissionPolicy '" + policy + "'" + with + " denied request: " + why;
}

int code_of(const std::string& reason) {
  if (reason == "Forbidden") return 403;
  if (reason == "Unauthorized") return 401;
  return reason == "RequestEntityTooLarge" ? 413 : 422;
}

/// The values of the audit annotations of one policy, for all of its bindings.
class PublishedAnnotations {
 public:
  void add(const std::string& key, const std::string& value) {
    std::vector<std::string>& own = values_[key];
    if (std::find(own.begin(), own.end(), value) == own.end()) own.push_back(value);
  }
  void publish(const std::string& policy, AdmissionNotes& notes) const {
    for (const auto& [key, all] : values_) {
      std::string value;
      for (const std::string& each : all) value += (value.empty() ? "" : ", ") + each;
      notes.annotate(policy + "/" + key, value);
    }
  }

 private:
  std::map<std::string, std::vector<std::string>> values_;
};

Rule rule_of(const PolicyDecision& decision, Operation operation) {
  if (decision.failed) return Rule::policy_fails_closed;
  return operation == Operation::remove ? Rule::policy_deleted_object : Rule::policy_validation;
}

/// The policies that look at one write.
class PolicyAdmission {
 public:
  PolicyAdmission(const ServerState& server, const Call& call, const ReviewedWrite& write)
      : server_(server), call_(call), write_(write), matched_(matched_write(call, write)) {
    // Without the rule, what names a resource means its subresources, too.
    if (!server.rules.in_force(Rule::policy_subresources)) matched_.subresource.clear();
  }

  std::optional<HttpResponse> run() {
    for (const BoundPolicy& bound : bound_policies(server_.store.cluster())) {
      const Object& constraints = member(*bound.policy, "spec", "matchConstraints");
      const MatchedAs as = matches(constraints);
      if (!as) {
        misconfigured(bound, {}, as.error());
      } else if (*as != nullptr) {
        if (auto answer = ask(bound, **as)) return answer;
      }
    }
    return denials_.empty() ? std::nullopt : std::optional(refusal());
  }

 private:
  MatchedAs matches(const Object& resources) const {
    return matched_by_resources(resources, matched_, server_.store.cluster(), *call_.resources);
  }

  std::optional<HttpResponse> ask(const BoundPolicy& bound, const ApiResource& as) {
    const auto parameters_of = param_resource(member(*bound.policy, "spec"), *call_.resources);
    if (!parameters_of) {
      misconfigured(bound, {}, parameters_of.error());
      return std::nullopt;
    }
    PublishedAnnotations annotations;
    for (const auto& [name, binding] : bound.bindings) {
      const MatchedAs matched = matches(member(*binding, "spec", "matchResources"));
      if (!matched) misconfigured(bound, name, matched.error());
      if (!matched || *matched == nullptr) continue;
      const auto parameters = policy_parameters(*parameters_of, member(*binding, "spec", "paramRef"),
                                                matched_.namespace_, server_.store.cluster());
      if (!parameters) {
        misconfigured(bound, name, parameters.error());
        continue;
      }
      const auto in = namespace_object();
      if (!in) return in.error();
      for (const Object& each : *parameters) obey(bound, name, *binding, evaluate(bound, as, each, *in), annotations);
    }
    annotations.publish(bound.name, *call_.notes);
    return std::nullopt;
  }

  PolicyResult evaluate(const BoundPolicy& bound, const ApiResource& as, const Object& parameters, const Object& in) {
    const Object& spec = member(*bound.policy, "spec");
    const auto expressions = server_.policies.of(
        bound.name, *bound.policy, [&] { return cel::policy_expressions(spec, server_.rules.release()); });
    static const Object nothing;
    const ExpressionInputs conditions(server_, call_, write_, as, *call_.resource);
    const ExpressionInputs validations(server_, call_, write_, as, as);
    return evaluated_policy(spec, *expressions,
                            {conditions.with(parameters, nothing), validations.with(parameters, in),
                             validations.with(parameters, in, false)},
                            server_.rules);
  }

  // Null for objects without a namespace, and for namespaces.
  tl::expected<Object, HttpResponse> namespace_object() const {
    if (call_.attributes.namespace_.empty()) return Object();
    if (call_.resource->group.empty() && call_.resource->kind == "Namespace") return Object();
    const ObjectPtr found = server_.store.cluster().find("", "namespaces", "", call_.attributes.namespace_);
    if (found == nullptr && server_.options.namespaces_first) {
      return tl::unexpected(not_found("", "namespaces", call_.attributes.namespace_));
    }
    if (found == nullptr) return Object();
    Object out = {{"metadata", member(*found, "metadata")},
                  {"spec", member(*found, "spec")},
                  {"status", member(*found, "status")}};
    out["metadata"].erase("managedFields");
    out["metadata"].erase("ownerReferences");
    return out;
  }

  void obey(const BoundPolicy& bound, const std::string& name, const Object& binding, const PolicyResult& result,
            PublishedAnnotations& annotations) {
    for (std::size_t i = 0; i < result.decisions.size(); ++i) {
      if (result.decisions[i].denies) act(bound, name, binding, i, result.decisions[i]);
    }
    for (const PolicyAnnotation& one : result.annotations) {
      if (!one.error.empty()) denials_.push_back({denied_by(bound.name, name, one.error), {}});
      if (!one.value.empty()) annotations.add(one.key, one.value);
    }
  }

  void act(const BoundPolicy& bound, const std::string& name, const Object& binding, std::size_t index,
           const PolicyDecision& decision) {
    const Object& actions = member(binding, "spec", "validationActions");
    for (const Object& action : actions) {
      if (action == "Deny" || !server_.rules.in_force(Rule::policy_actions)) {
        denials_.push_back(
            {denied_by(bound.name, name, decision.message), decision.reason, rule_of(decision, write_.operation)});
      } else if (action == "Warn") {
        call_.notes->warn("Validation failed for ValidatingAdmissionPolicy '" + bound.name + "' with binding '" + name +
                          "': " + decision.message);
      } else if (action == "Audit") {
        const nlohmann::ordered_json failures = nlohmann::ordered_json::array({{{"message", decision.message},
                                                                                {"policy", bound.name},
                                                                                {"binding", name},
                                                                                {"expressionIndex", index},
                                                                                {"validationActions", actions}}});
        const std::string text = failures.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
        call_.notes->annotate("validation.policy.admission.k8s.io/validation_failure", escaped_for_html(text));
      }
    }
  }

  void misconfigured(const BoundPolicy& bound, const std::string& binding, const std::string& why) {
    if (text(*bound.policy, "spec", "failurePolicy") == "Ignore") return;
    const std::string what = binding.empty() ? "failed to configure policy: " : "failed to configure binding: ";
    denials_.push_back({denied_by(bound.name, binding, what + why), {}});
  }

  // Only the first denial is told.
  [[nodiscard]] HttpResponse refusal() const {
    const Denial& first = denials_.front();
    std::string name = write_.name;
    if (name.empty()) name = text(write_.object, "metadata", "name");
    if (name.empty()) name = "Unknown";
    const std::string reason = first.reason.empty() ? "Invalid" : first.reason;
    Object details = status_details(call_.resource->group, call_.resource->resource, name);
    details["causes"] = Object::array({{{"message", first.message}}});
    HttpResponse out = failure(code_of(reason), reason,
                               qualified_resource(call_.resource->group, call_.resource->resource) + " \"" + name +
                                   "\" is forbidden: " + first.message,
                               details);
    name_rule(server_.rules, first.rule, out);
    return out;
  }

  const ServerState& server_;
  const Call& call_;
  const ReviewedWrite& write_;
  MatchedWrite matched_;
  std::vector<Denial> denials_;
};

}  // namespace

bool has_policies(const ServerState& server, const Call& call) {
  if (is_exempt_from_policies(*call.resource) || call.notes == nullptr) return false;
  if (server.options.disabled_plugins.contains(std::string(plugin_name))) return false;
  if (!server.rules.in_force(Rule::policy_validation)) return false;
  bool any = false;
  server.store.cluster().each_shared(
      policy_group, "validatingadmissionpolicybindings", "",
      [&](const std::string& /*in*/, const std::string& /*name*/, const ObjectPtr& /*binding*/) { any = true; });
  return any;
}

std::optional<HttpResponse> refused_by_policies(const ServerState& server, const Call& call,
                                                const ReviewedWrite& write) {
  if (!has_policies(server, call)) return std::nullopt;
  const bool deletes = write.operation == Operation::remove;
  if (deletes && !server.rules.in_force(Rule::policy_deleted_object)) return std::nullopt;
  return PolicyAdmission(server, call, write).run();
}

}  // namespace nodebound::apiserver
