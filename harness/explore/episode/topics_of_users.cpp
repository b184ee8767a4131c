#include "fakes/wire/resources/api_catalogue.h"
#include "harness/explore/episode/topics.h"

namespace nodebound::explore {
namespace {

const char* verb(Chance& chance) {
  return chance.pick({"get", "get", "get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"});
}

const char* subresource(Chance& chance) {
  return chance.pick({"status", "token", "eviction", "binding", "exec", "log", "proxy", "proxy/metrics", "approval",
                      "ephemeralcontainers", "scale", "finalize", "configz"});
}

std::string resource_name(const ApiResourceEntry& entry) {
  return entry.group.empty() ? entry.resource : entry.resource + "." + entry.group;
}

Object requirement(Draft& draft) {
  Chance& chance = draft.chance();
  Object out = {{"key", chance.pick({"spec.nodeName", "spec.nodeName", "spec.nodeName", "metadata.name", "app", ""})},
                {"operator", chance.pick({"In", "In", "In", "In", "NotIn", "Exists", "DoesNotExist", "Gt"})}};
  Object values = Object::array();
  for (std::size_t count = chance.one_in(4) ? chance.below(3) : 1; count > 0; --count) {
    values.push_back(chance.one_in(8) ? std::string(chance.pick({"", "caf\xc3\xa9", "*"})) : "{" + draft.node() + "}");
  }
  if (!values.empty()) out["values"] = values;
  return out;
}

Object selector(Draft& draft) {
  Chance& chance = draft.chance();
  if (chance.one_in(6)) {
    return {{"rawSelector", chance.pick({"spec.nodeName={a}", "spec.nodeName=={a}", "spec.nodeName!={a}", "",
                                         "spec.nodeName={a},metadata.name=x", "spec.nodeName", "app=x,,"})}};
  }
  Object requirements = Object::array();
  for (std::size_t count = chance.one_in(3) ? chance.below(4) : 1; count > 0; --count) {
    requirements.push_back(requirement(draft));
  }
  return {{"requirements", requirements}};
}

Object role_rule(Draft& draft) {
  Chance& chance = draft.chance();
  Object out = {
      {"verbs",
       {chance.pick({"get", "list", "*", "create", "delete", "patch", "request-serviceaccounts-token-audience"})}},
      {"apiGroups", {chance.pick({"", "", "*", "apps", "storage.k8s.io"})}},
      {"resources", {chance.pick({"secrets", "pods", "*", "pods/status", "*/status", "pods/*", "nodes", "leases"})}}};
  if (chance.one_in(3)) out["resourceNames"] = {chance.one_in(5) ? std::string() : draft.name()};
  return out;
}

Object bound_subject(Draft& draft) {
  Chance& chance = draft.chance();
  switch (chance.below(4)) {
    case 0:
      return {{"apiGroup", "rbac.authorization.k8s.io"},
              {"kind", "User"},
              {"name", chance.pick({"{ann}", "system:node:{a}"})}};
    case 1:
      return {{"apiGroup", "rbac.authorization.k8s.io"},
              {"kind", "Group"},
              {"name", chance.pick({"{team}", "system:nodes", "system:serviceaccounts:{ns shop}"})}};
    default:
      return {
          {"kind", "ServiceAccount"}, {"namespace", chance.pick({"{ns shop}", "{ns vault}"})}, {"name", draft.name()}};
  }
}

}  // namespace

void ask_about(Draft& draft, const std::string& resource, const std::string& name, const std::string& namespace_) {
  Chance& chance = draft.chance();
  const std::string in = namespace_.empty() ? "" : " -n " + namespace_;
  const std::string own = namespace_.empty() ? "{" + name + "}" : name;
  for (int count = 0; count < 3; ++count) {
    std::string request = "get " + resource;
    request.append("/").append(chance.one_in(5) ? draft.name() : name).append(in);
    draft.ask("node " + draft.node(), request);
  }
  std::string listed = chance.pick({"list ", "watch "}) + resource;
  listed += chance.one_in(6) ? " -A" : in;
  switch (chance.below(6)) {
    case 0:
      break;
    case 1:
      listed += " --field-selector spec.nodeName={" + draft.node() + "}";
      break;
    case 2:
      listed += " --field-selector metadata.name=" + own + ",spec.nodeName={" + draft.node() + "}";
      break;
    case 3:
      listed += " --field-selector metadata.name!=" + own;
      break;
    default:
      listed += " --field-selector metadata.name=" + own;
  }
  draft.ask(draft.who(), listed);
  const std::string verb_and_resource = verb(chance) + (" " + resource);
  draft.ask(draft.who(), verb_and_resource + "/" + name + in);
  if (!chance.one_in(3)) return;
  const std::string target = resource + "/" + name + "/" + subresource(chance);
  draft.ask(draft.who(), "get " + target + in);
}

void draw_lookalikes(Draft& draft) {
  Chance& chance = draft.chance();
  draft.subject("no-group", {"system:node:{a}", {}, false});
  draft.subject("no-prefix", {"{a}", {"system:nodes"}, false});
  draft.subject("upper-case", {"System:Node:{a}", {"system:nodes"}, false});
  draft.subject("longer", {"system:node:{a}x", {"system:nodes"}, false});
  draft.subject("two-colons", {"system:node:{a}:{b}", {"system:nodes"}, false});
  draft.subject("nobody", {"system:node:", {"system:nodes"}, false});
  draft.subject("near-group", {"system:node:{a}", {"system:node", "system:nodes2"}, false});
  draft.subject("more-groups", {"system:node:{a}", {"team", "system:nodes", "system:authenticated"}, false});
  draft.subject("inside", {"x:system:node:{a}", {"system:nodes"}, false});
  draft.subject("unicode", {"system:node:caf\xc3\xa9", {"system:nodes"}, false});
  draft.make("pod p on a with secret x");
  const auto who = [&] {
    return chance.pick({"no-group", "no-prefix", "upper-case", "longer", "two-colons", "nobody", "near-group",
                        "more-groups", "inside", "unicode"});
  };
  for (int count = 0; count < 14; ++count) {
    const std::string request =
        chance.pick({"get secrets/x", "get pods/p", "get nodes/a", "list pods --field-selector spec.nodeName={a}",
                     "create nodes/a", "get services", "list csidrivers", "get leases/a -n kube-node-lease",
                     "create tokenreviews", "get nodes/a/proxy"});
    draft.ask(who(), request);
    draft.change(who(), "nodes/a", {{"metadata", {{"labels", {{"node-restriction.kubernetes.io/x", "x"}}}}}});
  }
  draft.later("delete pods/p");
  draft.later("pod p on b with secret x");
}

void draw_grants(Draft& draft) {
  Chance& chance = draft.chance();
  draft.subject("ann", {"{ann}", {}, false});
  draft.subject("member", {"{bob}", {"{team}"}, false});
  draft.subject(
      "account",
      {"system:serviceaccount:{ns shop}:x", {"system:serviceaccounts", "system:serviceaccounts:{ns shop}"}, false});
  const bool of_cluster = chance.one_in(2);
  const std::string role = of_cluster ? "clusterrole" : "role";
  const auto rules = [&] {
    Object out = {{"rules", {role_rule(draft), role_rule(draft)}}};
    if (of_cluster && chance.one_in(3)) {
      out["rules"].push_back(
          {{"nonResourceURLs", {chance.pick({"/metrics", "/metrics/*", "*", "/x*"})}}, {"verbs", {"get"}}});
    }
    return out;
  };
  const auto binding = [&]() -> Object {
    return {{"roleRef",
             {{"apiGroup", "rbac.authorization.k8s.io"},
              {"kind", of_cluster ? "ClusterRole" : "Role"},
              {"name", chance.one_in(8) ? "none"
                       : of_cluster     ? "{r}"
                                        : "r"}}},
            {"subjects", {bound_subject(draft), bound_subject(draft)}}};
  };
  const std::string bindings = of_cluster && chance.one_in(2) ? "clusterrolebindings/r" : "rolebindings/r";
  draft.create(role + "s/r", rules());
  draft.create(bindings, binding());
  const auto who = [&] { return std::string(chance.pick({"ann", "member", "account", "node a", "node b"})); };
  for (int count = 0; count < 16; ++count) {
    const std::string resource = chance.pick({"secrets", "pods", "pods", "nodes", "leases", "deployments"});
    const std::string sub = chance.one_in(4) ? std::string("/") + chance.pick({"status", "log", "scale"}) : "";
    std::string request = verb(chance) + (" " + resource);
    request += "/" + draft.name() + sub;
    request += " -n " + draft.namespace_();
    draft.ask(who(), request);
    const std::string path = chance.pick({"/metrics", "/metrics/x", "/metricsx", "/x", "/", "/healthz"});
    draft.ask(who(), "get " + path);
  }
  draft.later("delete " + role + "s/r");
  draft.later_create(role + "s/r", rules());
  draft.later("delete " + bindings);
  draft.later_create(bindings, binding());
}

void draw_anything(Draft& draft) {
  Chance& chance = draft.chance();
  draft.make("pod p on a with secret x");
  const auto& entries = ApiCatalogue::built_in().entries();
  for (int count = 0; count < 24; ++count) {
    const ApiResourceEntry& entry = chance.pick(entries);
    std::string target = resource_name(entry) + "/" + (chance.one_in(3) ? draft.node() : draft.name());
    if (chance.one_in(4)) target += std::string("/") + subresource(chance);
    if (entry.namespaced) target += " -n " + draft.namespace_();
    const std::string request = verb(chance) + (" " + target);
    draft.review(draft.who(), request, {});
  }
  for (int count = 0; count < 6; ++count) {
    const std::string path =
        chance.pick({"/", "/api", "/apis", "/api/v1", "/version", "/version/", "/healthz", "/livez", "/readyz",
                     "/metrics", "/openapi/v2", "/swagger.json", "/logs/", "/debug/pprof/", "/none", "/metrics/slis"});
    draft.ask(draft.who(), "get " + path);
  }
}

void draw_selectors(Draft& draft) {
  Chance& chance = draft.chance();
  draft.make("pod p on a");
  draft.make("slice s on a");
  for (int count = 0; count < 24; ++count) {
    const std::string resource = chance.pick({"pods", "pods", "nodes", "resourceslices", "podcertificaterequests",
                                              "secrets", "configmaps", "leases", "volumeattachments"});
    Object attributes = {{"fieldSelector", selector(draft)}};
    if (chance.one_in(6)) attributes["labelSelector"] = selector(draft);
    if (chance.one_in(4)) attributes["name"] = chance.one_in(3) ? "" : draft.name();
    if (chance.one_in(4)) attributes["namespace"] = chance.pick({"", "{ns shop}", "{ns vault}"});
    if (chance.one_in(8)) attributes["verb"] = chance.pick({"", "*", "GET", "get "});
    if (chance.one_in(10)) attributes["subresource"] = chance.pick({"status", "*", ""});
    if (chance.one_in(10)) attributes["group"] = chance.pick({"", "*", "apps"});
    const std::string request = chance.pick({"list ", "watch ", "get ", "deletecollection "}) + resource;
    draft.review("node " + draft.node(), request, {{"resourceAttributes", attributes}});
  }
  draft.later("delete pods/p");
  draft.later("pod p on b");
}

const std::vector<Topic>& topics() {
  static const std::vector<Topic> all = {{10, draw_references},  {4, draw_volumes},     {4, draw_pod_writes},
                                         {3, draw_tokens},       {6, draw_node_writes}, {3, draw_owned},
                                         {2, draw_certificates}, {2, draw_lookalikes},  {2, draw_grants},
                                         {2, draw_anything},     {3, draw_selectors}};
  return all;
}

}  // namespace nodebound::explore
