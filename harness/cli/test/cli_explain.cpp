#include <boost/test/unit_test.hpp>

#include "harness/test/command_line.h"

BOOST_AUTO_TEST_SUITE(cli_explain)

using namespace command_line;

namespace {

constexpr const char* shop = R"(apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Pod
  metadata: {name: web, namespace: shop}
  spec: {nodeName: a, volumes: [{name: s, secret: {secretName: db}}]}
- {apiVersion: v1, kind: Node, metadata: {name: a}}
)";

}  // namespace

BOOST_AUTO_TEST_CASE(explain_says_what_is_decided_by_which_rule_and_why) {
  const Folder folder;
  folder.write("shop.yaml", shop);
  const std::string cluster = " --cluster " + (folder.path / "shop.yaml").string();
  const Ended allowed = nodebound("explain --release 1.32 --as node:a get secrets/db -n shop" + cluster);
  BOOST_TEST(allowed.code == 0, allowed.output);
  BOOST_TEST(says(allowed, "✓ Allowed by the Node authorizer"), allowed.output);
  BOOST_TEST(says(allowed, "<- pod shop/web  spec.volumes[].secret.secretName  (edge-secret-volume)"), allowed.output);
  const Ended refused = nodebound("explain --as node:b --release 1.32 get secrets/db --namespace=shop" + cluster);
  BOOST_TEST(refused.code == 0, refused.output);
  BOOST_TEST(says(refused, "no relationship found between node 'b' and this object"), refused.output);
  BOOST_TEST(says(refused, "the pod is bound to node a"), refused.output);
}

BOOST_AUTO_TEST_CASE(explain_takes_flags_of_the_request_anywhere) {
  for (const std::string arguments : {"list pods -A --field-selector spec.nodeName=a --as node:a",
                                      "--as node:a -A list --field-selector=spec.nodeName=a pods"}) {
    const Ended ended = nodebound("explain " + arguments);
    BOOST_TEST(ended.code == 0, ended.output);
    BOOST_TEST(says(ended, "GET /api/v1/pods?fieldSelector=spec.nodeName%3Da"), ended.output);
    BOOST_TEST(says(ended, "pod-selector"), ended.output);
  }
}

BOOST_AUTO_TEST_CASE(explain_says_what_it_was_not_given) {
  const Ended ended = nodebound("explain --as node:a patch nodes/a");
  BOOST_TEST(ended.code == 0);
  BOOST_TEST(says(ended, "empty but for the bootstrap roles"), ended.output);
  BOOST_TEST(says(ended, "admission was not asked: give the object with --body"), ended.output);
}

BOOST_AUTO_TEST_CASE(explain_understands_requests_as_people_write_them) {
  const std::pair<std::string, std::string> rows[] = {
      {"--as node:a create certificatesigningrequests/nodeclient", "sent      nothing: no request is like that"},
      {"--as user:bob approve signers/kubernetes.io/kubelet-serving",
       "asked     approve signers/kubernetes.io/kubelet-serving"},
      {"--as node:a get po/web", "GET /api/v1/namespaces/default/pods/web"},
      {"--as node:a get deploy/web -n shop", "GET /apis/apps/v1/namespaces/shop/deployments/web"},
      {"--as node:a get csr/x", "GET /apis/certificates.k8s.io/v1/certificatesigningrequests/x"},
      {"--as user:bob update csr/x --subresource approval",
       "PUT /apis/certificates.k8s.io/v1/certificatesigningrequests/x/approval"},
      {"--as node:a get pods/web/log", "GET /api/v1/namespaces/default/pods/web/log"},
      {"--as node:a get pods/web --subresource=log", "GET /api/v1/namespaces/default/pods/web/log"},
      {"--as system:node:a get nodes/a", "system:node:a [system:nodes, system:authenticated]"},
      {"--as system:serviceaccount:shop:web get pods/web", "[system:serviceaccounts, system:serviceaccounts:shop,"},
  };
  for (const auto& [arguments, expected] : rows) {
    const Ended ended = nodebound("explain " + arguments);
    BOOST_TEST(ended.code == 0, arguments << ": " << ended.output);
    BOOST_TEST(says(ended, expected), arguments << " said " << ended.output);
  }
}

