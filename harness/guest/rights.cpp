#include "harness/guest/rights.h"

#include <map>
#include <tuple>

#include "harness/scenario/canaries.h"

namespace nodebound::guest {
namespace {

constexpr const char* rbac = "rbac.authorization.k8s.io";
constexpr const char* certificates = "certificates.k8s.io";

/// Collects the administrator's requests for one scenario.
class ScenarioRights {
 public:
  explicit ScenarioRights(IdentityMode identity) : identity_(identity) {}

  void make(const RequestText& target, const Object& body) {
    add("create", target);
    // Before making an object with a name that others may use too, the run reads it.
    add("get", target);
    add("delete", target);
    if (body.contains("status")) write_status(target);
    // A finalizer is removed before its object. The API server adds finalizers to these kinds.
    const bool held = target.resource == "persistentvolumes" || target.resource == "persistentvolumeclaims";
    if (held || !member(body, "metadata", "finalizers").empty()) add("patch", target);
    if (target.group == rbac) give(target.resource, body);
    // Creating a ClusterTrustBundle for a signer needs the right to attest for that signer.
    if (target.resource == "clustertrustbundles") add({"attest", certificates, "signers"});
    read_mentioned(body);
  }

  void perform(const Action& action) {
    if (action.token) return request_token(*action.token);
    switch (action.kind) {
      case Action::Kind::create:
        return make(action.target, action.body);
      case Action::Kind::remove:
        return add("delete", action.target);
      case Action::Kind::bind:
        return add("create", action.target, "binding");
      case Action::Kind::change:
        if (action.target.subresource == "status") {
          write_status(action.target);
        } else {
          add("patch", action.target, action.target.subresource);
        }
        if (action.target.group == rbac) give(action.target.resource, action.body);
        return read_mentioned(action.body);
    }
  }

  void ask(const Check& check, const Scenario& scenario) {
    if (check.review) return;
    const RequestText& request = check.request;
    read_mentioned(check.body);
    for (const std::string& pointer : check.remove) read_mentioned(pointer);
    for (const std::string& selector : {request.field_selector, request.label_selector}) read_mentioned(selector);
    if (!check.ways.empty()) add("get", request);
    if (check.keep && request.subresource.empty() && !request.name.empty()) add("delete", request);
    if (check.subject.kind == SubjectText::Kind::administrator) {
      act(check);
    } else if (const TokenText* token = scenario.token_of(check.subject)) {
      request_token(*token);
    } else {
      become(check, scenario);
    }
  }

  void add(Right right) { rights_.insert(std::move(right)); }
  Rights take() { return std::move(rights_); }

 private:
  void add(const std::string& verb, const RequestText& target, const std::string& subresource = {}) {
    if (!target.resource_request) return;
    add({verb, target.group, target.resource + (subresource.empty() ? "" : "/" + subresource)});
  }

  void write_status(const RequestText& target) {
    add("patch", target, "status");
    // Allocations and devices take rights of their own since 1.36 (KEP-4817).
    if (target.resource != "resourceclaims") return;
    add({"patch", target.group, "resourceclaims/binding"});
    add({"arbitrary-node:patch", target.group, "resourceclaims/driver"});
  }

  // RBAC lets nobody grant rights that they lack, unless they may escalate or bind.
  void give(const std::string& resource, const Object& body) {
    if (resource == "roles" || resource == "clusterroles") return add({"escalate", rbac, resource});
    const bool of_cluster = text(body, "roleRef", "kind") == "ClusterRole";
    add({"bind", rbac, of_cluster ? "clusterroles" : "roles"});
  }

  void act(const Check& check) {
    const RequestText& request = check.request;
    if (!request.resource_request) return add({"get", "", "", "", request.path});
    const std::string& sub = request.subresource;
    if (!check.ways.empty()) {
      add("update", request, sub);
      return add("patch", request, sub);
    }
    if (request.verb == "apply") add("patch", request, sub);
    if (request.verb == "update" || request.verb == "apply") add("create", request, sub);
    if (request.verb != "apply") add(request.verb, request, sub);
    if (request.verb == "create" && sub.empty() && request.group == rbac) give(request.resource, check.body);
    if (sub == "approval") add({"approve", certificates, "signers"});
    if (request.resource == "certificatesigningrequests" && sub == "status") add({"sign", certificates, "signers"});
  }

  void request_token(const TokenText& token) { add("create", token.account, token.account.subresource); }

