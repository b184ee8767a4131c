#include "harness/explore/episode/topics.h"

namespace nodebound::explore {
namespace {

const char* label_key(Chance& chance) {
  return chance.pick({"kubernetes.io/hostname",
                      "kubernetes.io/os",
                      "beta.kubernetes.io/arch",
                      "node.kubernetes.io/instance-type",
                      "topology.kubernetes.io/zone",
                      "failure-domain.beta.kubernetes.io/region",
                      "kubelet.kubernetes.io/x",
                      "x.kubelet.kubernetes.io/x",
                      "node.kubernetes.io/x",
                      "x.node.kubernetes.io/x",
                      "xnode.kubernetes.io/x",
                      "node-restriction.kubernetes.io/x",
                      "x.node-restriction.kubernetes.io/x",
                      "xnode-restriction.kubernetes.io/x",
                      "node-role.kubernetes.io/master",
                      "kubernetes.io/x",
                      "k8s.io/x",
                      "x.k8s.io/x",
                      "xk8s.io/x",
                      "example.com/x",
                      "x",
                      "kubernetes.io"});
}

Object node_change(Chance& chance) {
  switch (chance.below(8)) {
    case 0:
      return {{"spec", {{"taints", {{{"key", chance.pick({"x", "y"})}, {"effect", "NoSchedule"}}}}}}};
    case 1:
      return {{"spec", {{"unschedulable", true}}}};
    case 2:
      return {{"metadata",
               {{"ownerReferences",
                 {{{"apiVersion", "v1"}, {"kind", "Node"}, {"name", "{b}"}, {"uid", "{uid nodes/b}"}}}}}}};
    case 3:
      return {{"spec",
               {{"configSource",
                 {{"configMap", {{"namespace", "{ns shop}"}, {"name", "x"}, {"kubeletConfigKey", "kubelet"}}}}}}}};
    case 4:
      return {{"status", {{"capacity", {{"cpu", "2"}}}}}};
    case 5:
      return {{"metadata", {{"annotations", {{chance.pick({"example.com/x", "kubernetes.io/x"}), "x"}}}}}};
    default:
      return {{"metadata", {{"labels", {{label_key(chance), chance.pick({"x", ""})}}}}}};
  }
}

std::string on(Draft& draft) {
  return " on " + draft.node();
}

}  // namespace

void draw_node_writes(Draft& draft) {
  Chance& chance = draft.chance();
  const std::string label = label_key(chance);
  draft.make("node n label " + label + (chance.one_in(2) ? " taint x" : ""));
  for (int count = 0; count < 14; ++count) {
    const std::string node = chance.pick({"n", "n", "n", "a", "b", "ab", "none"});
    const std::string who = chance.one_in(3) ? draft.who() : (chance.one_in(3) ? "widened " : "node ") + node;
    std::string target = "nodes/" + (chance.one_in(8) ? draft.node() : node);
    target += chance.pick({"", "/status"});
    if (chance.one_in(6)) {
      draft.change(
          who, target, {},
          {chance.pick({"/spec/taints", "/metadata/labels", "/status/capacity", "/metadata/ownerReferences"})});
    } else {
      draft.change(who, target, node_change(chance));
    }
  }
  // Which node has the labels does not matter: only the key decides.
  for (int count = 0; count < 10; ++count) {
    draft.change("node n", "nodes/n", {{"metadata", {{"labels", {{label_key(chance), chance.pick({"x", ""})}}}}}});
  }
  for (int count = 0; count < 4; ++count) {
    const std::string node = chance.pick({"n", "c", "c", "cc"});
    const std::string creator = chance.one_in(3) ? draft.who() : "node " + node;
    draft.write(creator, "create nodes/" + node, node_change(chance));
    draft.write(draft.who(), "delete nodes/" + node);
    ask_about(draft, "nodes", node, "");
  }
  draft.later("delete nodes/n");
  draft.later("node n");
  draft.later("node c label " + label);
  draft.later_change("nodes/n", node_change(chance));
}

void draw_owned(Draft& draft) {
  Chance& chance = draft.chance();
  draft.make("attachment va" + on(draft));
  draft.make("slice s" + on(draft));
  draft.make("csinode a");
  draft.make("lease a -n kube-node-lease");
  for (int count = 0; count < 3; ++count) {
    ask_about(draft, "volumeattachments.storage.k8s.io", "va", "");
    ask_about(draft, "resourceslices.resource.k8s.io", "s", "");
    ask_about(draft, "csinodes.storage.k8s.io", "a", "");
    const std::string lease = chance.pick({"a", "b"});
    ask_about(draft, "leases.coordination.k8s.io", lease, chance.pick({"kube-node-lease", "shop"}));
    const std::string node = draft.node();
    draft.write(draft.who(), "create csinodes.storage.k8s.io/" + node, {{"spec", {{"drivers", Object::array()}}}});
    std::string request = "create leases.coordination.k8s.io/" + node;
    request.append(" -n ").append(chance.pick({"kube-node-lease", "shop"}));
    draft.write(draft.who(), request, {{"spec", {{"leaseDurationSeconds", 40}}}});
    draft.write(draft.who(), "create resourceslices.resource.k8s.io/new",
                {{"since 1.31",
                  {{"spec",
                    {{"driver", "driver.example.com"},
                     {"nodeName", "{" + node + "}"},
                     {"pool", {{"name", "{new}"}, {"generation", 1}, {"resourceSliceCount", 1}}}}}}},
                 {"until 1.31",
                  {{"nodeName", "{" + node + "}"},
                   {"driverName", "driver.example.com"},
                   {"namedResources", {{"instances", Object::array()}}}}}});
    draft.write(draft.who(), "delete resourceslices.resource.k8s.io/s");
    draft.change(draft.who(), "leases.coordination.k8s.io/a -n kube-node-lease",
                 {{"spec", {{"holderIdentity", "{a}"}}}});
    draft.change(draft.who(), "csinodes.storage.k8s.io/a", {{"metadata", {{"labels", {{"tier", "x"}}}}}});
  }
  draft.later("delete volumeattachments/va");
  draft.later("attachment va" + on(draft));
  draft.later("delete resourceslices/s");
  draft.later("slice s" + on(draft));
}

void draw_certificates(Draft& draft) {
  Chance& chance = draft.chance();
  for (int count = 0; count < 6; ++count) {
    const std::string node = draft.node();
    const std::string name = chance.pick(
        {"system:node:{a}", "system:node:{b}", "system:node:{ab}", "system:node:", "{a}", "system:nodes:{a}", "x"});
    draft.write("node " + node, "create certificatesigningrequests/r",
                {{"spec",
                  {{"signerName", chance.pick({"kubernetes.io/kubelet-serving", "kubernetes.io/kubelet-serving",
                                               "kubernetes.io/kube-apiserver-client-kubelet",
                                               "kubernetes.io/kube-apiserver-client", "example.com/x"})},
                   {"request", chance.one_in(8) ? "{base64 no request}" : "{csr " + name + "}"},
                   {"usages", {"digital signature", chance.pick({"server auth", "client auth"})}}}}});
  }
  draft.make("serviceaccount x");
  draft.make("pod t on a as x certificate example.com/signer");
  draft.make("pod-certificate-request q" + on(draft));
  ask_about(draft, "podcertificaterequests.certificates.k8s.io", "q", "shop");
  ask_about(draft, "certificatesigningrequests.certificates.k8s.io", "r", "");
  draft.later("delete podcertificaterequests/q");
  draft.later("pod-certificate-request q" + on(draft));
}

}  // namespace nodebound::explore
