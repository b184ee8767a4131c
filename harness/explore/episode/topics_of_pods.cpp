#include "harness/explore/episode/topics.h"

namespace nodebound::explore {
namespace {

constexpr const char* kinds[] = {"secret", "secret", "secret", "configmap", "claim", "resourceclaim"};

std::string resource_of(const std::string& kind) {
  return kind == "claim" ? "persistentvolumeclaims" : kind + "s";
}

Object ephemeral_container(const std::string& secret) {
  return {{"spec",
           {{"ephemeralContainers",
             {{{"name", "late"},
               {"image", "registry.invalid/none"},
               {"envFrom", {{{"secretRef", {{"name", secret}}}}}}}}}}}};
}

std::string home_of_pod(Draft& draft) {
  const std::string node = draft.node();
  return node == "none" ? "a" : node;
}

std::string pod_sentence(Draft& draft, const std::string& pod, const std::string& what, const std::string& node) {
  Chance& chance = draft.chance();
  std::string out = (chance.one_in(12) ? "pod " + pod + " mirror-of {node}" : "pod " + pod) + what;
  if (!chance.one_in(6)) out += " on {node}";
  if (chance.one_in(3)) out += " as " + std::string(chance.pick({"x", "y", "default"}));
  if (chance.one_in(8)) out += std::string(" phase ") + chance.pick({"Running", "Succeeded", "Failed"});
  for (std::size_t at = out.find("{node}"); at != std::string::npos; at = out.find("{node}")) out.replace(at, 6, node);
  return out;
}

Object being_deleted() {
  return {{"metadata", {{"finalizers", {"example.com/hold"}}}}};
}

}  // namespace

void draw_references(Draft& draft) {
  Chance& chance = draft.chance();
  const std::string pod = chance.pick({"p", "x", "p.x", "pp"});
  std::string what;
  std::vector<std::pair<std::string, std::string>> named;
  for (std::size_t count = 1 + chance.below(5); count > 0; --count) {
    const std::string kind = chance.pick(kinds);
    const std::string name = draft.name();
    what.append(" with ").append(kind).append(" ").append(name).append(draft.way("pod", kind));
    named.emplace_back(resource_of(kind), name);
  }
  named.emplace_back("serviceaccounts", "x");
  named.emplace_back("pods", pod);
  for (const char* account : {"x", "y"}) draft.make(std::string("serviceaccount ") + account);
  const std::string home = home_of_pod(draft);
  const Object held = chance.one_in(8) ? being_deleted() : Object();
  draft.make(pod_sentence(draft, pod, what, home), held);
  // Sometimes another pod on some node shares the objects.
  if (chance.one_in(2)) draft.make(pod_sentence(draft, "other", what, home_of_pod(draft)));
  for (const auto& [resource, name] : named) {
    ask_about(draft, resource, name, "shop");
    // Requests test an edge if access depends on that edge alone, as for the pod's own node.
    for (int count = 0; count < 4; ++count)
      draft.ask("node " + home, std::string("get ").append(resource).append("/").append(name));
  }
  for (const auto& [resource, name] : named) {
    // A token request also exercises admission.
    if (resource == "serviceaccounts") draft.write(draft.who(), "create serviceaccounts/" + name + "/token");
  }
  draft.later("delete pods/" + pod);
  draft.later("delete pods/other");
  draft.later(pod_sentence(draft, pod, what, home_of_pod(draft)));
  draft.later(pod_sentence(draft, pod, "", home_of_pod(draft)));
  draft.later("bind pods/" + pod + " to " + chance.pick({"a", "b"}));
  draft.later_change("pods/" + pod + "/ephemeralcontainers", ephemeral_container(draft.name()));
  draft.later_change("pods/" + pod + "/status", {{"status", {{"phase", chance.pick({"Failed", "Running"})}}}});
  draft.later_change("pods/" + pod, {{"metadata", {{"labels", {{"tier", "x"}}}}}});
}

void draw_volumes(Draft& draft) {
  Chance& chance = draft.chance();
  const std::string claim = draft.name();
  const std::string secret = draft.name();
  const std::string volume = chance.pick({"pv", "pv2", "p"});
  const std::string node = chance.pick({"a", "b"});
  draft.make("pod v on " + node + " with claim " + claim + draft.way("pod", "claim"));
  const auto sentence = [&] {
    const std::string bound = chance.one_in(5) ? draft.name() : claim;
    return "volume " + volume + " for " + bound + " with secret " + secret + draft.way("volume", "secret");
  };
  draft.make(sentence());
  if (chance.one_in(2)) draft.make("claim " + claim + (chance.one_in(2) ? " volume " + volume : ""));
  for (int count = 0; count < 3; ++count) {
    ask_about(draft, "persistentvolumes", volume, "");
    ask_about(draft, "secrets", secret, chance.pick({"shop", "vault"}));
    ask_about(draft, "persistentvolumeclaims", chance.one_in(4) ? "v-" + claim : claim, "shop");
  }
  draft.change(draft.who(), "persistentvolumeclaims/" + claim + "/status",
               {{"status", {{"capacity", {{"storage", "2Gi"}}}}}});
  draft.change(draft.who(), "persistentvolumeclaims/" + claim + "/status", {{"status", {{"phase", "Lost"}}}});
  draft.later("delete persistentvolumes/" + volume);
  draft.later(sentence());
  draft.later("delete pods/v");
  draft.later("pod v on " + draft.node() + " with claim " + claim);
  draft.later("pod w on " + draft.node() + " with claim " + claim);
  draft.later("delete persistentvolumeclaims/" + claim);
  draft.later_change("persistentvolumes/" + volume, {{"spec", {{"claimRef", nullptr}}}});
}

void draw_pod_writes(Draft& draft) {
  Chance& chance = draft.chance();
  draft.make("mirror-pod m on a");
  draft.make("pod p on " + std::string(chance.pick({"a", "b"})) + " label tier");
  draft.make("pod loose");
  const auto pod = [&] { return std::string("pods/") + chance.pick({"m", "p", "p", "p", "loose", "none"}); };
  for (int count = 0; count < 6; ++count) {
    const std::string node = draft.node();
    Object owner = {{"apiVersion", chance.one_in(6) ? "v2" : "v1"},
                    {"kind", chance.one_in(6) ? "Pod" : "Node"},
                    {"name", "{" + (chance.one_in(4) ? draft.node() : node) + "}"},
                    {"uid", "{uid nodes/" + std::string(chance.pick({"a", "a", "b"})) + "}"}};
    if (!chance.one_in(4)) owner["controller"] = !chance.one_in(6);
    if (chance.one_in(6)) owner["blockOwnerDeletion"] = chance.one_in(2);
    Object owners = chance.one_in(8) ? Object::array() : Object::array({owner});
    if (chance.one_in(8)) owners.push_back(owner);
    Object body = {{"metadata", {{"ownerReferences", owners}}},
                   {"spec",
                    {{"nodeName", "{" + (chance.one_in(5) ? draft.node() : node) + "}"},
                     {"containers", {{{"name", "main"}, {"image", "registry.invalid/none"}}}}}}};
    if (!chance.one_in(6)) body["metadata"]["annotations"]["kubernetes.io/config.mirror"] = chance.pick({"x", ""});
    if (chance.one_in(6)) body["spec"]["serviceAccountName"] = "default";
    if (chance.one_in(8)) body["spec"]["volumes"] = {{{"name", "v"}, {"secret", {{"secretName", ""}}}}};
    draft.write(chance.one_in(2) ? "node " + node : draft.who(), "create pods/new", body);
  }
  for (int count = 0; count < 4; ++count) {
    const std::string deleted = pod();
    draft.write(draft.who(), "delete " + deleted);
    const std::string evicted = pod();
    draft.write(draft.who(), "create " + evicted + "/eviction", {{"metadata", {{"name", "p"}}}});
    std::string connect = "create " + pod();
    connect.append("/").append(chance.pick({"exec", "attach", "portforward", "proxy", "binding"}));
    draft.ask(draft.who(), connect);
    ask_about(draft, "pods", "p", "shop");
  }
  for (const Object& body :
       {Object{{"status", {{"phase", "Running"}}}}, Object{{"metadata", {{"labels", {{"tier", "new"}}}}}},
        Object{{"metadata", {{"annotations", {{"kubernetes.io/config.mirror", "new"}}}}}},
        Object{{"metadata", {{"labels", {{"", "x"}}}}}}, Object{{"metadata", {{"finalizers", {"example.com/x"}}}}},
        Object{{"status", {{"resourceClaimStatuses", {{{"name", "c"}, {"resourceClaimName", "x"}}}}}}},
        Object{{"spec", {{"nodeName", "{b}"}}}}}) {
    std::string target = pod();
    target += chance.pick({"/status", "/status", "/status", ""});
    draft.change(draft.who(), target, body);
  }
  draft.change(draft.who(), "pods/p/status", {}, {"/metadata/labels/tier"});
  draft.later("delete pods/p");
  draft.later("pod p on " + draft.node() + " label tier");
  draft.later("bind pods/loose to " + std::string(chance.pick({"a", "b"})));
  draft.later("delete nodes/a");
  draft.later("node a");
}

void draw_tokens(Draft& draft) {
  Chance& chance = draft.chance();
  draft.make("serviceaccount x");
  draft.make("csidriver d audience vault");
  draft.make("claim c volume pv");
  const std::string reference = chance.pick({"", " audience vault", " with csidriver d", " with claim c",
                                             " with claim c via ephemeral", " audience vault audience bank"});
  draft.make("pod t on " + std::string(chance.pick({"a", "a", "b"})) + " as x" + reference);
  if (!chance.one_in(3)) draft.make("volume pv for c " + std::string(chance.pick({"driver d", "on-path /data"})));
  for (int count = 0; count < 8; ++count) {
    Object spec = {{"boundObjectRef", {{"apiVersion", "v1"}, {"kind", "Pod"}, {"name", "t"}}}};
    const std::size_t flaw = chance.below(10);
    if (flaw != 0) spec["boundObjectRef"]["uid"] = flaw == 1 ? "{uid nodes/a}" : "{uid pods/t}";
    if (flaw == 2) spec["boundObjectRef"]["kind"] = chance.pick({"Secret", "Node", "pod", ""});
    if (flaw == 3) spec["boundObjectRef"]["name"] = "none";
    if (flaw == 4) spec.erase("boundObjectRef");
    if (!chance.one_in(5)) spec["audiences"] = {chance.pick({"vault", "vault", "bank", "vault2", ""})};
    if (chance.one_in(8)) spec["audiences"].push_back("vault");
    const std::string account = chance.pick({"x", "x", "x", "default", "xy"});
    draft.write(chance.one_in(4) ? draft.who() : "node a", "create serviceaccounts/" + account + "/token",
                {{"spec", spec}});
  }
  ask_about(draft, "serviceaccounts", "x", "shop");
  draft.later("delete pods/t");
  draft.later("pod t on " + draft.node() + " as x" + reference);
  draft.later("delete csidrivers/d");
  draft.later("csidriver d audience bank");
  draft.later("delete persistentvolumes/pv");
  draft.later_create("roles/granted", {{"rules",
                                        {{{"verbs", {"request-serviceaccounts-token-audience"}},
                                          {"apiGroups", {""}},
                                          {"resources", {chance.pick({"bank", "vault", "*"})}}}}}});
  draft.later_create(
      "rolebindings/granted",
      {{"roleRef", {{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", "Role"}, {"name", "granted"}}},
       {"subjects", {{{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", "Group"}, {"name", "system:nodes"}}}}});
}

}  // namespace nodebound::explore