  void become(const Check& check, const Scenario& scenario) {
    const bool needs_none = check.subject.kind == SubjectText::Kind::anonymous;
    if (identity_ != IdentityMode::impersonate || needs_none) return;
    add({"impersonate", "", "users"});
    add({"impersonate", "", "groups"});
    if (check.subject.kind != SubjectText::Kind::named) return;
    const auto named = scenario.subjects.find(check.subject.name);
    if (named != scenario.subjects.end() && named->second.user.starts_with("system:serviceaccount:")) {
      add({"impersonate", "", "serviceaccounts"});
    }
  }

  // `{uid pods/web -n other}` is read from the cluster.
  void read_mentioned(const std::string& text) {
    static constexpr std::string_view mark = "{uid ";
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
      const std::size_t begin = at + mark.size();
      const auto target = parse_request("get " + text.substr(begin, text.find('}', begin) - begin));
      if (target) add("get", *target);
    }
  }
  void read_mentioned(const Object& body) {
    if (body.is_string()) return read_mentioned(body.get_ref<const std::string&>());
    if (!body.is_structured()) return;
    for (const Object& each : body) read_mentioned(each);
  }

  IdentityMode identity_;
  Rights rights_;
};

// The canaries that make a refusal conclusive (harness/check/settle.h).
void add_canaries(const Scenario& scenario, ScenarioRights& rights) {
  const auto make = [&](const std::string& target, const Object& body = {}) {
    rights.make(*parse_request("create " + target), body);
  };
  const auto wrote = [&](const RequestText& target) {
    if (changes_node_graph(target.resource)) {
      rights.make(target, Object());
      make("pods/canary");
    } else if (grants_in_namespace(target.resource)) {
      make("roles/canary");
      make("rolebindings/canary", {{"roleRef", {{"kind", "Role"}}}});
    } else if (grants_in_cluster(target.resource)) {
      make("clusterroles/canary");
      make("clusterrolebindings/canary", {{"roleRef", {{"kind", "ClusterRole"}}}});
    } else if (changes_policies(target.resource)) {
      make("validatingadmissionpolicies/canary");
      make("validatingadmissionpolicybindings/canary");
      rights.add({"create", "", "configmaps"});
    }
  };
  for (const Action& action : scenario.given) wrote(action.target);
  for (const Step& step : scenario.steps) {
    for (const Action& action : step.actions) wrote(action.target);
    if (step.check && step.check->keep) wrote(step.check->request);
  }
}

void add_signing(Rights& rights) {
  for (const char* verb : {"create", "get", "delete"})
    rights.insert({verb, certificates, "certificatesigningrequests"});
  rights.insert({"update", certificates, "certificatesigningrequests/approval"});
  rights.insert({"approve", certificates, "signers", "kubernetes.io/kube-apiserver-client"});
}

void add_look(Rights& rights) {
  for (const char* path : {"/version", "/api", "/apis", "/metrics", "/livez"}) rights.insert({"get", "", "", "", path});
  rights.insert({"create", "authentication.k8s.io", "selfsubjectreviews"});
  rights.insert({"create", "authorization.k8s.io", "selfsubjectaccessreviews"});
  rights.insert({"create", "authorization.k8s.io", "subjectaccessreviews"});
}

void add_survey(Rights& rights) {
  rights.insert({"list", "", "nodes"});
  rights.insert({"list", "", "pods"});
}

void add_namespaces(Rights& rights) {
  for (const char* verb : {"create", "get", "delete"}) {
    rights.insert({verb, "", "namespaces"});
    rights.insert({verb, "", "serviceaccounts"});
  }
}

Result<bool> is_allowed(Endpoint& endpoint, Session& session, const Right& right) {
  Object spec;
  if (right.resource.empty()) {
    spec = {{"nonResourceAttributes", {{"verb", right.verb}, {"path", right.path}}}};
  } else {
    const std::size_t slash = right.resource.find('/');
    spec = {{"resourceAttributes",
             {{"verb", right.verb}, {"group", right.group}, {"resource", right.resource.substr(0, slash)}}}};
    if (slash != std::string::npos) spec["resourceAttributes"]["subresource"] = right.resource.substr(slash + 1);
    if (!right.name.empty()) spec["resourceAttributes"]["name"] = right.name;
  }
  const Object review = {
      {"apiVersion", "authorization.k8s.io/v1"}, {"kind", "SelfSubjectAccessReview"}, {"spec", std::move(spec)}};
  const std::string path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
  const auto answer = session.send(endpoint.administrator(), {"POST", path, "application/json", review.dump(), false});
  if (!answer) return tl::unexpected<Error>(answer.error());
  if (answer->status != 201) return unreachable_error("POST " + path, "HTTP " + std::to_string(answer->status));
  return is_true(Object::parse(answer->body, nullptr, false), "status", "allowed");
}

}  // namespace