BOOST_AUTO_TEST_CASE(explain_warns_of_a_release_that_is_none) {
  const Ended none = nodebound("explain --as node:a get pods/web --release 1.32.99");
  BOOST_TEST(none.code == 0, none.output);
  BOOST_TEST(says(none, "warning: --release: there is no Kubernetes 1.32.99"), none.output);
  BOOST_TEST(!says(nodebound("explain --as node:a get pods/web --release 1.31.14"), "warning"));
}

BOOST_AUTO_TEST_CASE(explain_reads_a_body_and_standard_input) {
  const Folder folder;
  folder.write("shop.yaml", shop);
  folder.write("taint.yaml", "spec: {taints: [{key: x, effect: NoSchedule}]}\n");
  const Ended ended =
      nodebound("explain --as node:a patch nodes/a --format json --body " + (folder.path / "taint.yaml").string() +
                " --cluster - < " + (folder.path / "shop.yaml").string());
  BOOST_TEST(ended.code == 0, ended.output);
  BOOST_TEST(says(ended, "\"by\": \"NodeRestriction\""), ended.output);
  BOOST_TEST(says(ended, "\"id\": \"node-taints\""), ended.output);
}

BOOST_AUTO_TEST_CASE(explain_ends_with_2_on_bad_input_and_says_where) {
  const Folder folder;
  folder.write("bad.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: x\n");
  folder.write("unnamed.yaml", "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod}\n");
  folder.write("laughs.yaml", "a: &a [x]\nb: [*a, *a]\n");
  folder.write("odd.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: x, annotations: {a: b}}\nspec: 7\n");
  folder.write("bytes", "\xff\xfe\x00");
  const std::string in = " --cluster " + folder.path.string() + "/";
  const std::pair<std::string, std::string> mistakes[] = {
      {"", "request"},
      {"get secrets/db", "--as"},
      {"--as node: get secrets/db", "expected node:NAME, user:NAME[,GROUP...], admin or anonymous"},
      {"--as node:a get secret/db", "did you mean \"secrets\""},
      {"--as node:a get secrets/db --no-such-flag", "--no-such-flag"},
      {"--as node:a get secrets/db --release nonsense", "give it like 1.36 or 1.36.3"},
      {"--as node:a get secrets/db --release 1.30 --feature-gates AuthorizeNodeWithSelectors=true",
       "has no feature gate"},
      {"--as node:a get secrets/db --format xml", "--format"},
      {"--as node:a get secrets/db --cluster /nonexistent", "cannot be read"},
      {"--as node:a get secrets/db --cluster /", "cannot be read: it is a folder"},
      {"--as node:a get secrets/db --cluster - --cluster -", "only once"},
      {"--as node:a get secrets/db" + in + "bad.yaml", "bad.yaml:4: is not valid YAML"},
      {"--as node:a get secrets/db" + in + "unnamed.yaml", "unnamed.yaml:4: an object without metadata.name"},
      {"--as node:a get secrets/db" + in + "laughs.yaml", "laughs.yaml:2: is an alias"},
      {"--as node:a get secrets/db" + in + "bytes", "bytes:1: "},
      {"--as node:a get secrets/db --body /dev/null", "expected one object"},
  };
  for (const auto& [arguments, expected] : mistakes) {
    const Ended ended = nodebound("explain " + arguments);
    BOOST_TEST(ended.code == 2, arguments << " ended with " << ended.code << ": " << ended.output);
    BOOST_TEST(says(ended, expected), arguments << " said " << ended.output);
  }
  const Ended odd = nodebound("explain --as node:a get secrets/db" + in + "odd.yaml");
  BOOST_TEST(odd.code == 0, odd.output);
}

namespace {

constexpr const char* fleet = R"(apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: old}, status: {nodeInfo: {kubeletVersion: v1.32.4}}}
- {apiVersion: v1, kind: Node, metadata: {name: new}, status: {nodeInfo: {kubeletVersion: v1.33.2-gke.1}}}
- apiVersion: rbac.authorization.k8s.io/v1
  kind: ClusterRole
  metadata: {name: agent, resourceVersion: "17"}
  rules:
  - {apiGroups: [""], resources: [nodes/proxy, pods], verbs: [get, create]}
- apiVersion: rbac.authorization.k8s.io/v1
  kind: ClusterRoleBinding
  metadata: {name: agents}
  roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: agent}
  subjects: [{kind: ServiceAccount, name: agent, namespace: monitoring}]
)";

}  // namespace

