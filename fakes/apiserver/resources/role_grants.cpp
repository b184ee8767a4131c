#include "fakes/apiserver/resources/role_grants.h"

#include <string>
#include <vector>

#include "fakes/apiserver/call.h"
#include "fakes/apiserver/pipeline/forbidden.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/status.h"
#include "fakes/validation/object.h"
#include "reference/authorizer/role_escalation.h"
#include "reference/release/behaviour_ids.h"

// pkg/registry/rbac/*/policybased/storage.go and pkg/registry/rbac/escalation_check.go

namespace nodebound::apiserver {
namespace {

HttpResponse refused(const ServerState& server, const Call& call, const Object& object, Rule rule,
                     const std::string& why) {
  const Attributes& attributes = call.attributes;
  const std::string name(text(object, "metadata", "name"));
  const std::string resource = qualified_resource(attributes.api_group, attributes.resource);
  HttpResponse out =
      failure(403, "Forbidden", resource + (name.empty() ? "" : " " + go_quoted(name)) + " is forbidden: " + why,
              status_details(attributes.api_group, attributes.resource, name));
  name_rule(server.rules, rule, out);
  return out;
}

bool may(const ServerState& server, const Call& call, Attributes attributes) {
  if (server.rules.release().does(Behaviour::escalation_asked_for_all_versions)) {
    attributes.api_version = "*";
  } else {
    attributes.api_version.clear();
  }
  attributes.subresource.clear();
  return server.chain->authorize(call.subject, attributes).allowed();
}

// The garbage collector writes these two fields, and holds no more than it needs for that.
bool changes_owners_only(const Object& before, Object after) {
  if (before.is_null()) return false;
  Object old = before;
  for (const char* name : {"ownerReferences", "finalizers", "selfLink", "managedFields"}) {
    old["metadata"].erase(name);
    after["metadata"].erase(name);
  }
  // An empty aggregationRule differs from none.
  const bool aggregated = !member(old, "aggregationRule").is_null();
  return aggregated != member(after, "aggregationRule").is_null() && validation::means_the_same(old, after);
}

bool is_unchecked(const ServerState& server, const Call& call, const Object& before, const Object& object) {
  if (call.subject.in_group("system:masters")) return true;
  return server.rules.in_force(Rule::role_owners_unchecked) && changes_owners_only(before, object);
}

bool aggregates(const Object& role) {
  return !member(role, "aggregationRule", "clusterRoleSelectors").empty();
}

Attributes bind_attributes(const Call& call, std::string_view kind, const Object& binding) {
  Attributes out = call.attributes;
  out.verb = "bind";
  out.api_group = std::string(text(binding, "roleRef", "apiGroup"));
  out.resource = kind == "Role" ? "roles" : "clusterroles";
  out.name = std::string(text(binding, "roleRef", "name"));
  return out;
}

// The error of the registry that is asked for the role.
HttpResponse no_such_role(const ServerState& server, const Call& call, bool in_namespace, const std::string& name) {
  if (in_namespace && call.key().namespace_.empty()) return bad_request("Namespace parameter required.");
  if (name.empty()) return bad_request("Name parameter required.");
  if (auto refusal = impossible_name(name)) return *refusal;
  const bool as_written = server.rules.release().does(Behaviour::missing_role_named_as_written);
  return not_found(call.attributes.api_group,
                   as_written     ? call.attributes.resource
                   : in_namespace ? "roles"
                                  : "clusterroles",
                   name);
}

}  // namespace

std::optional<HttpResponse> unauthorized_role(const ServerState& server, const Call& call, const Object& before,
                                              const Object& role) {
  if (is_unchecked(server, call, before, role)) return std::nullopt;
  Attributes escalate = call.attributes;
  escalate.verb = "escalate";
  if (server.rules.in_force(Rule::role_escalate_verb) && may(server, call, escalate)) return std::nullopt;
  const RoleEscalation escalation(server.rules, server.store.cluster().rbac());
  const std::string in = call.key().namespace_;
  if (server.rules.in_force(Rule::role_escalation)) {
    const auto why = escalation.refused(call.subject, {in, call.attributes.resource, rules_of_role(role)});
    if (why) return refused(server, call, role, Rule::role_escalation, *why);
  }
  if (!server.rules.in_force(Rule::role_aggregation) || (!aggregates(role) && !aggregates(before))) return std::nullopt;
  if (escalation.holds_everything(call.subject, in)) return std::nullopt;
  return refused(server, call, role, Rule::role_aggregation, server.rules.refusal(Rule::role_aggregation).pattern());
}

std::optional<HttpResponse> unauthorized_binding(const ServerState& server, const Call& call, const Object& before,
                                                 const Object& binding) {
  if (!server.rules.in_force(Rule::binding_escalation)) return std::nullopt;
  if (is_unchecked(server, call, before, binding)) return std::nullopt;
  const std::string_view kind = text(binding, "roleRef", "kind");
  if (kind != "Role" && kind != "ClusterRole") {
    return failure(500, "", "unsupported role reference kind: " + go_quoted(kind));
  }
  const bool may_bind =
      server.rules.in_force(Rule::binding_bind_verb) && may(server, call, bind_attributes(call, kind, binding));
  if (may_bind) return std::nullopt;
  const bool in_namespace = kind == "Role";
  const std::string in = call.key().namespace_;
  const std::string name(text(binding, "roleRef", "name"));
  const RbacObjects& objects = server.store.cluster().rbac();
  const std::vector<PolicyRule>* const rules = objects.role(in_namespace ? in : "", name);
  if (rules == nullptr || (in_namespace && in.empty())) {
    if (!server.rules.in_force(Rule::binding_role_missing)) return std::nullopt;
    HttpResponse missing = no_such_role(server, call, in_namespace, name);
    name_rule(server.rules, Rule::binding_role_missing, missing);
    return missing;
  }
  const auto why = RoleEscalation(server.rules, objects).refused(call.subject, {in, call.attributes.resource, *rules});
  if (!why) return std::nullopt;
  return refused(server, call, binding, Rule::binding_escalation, *why);
}

}  // namespace nodebound::apiserver