std::string Right::text() const {
  if (resource.empty()) return verb + " " + path;
  return verb + " " + resource + (group.empty() ? "" : "." + group) + (name.empty() ? "" : " " + name);
}

Rights rights_of_run(IdentityMode identity, bool read_only) {
  Rights out;
  add_look(out);
  if (read_only) return out;
  add_survey(out);
  add_namespaces(out);
  if (identity == IdentityMode::csr) add_signing(out);
  return out;
}

Rights rights_of(const Scenario& scenario, IdentityMode identity) {
  ScenarioRights rights(identity);
  for (const std::string& node : scenario.nodes) rights.make(*parse_request("create nodes/" + node), Object());
  for (const Action& action : scenario.given) rights.perform(action);
  for (const Step& step : scenario.steps) {
    for (const Action& action : step.actions) rights.perform(action);
    if (step.check) rights.ask(*step.check, scenario);
  }
  // A dry run of a pod shows whether the plugin ServiceAccount is on.
  if (!scenario.plugins.empty() || !scenario.without_plugins.empty()) rights.add({"create", "", "pods"});
  add_canaries(scenario, rights);
  return rights.take();
}

Rights rights_to_widen() {
  return {{"create", rbac, "clusterrolebindings"},
          {"delete", rbac, "clusterrolebindings"},
          {"bind", rbac, "clusterroles", "cluster-admin"}};
}

Rights rights_of_kubelet_run(IdentityMode identity) {
  Rights out;
  add_look(out);
  add_survey(out);
  add_namespaces(out);
  for (const char* resource : {"serviceaccounts", "secrets"}) {
    for (const char* verb : {"create", "get", "delete"}) out.insert({verb, "", resource});
  }
  out.insert({"create", "", "serviceaccounts/token"});
  for (const char* verb : {"create", "patch", "delete", "escalate", "bind"}) out.insert({verb, rbac, "clusterroles"});
  for (const char* verb : {"create", "delete"}) out.insert({verb, rbac, "clusterrolebindings"});
  if (identity != IdentityMode::ca) add_signing(out);
  return out;
}

Result<Rights> missing(Endpoint& endpoint, const Rights& rights) {
  const auto session = endpoint.open_session();
  const auto all_resources = is_allowed(endpoint, *session, {"*", "*", "*"});
  if (!all_resources) return tl::unexpected<Error>(all_resources.error());
  Rights out;
  for (const Right& right : rights) {
    // A user who may do everything to all resources, including users and signers, is not asked about each.
    if (*all_resources && !right.resource.empty()) continue;
    const auto allowed = is_allowed(endpoint, *session, right);
    if (!allowed) return tl::unexpected<Error>(allowed.error());
    if (!*allowed) out.insert(right);
  }
  return out;
}

Object to_policy_rules(const Rights& rights) {
  // Resources of a group that need the same verbs share one rule.
  std::map<std::tuple<std::string, std::string, std::string>, std::set<std::string>> verbs;
  std::map<std::string, std::set<std::string>> paths;
  for (const Right& right : rights) {
    if (right.resource.empty()) {
      paths[right.verb].insert(right.path);
    } else {
      verbs[{right.group, right.name, right.resource}].insert(right.verb);
    }
  }
  std::map<std::tuple<std::string, std::string, std::set<std::string>>, std::set<std::string>> rules;
  for (const auto& [what, allowed] : verbs) {
    rules[{std::get<0>(what), std::get<1>(what), allowed}].insert(std::get<2>(what));
  }
  Object out = Object::array();
  for (const auto& [what, resources] : rules) {
    Object rule = {{"apiGroups", {std::get<0>(what)}}, {"resources", resources}, {"verbs", std::get<2>(what)}};
    if (!std::get<1>(what).empty()) rule["resourceNames"] = {std::get<1>(what)};
    out.push_back(std::move(rule));
  }
  for (const auto& [verb, of] : paths) out.push_back({{"nonResourceURLs", of}, {"verbs", {verb}}});
  return out;
}

std::string to_cluster_role(const Rights& rights, const std::string& name) {
  std::string out = "# kubectl create clusterrolebinding " + name + " --clusterrole " + name + " --user NAME\n";
  out += "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: " + name + "\nrules:\n";
  for (const Object& rule : to_policy_rules(rights)) {
    std::string lead = "- ";
    for (const auto& [key, values] : rule.items()) {
      // A JSON list of strings is also YAML.
      out += lead + key + ": " + values.dump() + "\n";
      lead = "  ";
    }
  }
  return out;
}

}  // namespace nodebound::guest