BOOST_AUTO_TEST_CASE(explain_says_which_reviews_a_kubelet_sends) {
  const Folder folder;
  folder.write("fleet.yaml", fleet);
  const std::string asked = "explain --as user:system:serviceaccount:monitoring:agent GET /pods --cluster " +
                            (folder.path / "fleet.yaml").string() + " --kubelet ";
  const Ended with_fine = nodebound(asked + "new");
  BOOST_TEST(with_fine.code == 0, with_fine.output);
  BOOST_TEST(says(with_fine, "kubelet   1.33.2 of node new"), with_fine.output);
  BOOST_TEST(says(with_fine, "✓ Allowed by RBAC, for get nodes/proxy"), with_fine.output);
  BOOST_TEST(says(with_fine, "get nodes/pods   not allowed"), with_fine.output);
  BOOST_TEST(says(with_fine, "> 1.33 – 1.37  allowed  get nodes/pods, then get nodes/proxy"), with_fine.output);
  BOOST_TEST(says(nodebound(asked + "old"), "rule      kubelet-subresource"));
  BOOST_TEST(
      says(nodebound(asked + "old --feature-gates KubeletFineGrainedAuthz=true"), "get nodes/pods   not allowed"));

  folder.write("open.yaml",
               "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n"
               "authorization: {mode: AlwaysAllow}\nauthentication: {anonymous: {enabled: true}}\n");
  const Ended open = nodebound("explain --kubelet 1.36 --as anonymous POST /run/a/b/c --kubelet-config " +
                               (folder.path / "open.yaml").string());
  BOOST_TEST(says(open, "Allowed without a review"), open.output);
  BOOST_TEST(says(nodebound("explain --kubelet 1.36 --as user:x GET /nothing"), "404 before authentication"));
  const Ended json = nodebound("explain --kubelet 1.36 --as user:x GET /configz --format json");
  BOOST_TEST(says(json, "\"subresource\": \"configz\""), json.output);
}

BOOST_AUTO_TEST_CASE(explain_proposes_less_than_proxy_for_a_fleet) {
  const Folder folder;
  folder.write("fleet.yaml", fleet);
  const std::string cluster = "explain --fleet --cluster " + (folder.path / "fleet.yaml").string();
  const Ended usual = nodebound(cluster);
  BOOST_TEST(usual.code == 0, usual.output);
  BOOST_TEST(says(usual, "GET /pods              get nodes/proxy on 1.32.4; get nodes/pods on 1.33.2"), usual.output);
  BOOST_TEST(says(usual, "stays for GET /pods on kubelets 1.32.4"), usual.output);
  BOOST_TEST(says(usual, "once all kubelets are 1.33.0 or newer"), usual.output);
  BOOST_TEST(says(usual, "still possible: GET /exec"), usual.output);
  BOOST_TEST(!says(usual, "still possible: POST"), usual.output);

  const Ended metrics = nodebound(cluster + " --needs 'GET /metrics' --needs 'GET /stats/summary' --format yaml");
  BOOST_TEST(metrics.output ==
             "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: agent\nrules:\n"
             "- apiGroups:\n  - \"\"\n  resources:\n  - pods\n  verbs:\n  - get\n  - create\n"
             "- apiGroups:\n  - \"\"\n  resources:\n  - nodes/metrics\n  - nodes/stats\n  verbs:\n  - get\n");
  BOOST_TEST(
      says(nodebound(cluster + " --needs 'GET /metrics'"), "exec, attach, port-forward, run and logs are refused"));

  BOOST_TEST(nodebound("explain --fleet").code == 2);
  BOOST_TEST(nodebound(cluster + " --needs pods").code == 2);
  BOOST_TEST(nodebound("explain").code == 2);
}

BOOST_AUTO_TEST_SUITE_END()
