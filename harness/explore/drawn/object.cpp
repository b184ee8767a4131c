#include "harness/explore/drawn/object.h"

#include "harness/explore/drawn/certificates.h"
#include "harness/explore/drawn/devices.h"
#include "harness/explore/drawn/names.h"
#include "harness/explore/drawn/pod.h"

namespace nodebound::explore {
namespace {

std::string quantity(Chance& chance) {
  return chance.pick({"1Gi", "2Gi", "10Mi"});
}

Object taint(Chance& chance) {
  return {{"key", chance.pick({"dedicated", "node.kubernetes.io/not-ready", "team.example/x"})},
          {"effect", chance.pick({"NoSchedule", "NoExecute"})}};
}

Object node(Chance& chance, const std::string& name) {
  Object out = {{"spec", Object::object()}, {"status", Object::object()}};
  if (chance.one_in(4)) out["spec"]["taints"] = {taint(chance)};
  if (chance.one_in(6)) out["spec"]["unschedulable"] = true;
  if (chance.one_in(6)) out["spec"]["podCIDR"] = "10.0.0.0/24";
  if (chance.one_in(4)) out["status"]["capacity"] = {{"cpu", "2"}, {"memory", quantity(chance)}, {"pods", "110"}};
  if (chance.one_in(4)) {
    out["status"]["conditions"] = {{{"type", "Ready"}, {"status", chance.pick({"True", "False"})}}};
  }
  if (chance.one_in(8)) {
    out["spec"]["configSource"] = {
        {"configMap", {{"namespace", "shop"}, {"name", name}, {"kubeletConfigKey", "kubelet"}}}};
  }
  return out;
}

Object config_map(Chance& chance, const std::string&) {
  return chance.one_in(3) ? Object::object() : Object{{"data", {{chance.pick({"key", "other.key"}), "value"}}}};
}

Object secret(Chance& chance, const std::string&) {
  Object out = {{"data", {{chance.pick({"key", "token"}), "dmFsdWU="}}}};
  if (chance.one_in(3)) out["type"] = chance.pick({"Opaque", "example.com/own"});
  if (chance.one_in(8)) out["immutable"] = true;
  return out;
}

Object service_account(Chance& chance, const std::string&) {
  Object out = Object::object();
  if (chance.one_in(3)) out["secrets"] = {{{"name", drawn_name(chance)}}};
  if (chance.one_in(3)) out["imagePullSecrets"] = {{{"name", drawn_name(chance)}}};
  if (chance.one_in(6)) out["automountServiceAccountToken"] = false;
  return out;
}

Object claim(Chance& chance, const std::string&) {
  Object out = {{"spec",
                 {{"accessModes", {chance.pick({"ReadWriteOnce", "ReadOnlyMany"})}},
                  {"resources", {{"requests", {{"storage", quantity(chance)}}}}}}}};
  if (chance.one_in(2)) out["spec"]["volumeName"] = drawn_name(chance);
  return out;
}

Object persistent_volume(Chance& chance, const std::string&) {
  Object out = {{"spec", {{"capacity", {{"storage", quantity(chance)}}}, {"accessModes", {"ReadWriteOnce"}}}}};
  switch (chance.below(3)) {
    case 0:
      out["spec"]["hostPath"] = {{"path", "/data"}};
      break;
    case 1:
      out["spec"]["csi"] = {{"driver", "csi.example.com"},
                            {"volumeHandle", "one"},
                            {chance.pick({"nodePublishSecretRef", "nodeStageSecretRef", "controllerPublishSecretRef",
                                          "nodeExpandSecretRef", "controllerExpandSecretRef"}),
                             {{"name", drawn_name(chance)}, {"namespace", drawn_namespace(chance)}}}};
      break;
    default:
      out["spec"]["cephfs"] = {{"monitors", {"m"}},
                               {"secretRef", {{"name", drawn_name(chance)}, {"namespace", drawn_namespace(chance)}}}};
  }
  if (chance.one_in(2)) {
    out["spec"]["claimRef"] = {{"namespace", drawn_namespace(chance)}, {"name", drawn_name(chance)}};
  }
  return out;
}

Object attachment(Chance& chance, const std::string&) {
  return {{"spec",
           {{"attacher", "csi.example.com"},
            {"nodeName", drawn_node(chance)},
            {"source", {{"persistentVolumeName", drawn_name(chance)}}}}}};
}

Object csi_node(Chance& chance, const std::string& node) {
  Object drivers = Object::array();
  if (chance.one_in(2)) drivers.push_back({{"name", "csi.example.com"}, {"nodeID", node.empty() ? "x" : node}});
  return {{"spec", {{"drivers", drivers}}}};
}

Object lease(Chance& chance, const std::string& node) {
  Object out = {{"spec", {{"holderIdentity", node.empty() ? "somebody" : node}}}};
  if (chance.one_in(2)) out["spec"]["leaseDurationSeconds"] = 40;
  if (chance.one_in(2)) out["spec"]["renewTime"] = "2026-01-02T03:04:05.000000Z";
  return out;
}

Object event(Chance& chance, const std::string& node) {
  return {{"involvedObject", {{"kind", "Pod"}, {"namespace", "shop"}, {"name", drawn_name(chance)}}},
          {"reason", "Seen"},
          {"message", "by " + node},
          {"type", chance.pick({"Normal", "Warning"})},
          {"count", 1}};
}

// Without an address: each server would allocate another.
Object service(Chance& chance, const std::string&) {
  Object out = {{"spec", {{"clusterIP", "None"}, {"selector", {{"app", "web"}}}}}};
  if (chance.one_in(2)) out["spec"]["ports"] = {{{"name", "http"}, {"port", 80}}};
  return out;
}

Object policy_rules(Chance& chance) {
  Object rule = {{"apiGroups", {chance.pick({"", "", "*", "apps", "coordination.k8s.io"})}},
                 {"resources", {chance.pick({"secrets", "pods", "*", "pods/status", "nodes", "leases", "*/status"})}},
                 {"verbs", {chance.pick({"get", "list", "*", "create", "delete", "update"})}}};
  if (chance.one_in(3)) rule["resourceNames"] = {drawn_name(chance)};
  return {{"rules", {rule}}};
}

Object binding_to(Chance& chance, const char* kind) {
  Object subject;
  switch (chance.below(3)) {
    case 0:
      subject = {{"apiGroup", "rbac.authorization.k8s.io"},
                 {"kind", "User"},
                 {"name", chance.pick({"ann", "bob", "system:node:a"})}};
      break;
    case 1:
      subject = {{"apiGroup", "rbac.authorization.k8s.io"},
                 {"kind", "Group"},
                 {"name", chance.pick({"team", "system:nodes", "system:serviceaccounts:shop"})}};
      break;
    default:
      subject = {
          {"kind", "ServiceAccount"}, {"namespace", drawn_namespace(chance)}, {"name", drawn_service_account(chance)}};
  }
  return {{"subjects", {subject}},
          {"roleRef", {{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", kind}, {"name", drawn_name(chance)}}}};
}

Object cluster_role(Chance& chance, const std::string&) {
  Object out = policy_rules(chance);
  if (chance.one_in(4)) out["rules"].push_back({{"nonResourceURLs", {"/metrics*"}}, {"verbs", {"get"}}});
  return out;
}

Object role(Chance& chance, const std::string&) {
  return policy_rules(chance);
}

Object cluster_role_binding(Chance& chance, const std::string&) {
  return binding_to(chance, "ClusterRole");
}

Object role_binding(Chance& chance, const std::string&) {
  return binding_to(chance, chance.pick({"Role", "ClusterRole"}));
}

Object namespace_(Chance&, const std::string&) {
  return Object::object();
}

}  // namespace

const std::vector<DrawnKind>& drawn_kinds() {
  static const std::vector<DrawnKind> kinds = {
      {"", "pods", 24, drawn_pod},
      {"", "nodes", 12, node},
      {"", "secrets", 6, secret},
      {"", "configmaps", 6, config_map},
      {"", "serviceaccounts", 3, service_account},
      {"", "persistentvolumeclaims", 4, claim},
      {"", "persistentvolumes", 4, persistent_volume},
      {"", "namespaces", 1, namespace_},
      {"", "events", 3, event},
      {"storage.k8s.io", "volumeattachments", 4, attachment},
      {"storage.k8s.io", "csinodes", 4, csi_node},
      {"coordination.k8s.io", "leases", 5, lease},
      {"", "services", 2, service},
      {"resource.k8s.io", "resourceslices", 4, drawn_slice},
      {"resource.k8s.io", "resourceclaims", 3, drawn_claim_of_devices},
      {"certificates.k8s.io", "certificatesigningrequests", 3, drawn_signing_request},
      {"rbac.authorization.k8s.io", "roles", 2, role},
      {"rbac.authorization.k8s.io", "rolebindings", 2, role_binding},
      {"rbac.authorization.k8s.io", "clusterroles", 2, cluster_role},
      {"rbac.authorization.k8s.io", "clusterrolebindings", 2, cluster_role_binding},
  };
  return kinds;
}

void draw_metadata(Chance& chance, const std::string& node, Object& object) {
  Object& metadata = object["metadata"];
  if (chance.one_in(4)) {
    metadata["labels"]
            [chance.pick({"app", "node-role.kubernetes.io/master", "kubernetes.io/os", "kubernetes.io/hostname",
                          "node-restriction.kubernetes.io/pool", "node.kubernetes.io/instance-type",
                          "topology.kubernetes.io/zone", "kubelet.kubernetes.io/x", "example.com/x"})] =
                chance.pick({"web", "linux", "a", ""});
  }
  if (chance.one_in(8)) metadata["annotations"]["example.com/note"] = "a note";
  if (chance.one_in(12)) metadata["finalizers"] = {"example.com/hold"};
  if (chance.one_in(8)) {
    const std::string owner = chance.one_in(3) ? drawn_node(chance) : node;
    Object reference = {{"apiVersion", "v1"},
                        {"kind", chance.pick({"Node", "Node", "Pod"})},
                        {"name", owner.empty() ? "a" : owner},
                        {"uid", "{uid /api/v1/nodes/" + (owner.empty() ? std::string("a") : owner) + "}"}};
    if (chance.one_in(3)) reference["controller"] = true;
    metadata["ownerReferences"] = {reference};
  }
}

void add_unknown_field(Chance& chance, Object& object) {
  switch (chance.below(4)) {
    case 0:
      object["nothing"] = 1;
      break;
    case 1:
      object["metadata"]["nothing"] = "x";
      break;
    case 2:
      if (object.contains("spec") && object["spec"].is_object()) object["spec"]["nothing"] = Object::object();
      break;
    default:
      object["metadata"]["annotations"]["example.com/count"] = 7;
  }
}

void spoil(Chance& chance, Object& object) {
  Object& metadata = object["metadata"];
  switch (chance.below(8)) {
    case 0:
      metadata["name"] = drawn_bad_name(chance);
      break;
    case 1:
      metadata["labels"][chance.pick({"bad key", "/x", "a/b/c", "-x", ""})] = "x";
      break;
    case 2:
      metadata["labels"]["app"] = chance.pick({"-bad", "not ok", "x/y"});
      break;
    case 3:
      metadata["annotations"]["bad key"] = "x";
      break;
    case 4:
      metadata["finalizers"] = {"nodomain"};
      break;
    case 5:
      object.erase("spec");
      break;
    case 6:
      metadata["ownerReferences"] = {{{"apiVersion", "v1"}, {"kind", ""}, {"name", ""}, {"uid", ""}}};
      break;
    default:
      metadata["resourceVersion"] = chance.pick({"1", "x"});
  }
}

}  // namespace nodebound::explore
