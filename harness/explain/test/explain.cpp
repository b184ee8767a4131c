#include <boost/test/unit_test.hpp>
#include <sstream>

#include "harness/explain/explanation_json.h"
#include "harness/explain/explanation_text.h"

BOOST_AUTO_TEST_SUITE(explanations)

using namespace nodebound;
using namespace nodebound::explain;

namespace {

constexpr std::string_view shop = R"(apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Pod
  metadata: {name: web, namespace: shop, uid: u1}
  spec:
    nodeName: a
    serviceAccountName: web
    containers: [{name: main, env: [{name: P, valueFrom: {secretKeyRef: {name: db, key: k}}}]}]
    volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
- apiVersion: v1
  kind: PersistentVolume
  metadata: {name: disk}
  spec:
    claimRef: {namespace: shop, name: data}
    csi: {nodeStageSecretRef: {namespace: vault, name: stage}}
- {apiVersion: v1, kind: Pod, metadata: {name: other, namespace: elsewhere}, spec: {nodeName: a}}
- {apiVersion: v1, kind: Node, metadata: {name: a, labels: {keep: me}}, spec: {unschedulable: true}}
- {apiVersion: v1, kind: Secret, metadata: {name: db, namespace: shop}}
)";

std::vector<std::string> words_in(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream in(line);
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/// A question about namespace shop: `as`, then verb and target, namespace, body.
struct Asked {
  std::string as;
  std::string request;
  std::string namespace_ = "shop";
  std::string body = {};
  std::string selector = {};
  std::set<std::string> plugins = {};
  std::string_view cluster = shop;

  [[nodiscard]] Result<Question> question() const {
    QuestionText text;
    text.as = as;
    text.words = words_in(request);
    text.namespace_ = namespace_ == "-A" ? "" : namespace_;
    text.all_namespaces = namespace_ == "-A";
    text.field_selector = selector;
    std::optional<Object> object;
    if (!body.empty()) object = *read_body(body, "body.yaml");
    Result<Question> question = understand(text, std::move(object), "body.yaml");
    if (question) question->set_cluster(*read_cluster_objects(cluster, "shop.yaml"));
    if (question) question->enabled_plugins = plugins;
    return question;
  }
};

Explanation explained(const Asked& asked, const std::string& version = "1.36.3", const GateSettings& gates = {}) {
  const Catalogue& catalogue = Catalogue::built_in();
  const Result<Question> question = asked.question();
  BOOST_REQUIRE_MESSAGE(question, (question ? "" : question.error().text()));
  const Result<Release> release = Release::make(catalogue, *Version::parse(version), gates);
  BOOST_REQUIRE(release);
  Result<Explanation> explanation = explain::explain(catalogue, *release, gates, *question);
  BOOST_REQUIRE_MESSAGE(explanation, (explanation ? "" : explanation.error().text()));
  return *explanation;
}

std::string mistake_in(const Asked& asked) {
  const Result<Question> question = asked.question();
  return question ? "" : question.error().text();
}

/// `1.7 – 1.10 refused some-rule` for each range.
std::vector<std::string> ranges_of(const Explanation& explanation) {
  std::vector<std::string> out;
  for (const AnswerSpan& range : explanation.releases) {
    out.push_back(range.text() + (range.answer.allowed ? " allowed " : " refused ") +
                  explanation.rules.catalogue()[range.answer.rule].id + (range.asked ? " <" : ""));
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(questions)

BOOST_AUTO_TEST_CASE(subjects_get_the_groups_that_a_server_adds) {
  const std::vector<std::pair<std::string, Subject>> rows = {
      {"node:a", {"system:node:a", {"system:nodes", "system:authenticated"}, "", {}}},
      {"user:alice,dev,ops", {"alice", {"dev", "ops", "system:authenticated"}, "", {}}},
      {"user:system:serviceaccount:shop:web",
       {"system:serviceaccount:shop:web",
        {"system:serviceaccounts", "system:serviceaccounts:shop", "system:authenticated"},
        "",
        {}}},
      {"admin", {"admin", {"system:masters", "system:authenticated"}, "", {}}},
      {"anonymous", {"system:anonymous", {"system:unauthenticated"}, "", {}}},
      {"system:anonymous", {"system:anonymous", {"system:unauthenticated"}, "", {}}},
      {"system:node:a", {"system:node:a", {"system:nodes", "system:authenticated"}, "", {}}},
      {"system:serviceaccount:shop:web",
       {"system:serviceaccount:shop:web",
        {"system:serviceaccounts", "system:serviceaccounts:shop", "system:authenticated"},
        "",
        {}}},
  };
  for (const auto& [text, expected] : rows) BOOST_CHECK_MESSAGE(*parse_subject(text) == expected, text);
  for (const char* wrong : {"", "node:", "user:", "user:,dev", "bob", "Node:a", "system:node:", "system:masters"}) {
    BOOST_TEST(!parse_subject(wrong), wrong);
  }
}

BOOST_AUTO_TEST_CASE(a_request_is_sent_as_kubectl_sends_it) {
  struct Row {
    Asked asked;
    std::string sent;
  };
  const std::vector<Row> rows = {
      {{"node:a", "get secrets/db"}, "GET /api/v1/namespaces/shop/secrets/db"},
      {{"node:a", "get secrets/db", ""}, "GET /api/v1/namespaces/default/secrets/db"},
      {{"node:a", "list pods", "-A", "", "spec.nodeName=a"}, "GET /api/v1/pods?fieldSelector=spec.nodeName%3Da"},
      {{"node:a", "watch pods"}, "GET /api/v1/namespaces/shop/pods?watch=true"},
      {{"node:a", "patch nodes/a/status"}, "PATCH /api/v1/nodes/a/status"},
      {{"node:a", "create pods/web/eviction"}, "POST /api/v1/namespaces/shop/pods/web/eviction"},
      {{"node:a", "create pods", "", "metadata: {name: m, namespace: far}"}, "POST /api/v1/namespaces/far/pods"},
      {{"node:a", "get /healthz"}, "GET /healthz"},
      {{"node:a", "get po/web"}, "GET /api/v1/namespaces/shop/pods/web"},
      {{"node:a", "update csr/x/approval"}, "PUT /apis/certificates.k8s.io/v1/certificatesigningrequests/x/approval"},
      {{"node:a", "get nodes/a/proxy/metrics"}, "GET /api/v1/nodes/a/proxy/metrics"},
  };
  for (const Row& row : rows) {
    const Result<Question> question = row.asked.question();
    BOOST_REQUIRE(question);
    BOOST_TEST(question->method + " " + question->target == row.sent);
  }
}

BOOST_AUTO_TEST_CASE(a_request_that_is_none_is_told) {
  const std::vector<std::pair<Asked, std::string>> rows = {
      {{"node:a", "get"}, "expected a verb and a target"},
      {{"node:a", "get secret/db"}, "did you mean \"secrets\""},
      {{"node:a", "get secrets db"}, "unexpected \"db\""},
      {{"node:a", "fetch secrets/db"}, "unknown verb \"fetch\""},
      {{"node:a", "read secrets/db"}, "unknown verb \"read\""},
      {{"node:a", "aprove signers/kubernetes.io/x"}, "did you mean \"approve\""},
      {{"node:a", "get signers/kubernetes.io/x"}, "expected approve, sign or attest"},
      {{"node:a", "list secrets/db"}, "takes no name"},
      {{"node:a", "patch nodes"}, "needs a name"},
      {{"node:a", "get secrets/db", "-A"}, "in all namespaces"},
      {{"node:a", "get nodes/a", "", "a: b"}, "a get has no object"},
      {{"node:a", "create pods/web", "", "metadata: {name: x}"}, "metadata.name is \"x\""},
      {{"node:a", "create pods", "", "metadata: {namespace: x}"}, "no metadata.name"},
      {{"node:a", "create pods", "", "metadata: 7"}, "metadata is no mapping"},
      {{"node:a", "update nodes/a", "", "{kind: Pod}"}, "is a Pod, but the request is for nodes"},
      {{"node:a", "create pods", "shop", "metadata: {name: x, namespace: y}"}, "metadata.namespace is \"y\""},
  };
  for (const auto& [asked, expected] : rows) {
    const std::string told = mistake_in(asked);
    BOOST_TEST(told.find(expected) != std::string::npos, asked.request << " gave " << told);
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_request_is_asked_as_a_review) {
  struct Row {
    std::string request;
    std::string attributes;  ///< verb, group, resource, subresource, namespace, name
  };
  const std::vector<Row> rows = {
      {"create certificatesigningrequests/nodeclient",
       "create certificates.k8s.io certificatesigningrequests nodeclient - -"},
      {"create csr/selfnodeclient", "create certificates.k8s.io certificatesigningrequests selfnodeclient - -"},
      {"approve signers/kubernetes.io/kubelet-serving",
       "approve certificates.k8s.io signers - - kubernetes.io/kubelet-serving"},
      {"sign signers.certificates.k8s.io/example.com/x", "sign certificates.k8s.io signers - - example.com/x"},
      {"approve signers", "approve certificates.k8s.io signers - - -"},
      {"get nodes/proxy", "get - nodes proxy - -"},
      {"get nodes/metrics", "get - nodes metrics - -"},
      {"update pods/status", "update - pods status shop -"},
      {"impersonate users/alice", "impersonate - users - - alice"},
      {"bind clusterroles/admin", "bind rbac.authorization.k8s.io clusterroles - - admin"},
  };
  for (const Row& row : rows) {
    const Result<Question> question = Asked{"node:a", row.request}.question();
    BOOST_REQUIRE_MESSAGE(question, row.request << (question ? "" : question.error().text()));
    const Attributes& a = question->attributes;
    std::string attributes = a.verb;
    for (const std::string& part : {a.api_group, a.resource, a.subresource, a.namespace_, a.name}) {
      attributes += " " + (part.empty() ? "-" : part);
    }
    BOOST_TEST(question->reviewed, row.request);
    BOOST_TEST(attributes == row.attributes);
  }
  BOOST_TEST(!Asked({"node:a", "get nodes/a"}).question()->reviewed);
}

BOOST_AUTO_TEST_CASE(pods_that_cannot_matter_are_left_out) {
  const auto pods = [](const Asked& asked) {
    const Result<Question> question = asked.question();
    BOOST_REQUIRE(question);
    BOOST_TEST(question->given.count == 5U);
    return 5U - question->given.count + question->objects.size();
  };
  BOOST_TEST(pods({"node:a", "get secrets/db"}) == 4U);
  BOOST_TEST(pods({"node:a", "get secrets/stage", "vault"}) == 4U);
  BOOST_TEST(pods({"node:a", "get persistentvolumes/disk"}) == 4U);
  BOOST_TEST(pods({"node:a", "get persistentvolumes/none"}) == 3U);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(answers)

BOOST_AUTO_TEST_CASE(who_decided_and_by_which_rule_is_said) {
  struct Row {
    Asked asked;
    std::string headline;
    Rule rule;
  };
  const std::vector<Row> rows = {
      {{"node:a", "get secrets/db"}, "allowed by the Node authorizer", Rule::secret_through_pod},
      {{"node:b", "get secrets/db"}, "refused: no authorizer allows it", Rule::secret_through_pod},
      {{"admin", "get secrets/db"}, "allowed to members of system:masters", Rule::masters_group},
      {{"anonymous", "get /healthz"}, "allowed by RBAC", Rule::rbac_subject_group},
      {{"user:alice", "get secrets/db"}, "refused: no authorizer allows it", Rule::rbac_resource},
      {{"user:system:node:a", "get secrets/db"}, "refused: no authorizer allows it", Rule::node_identity_group},
      {{"node:b", "delete pods/web"}, "refused by the admission plugin NodeRestriction", Rule::pod_delete_own},
      {{"node:b", "create pods/web/eviction"}, "refused by the admission plugin NodeRestriction", Rule::pod_evict_own},
      {{"node:a", "delete pods/web"}, "allowed by the Node authorizer, and admitted", Rule::pod_create_delete},
      {{"node:a", "patch nodes/a", "", "metadata: {labels: {node-restriction.kubernetes.io/x: y}}"},
       "refused by the admission plugin NodeRestriction",
       Rule::node_restricted_labels_update},
      {{"node:a", "patch nodes/a", "", "metadata: {labels: {free: y}}"},
       "allowed by the Node authorizer, and admitted",
       Rule::node_write},
  };
  for (const Row& row : rows) {
    const Explanation explanation = explained(row.asked);
    BOOST_TEST(headline(explanation.answer) == row.headline, row.asked.request << " as " << row.asked.as);
    BOOST_TEST((explanation.answer.rule == row.rule), row.asked.request
                                                          << " as " << row.asked.as << " by "
                                                          << explanation.rules.catalogue()[explanation.answer.rule].id);
  }
}

BOOST_AUTO_TEST_CASE(a_patch_is_merged_into_the_object_and_an_update_replaces_it) {
  // Taints are a list that a strategic patch does not merge; the labels it leaves are still there.
  BOOST_TEST(explained({"node:a", "patch nodes/a", "", "metadata: {labels: {free: y}}"}).answer.allowed);
  BOOST_TEST(explained({"node:a", "update nodes/a", "", "metadata: {labels: {keep: me}}"}).answer.allowed);
  const Explanation taint =
      explained({"node:a", "patch nodes/a", "", "spec: {taints: [{key: x, effect: NoSchedule}]}"});
  BOOST_TEST(taint.rules.catalogue()[taint.answer.rule].id == "node-taints");
}

BOOST_AUTO_TEST_CASE(what_admission_was_not_asked_is_said) {
  const std::vector<std::pair<Asked, std::string>> rows = {
      {{"node:a", "create pods"}, "admission was not asked: give the object with --body"},
      {{"node:a", "patch nodes/a"}, "admission was not asked: give the object with --body"},
      {{"node:a", "delete pods/none"}, "shop/none is not in the cluster; give it with --cluster"},
      {{"admin", "create pods/web/exec"}, "a connection is no write"},
      {{"admin", "deletecollection pods"}, "ask for the delete of one"},
      {{"admin", "patch nodes/a", "", "{spec: {$patch: 7, taints: [7]}}"}, "the patch does not apply"},
      {{"node:b", "get secrets/db"}, ""},
  };
  for (const auto& [asked, note] : rows) {
    const ReferenceAnswer found = explained(asked).answer;
    BOOST_TEST(found.why_not_admission.find(note) != std::string::npos,
               asked.request << ": " << found.why_not_admission);
    BOOST_TEST(found.why_not_admission.empty() == note.empty(), asked.request << ": " << found.why_not_admission);
  }
}

BOOST_AUTO_TEST_CASE(plugins_that_are_off_by_default_are_asked_if_they_are_on) {
  const std::string body =
      "{metadata: {ownerReferences: [{apiVersion: v1, kind: Pod, name: none, uid: u}]}, kind: Node, apiVersion: v1}";
  const Asked asked{"node:a", "patch nodes/a", "", body};
  BOOST_TEST(explained(asked, "1.30.14").answer.allowed);
  Asked with_plugin = asked;
  with_plugin.plugins = {"OwnerReferencesPermissionEnforcement"};
  const Explanation refused = explained(with_plugin, "1.30.14");
  BOOST_TEST(!refused.answer.allowed);
  BOOST_TEST(refused.answer.by == "OwnerReferencesPermissionEnforcement");
  BOOST_TEST((refused.answer.rule == Rule::owner_change_needs_delete));
  BOOST_TEST(refused.answer.reason == "cannot set an ownerRef on a resource you can't delete: , <nil>");
}

BOOST_AUTO_TEST_CASE(an_owner_may_be_of_a_kind_that_the_cluster_defines) {
  constexpr std::string_view defining = R"(apiVersion: v1
kind: List
items:
- apiVersion: apiextensions.k8s.io/v1
  kind: CustomResourceDefinition
  metadata: {name: parts.example.com}
  spec:
    group: example.com
    scope: Namespaced
    names: {plural: parts, kind: Part}
    versions: [{name: v1, served: true}]
- apiVersion: rbac.authorization.k8s.io/v1
  kind: ClusterRole
  metadata: {name: maker}
  rules: [{apiGroups: [""], resources: [configmaps], verbs: [create]}]
- apiVersion: rbac.authorization.k8s.io/v1
  kind: ClusterRoleBinding
  metadata: {name: maker}
  roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: maker}
  subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: alice}]
)";
  const auto reason_for = [&](const std::string& kind) {
    Asked asked{"user:alice", "create configmaps"};
    asked.body =
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: m, namespace: shop, ownerReferences: [{apiVersion: "
        "example.com/v1, kind: " +
        kind + ", name: p, uid: u, blockOwnerDeletion: true}]}}";
    asked.plugins = {"OwnerReferencesPermissionEnforcement"};
    asked.cluster = defining;
    return explained(asked).answer.reason;
  };
  BOOST_TEST(reason_for("Part").find("can't set finalizers on") != std::string::npos, reason_for("Part"));
  BOOST_TEST(reason_for("Whole").find("cannot find RESTMapping") != std::string::npos, reason_for("Whole"));
}

BOOST_AUTO_TEST_CASE(a_mirror_pod_with_a_secret_is_refused_before_node_restriction) {
  const Explanation explanation =
      explained({"node:a", "create pods", "",
                 "metadata: {name: m, namespace: shop, annotations: {kubernetes.io/config.mirror: x}}\n"
                 "spec: {nodeName: a, serviceAccount: web}"});
  BOOST_TEST(explanation.answer.by == "ServiceAccount");
  BOOST_CHECK(explanation.answer.rule == Rule::mirror_pod_no_service_account);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(explanations)

BOOST_AUTO_TEST_CASE(a_path_is_shown_where_the_graph_was_asked) {
  const Explanation allowed = explained({"node:a", "get secrets/stage", "vault"});
  BOOST_REQUIRE(allowed.tie);
  BOOST_TEST(allowed.tie->path.size() == 4U);
  const Explanation refused = explained({"node:b", "get secrets/db"});
  BOOST_REQUIRE(refused.tie);
  BOOST_TEST(refused.tie->path.empty());
  BOOST_REQUIRE(refused.tie->misses.size() == 1U);
  BOOST_TEST(described(refused.tie->misses[0], refused.rules) ==
             "pod shop/web (edge-secret-env): the pod is bound to node a");
  BOOST_TEST(!explained({"node:a", "patch nodes/a"}).tie);
  BOOST_TEST(!explained({"user:alice", "get secrets/db"}).tie);
}

BOOST_AUTO_TEST_CASE(releases_with_the_same_answer_are_one_range) {
  const Explanation explanation = explained({"node:b", "get pods/web"}, "1.32", {});
  const std::vector<std::string> ranges = ranges_of(explanation);
  BOOST_REQUIRE(ranges.size() >= 2U);
  BOOST_TEST(ranges[ranges.size() - 2].ends_with("– 1.31 allowed node-rule-pods"), ranges[ranges.size() - 2]);
  BOOST_TEST(ranges.back() == "1.32 – 1.37 refused pod-of-node <");
  BOOST_REQUIRE(explanation.releases.back().reasons.size() == 1U);
  BOOST_TEST(explanation.releases.back().reasons[0].first.text() == "1.37.0");
}

BOOST_AUTO_TEST_CASE(gates_count_in_every_release_that_takes_them) {
  const std::vector<std::string> ranges = ranges_of(explained(
      {"node:b", "get pods/web"}, "1.31", {{"AuthorizeNodeWithSelectors", true}, {"AuthorizeWithSelectors", true}}));
  BOOST_TEST(ranges.back() == "1.31 – 1.37 refused pod-of-node <");
}

BOOST_AUTO_TEST_CASE(ranges_are_written_as_people_write_them) {
  const auto text = [](Version first, std::optional<Version> until, Version last = {}) {
    return ReleaseSpan{first, last, until, false}.text();
  };
  BOOST_TEST(text({1, 7, 0}, Version{1, 11, 0}) == "1.7 – 1.10");
  BOOST_TEST(text({1, 11, 0}, Version{1, 31, 12}) == "1.11 – 1.31.11");
  BOOST_TEST(text({1, 31, 12}, Version{1, 32, 0}) == "1.31.12 and later 1.31");
  BOOST_TEST(text({1, 32, 1}, Version{1, 32, 2}) == "1.32.1");
  BOOST_TEST(text({1, 32, 0}, Version{1, 33, 0}) == "1.32");
  BOOST_TEST(text({1, 32, 0}, Version{1, 32, 1}) == "1.32.0");
  BOOST_TEST(text({1, 32, 0}, std::nullopt, {1, 37, 0}) == "1.32 – 1.37");
}

BOOST_AUTO_TEST_CASE(text_and_json_have_the_same_facts) {
  const Asked asked{"node:b", "get secrets/db"};
  const Explanation explanation = explained(asked);
  const Question question = *asked.question();
  const std::string text = to_text(explanation, question, "shop.yaml", {false, 120, true});
  const Object json = Object::parse(to_json(explanation, question));
  BOOST_TEST(json["decision"]["allowed"] == false);
  for (const char* pointer : {"/decision/reason", "/decision/rule/id", "/decision/rule/statement", "/request/text",
                              "/subject/user", "/release/version", "/path/misses/0", "/decision/rule/sources/0"}) {
    const std::string fact = json.at(Object::json_pointer(pointer)).get<std::string>();
    BOOST_TEST(text.find(fact) != std::string::npos, pointer << ": " << fact << " is not in\n" << text);
  }
  BOOST_TEST(json["releases"].size() == explanation.releases.size());
  BOOST_TEST(text.find("> 1.7 – 1.37  refused") != std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_text_come_out_as_text) {
  const Asked asked{"user:\xff\x1b[2J", "get secrets/\xfe"};
  const Explanation explanation = explained(asked);
  const std::string text = to_text(explanation, *asked.question(), "", {false, 80, true});
  BOOST_TEST(text.find('\x1b') == std::string::npos);
  BOOST_TEST(Object::accept(to_json(explanation, *asked.question())));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(certificates)

namespace {

constexpr std::string_view requests = R"(apiVersion: v1
kind: List
items:
- apiVersion: certificates.k8s.io/v1
  kind: CertificateSigningRequest
  metadata: {name: x}
  spec: {signerName: kubernetes.io/kubelet-serving}
- apiVersion: rbac.authorization.k8s.io/v1
  kind: ClusterRole
  metadata: {name: clerk}
  rules: [{apiGroups: [certificates.k8s.io], resources: [certificatesigningrequests/approval], verbs: [update]}]
- apiVersion: rbac.authorization.k8s.io/v1
  kind: ClusterRoleBinding
  metadata: {name: clerk}
  roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: clerk}
  subjects: [{kind: Group, apiGroup: rbac.authorization.k8s.io, name: clerks}]
- apiVersion: rbac.authorization.k8s.io/v1
  kind: ClusterRole
  metadata: {name: approver}
  rules: [{apiGroups: [certificates.k8s.io], resources: [signers], verbs: [approve], resourceNames: ["kubernetes.io/*"]}]
- apiVersion: rbac.authorization.k8s.io/v1
  kind: ClusterRoleBinding
  metadata: {name: approver}
  roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: approver}
  subjects: [{kind: User, apiGroup: rbac.authorization.k8s.io, name: alice}]
)";

Explanation approval_of(const std::string& as, const std::string& version = "1.36.3") {
  QuestionText text;
  text.as = as;
  text.words = {"update", "csr/x/approval"};
  Result<Question> question = understand(text, std::nullopt, "");
  question->set_cluster(*read_cluster_objects(requests, "csr.yaml"));
  return *explain::explain(Catalogue::built_in(), *Release::make(Catalogue::built_in(), *Version::parse(version), {}),
                           {}, *question);
}

}  // namespace

BOOST_AUTO_TEST_CASE(who_may_update_an_approval_may_not_approve_yet) {
  const Explanation clerk = approval_of("user:bob,clerks");
  BOOST_TEST(headline(clerk.answer) == "refused by the admission plugin CertificateApproval");
  BOOST_TEST(clerk.answer.reason ==
             "user not permitted to approve requests with signerName \"kubernetes.io/kubelet-serving\"");
  BOOST_TEST(clerk.answer.plugins_not_asked.empty());
  BOOST_TEST(ranges_of(clerk).back() == "1.18 – 1.37 refused csr-approval-for-signer <");
  const Explanation approver = approval_of("user:alice,clerks");
  BOOST_TEST(headline(approver.answer) == "allowed by RBAC, and admitted");
  BOOST_TEST(approver.answer.plugins_not_asked ==
             (std::vector<std::string>{"MutatingAdmissionPolicy", "MutatingAdmissionWebhook",
                                       "ValidatingAdmissionPolicy", "ValidatingAdmissionWebhook"}));
}

BOOST_AUTO_TEST_CASE(what_is_allowed_names_the_plugins_that_were_not_asked) {
  using Names = std::vector<std::string>;
  BOOST_TEST(approval_of("user:bob,clerks", "1.17").answer.plugins_not_asked ==
             (Names{"MutatingAdmissionWebhook", "ValidatingAdmissionWebhook"}));
  BOOST_TEST(approval_of("user:bob,clerks", "1.8").answer.plugins_not_asked.empty());
  const Explanation deleted = explained({"node:a", "delete pods/web"}, "1.25");
  BOOST_TEST(deleted.answer.plugins_not_asked == (Names{"MutatingAdmissionWebhook", "ValidatingAdmissionWebhook"}));
  BOOST_TEST(explained({"node:a", "get secrets/db"}).answer.plugins_not_asked.empty());
  const Explanation unseen = explained({"admin", "create pods"}, "1.25");
  BOOST_TEST(unseen.answer.plugins_not_asked.front() == "NamespaceLifecycle");
  const std::string text =
      to_text(deleted, *Asked({"node:a", "delete pods/web"}).question(), "shop.yaml", {false, 200, true});
  BOOST_TEST(
      text.find("MutatingAdmissionWebhook, ValidatingAdmissionWebhook, which are on by default") != std::string::npos,
      text);
}

BOOST_AUTO_TEST_SUITE_END()

// If a rule's absence means "allowed", the rule must not be older than the resource that it concerns.
BOOST_AUTO_TEST_CASE(secrets_of_a_volumes_controllers_lead_nowhere_in_any_release) {
  constexpr std::string_view volume = R"(apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Pod
  metadata: {name: web, namespace: shop}
  spec: {nodeName: a, volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]}
- apiVersion: v1
  kind: PersistentVolume
  metadata: {name: disk}
  spec:
    claimRef: {namespace: shop, name: data}
    csi:
      controllerPublishSecretRef: {namespace: vault, name: publish}
      controllerExpandSecretRef: {namespace: vault, name: expand}
)";
  for (const char* name : {"publish", "expand"}) {
    QuestionText text;
    text.as = "node:a";
    text.words = {"get", std::string("secrets/") + name};
    text.namespace_ = "vault";
    Result<Question> question = understand(text, std::nullopt, "");
    question->set_cluster(*read_cluster_objects(volume, "volume.yaml"));
    const Catalogue& catalogue = Catalogue::built_in();
    const Result<Explanation> found =
        explain::explain(catalogue, *Release::make(catalogue, {1, 36, 3}, {}), {}, *question);
    BOOST_REQUIRE(found);
    BOOST_TEST(ranges_of(*found) ==
               (std::vector<std::string>{"1.6 allowed rbac-subject-group", "1.7 – 1.37 refused secret-through-pod <"}));
  }
}

BOOST_AUTO_TEST_SUITE(incomplete_clusters)

namespace {

Explanation explained_with(const std::string& objects, const std::string& as, const std::string& request,
                           const std::string& namespace_ = "shop") {
  QuestionText text;
  text.as = as;
  text.words = words_in(request);
  text.namespace_ = namespace_;
  Result<Question> question = understand(text, std::nullopt, "");
  BOOST_REQUIRE(question);
  const std::string list = "apiVersion: v1\nkind: List\nitems:\n" + objects;
  if (!objects.empty()) question->set_cluster(*read_cluster_objects(list, "cluster.yaml"));
  const Catalogue& catalogue = Catalogue::built_in();
  return *explain::explain(catalogue, *Release::make(catalogue, {1, 36, 3}, {}), {}, *question);
}

const std::string web =
    "- {apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop}, spec: {nodeName: a, volumes: [{name: d, "
    "persistentVolumeClaim: {claimName: data}}]}}\n";
const std::string lone =
    "- {apiVersion: v1, kind: Pod, metadata: {name: lone, namespace: shop}, spec: {nodeName: a}}\n";
const std::string elsewhere =
    "- {apiVersion: v1, kind: Pod, metadata: {name: x, namespace: far}, spec: {nodeName: a}}\n";
const std::string volume =
    "- {apiVersion: v1, kind: PersistentVolume, metadata: {name: disk}, spec: {claimRef: {namespace: shop, name: "
    "data}}}\n";

}  // namespace

BOOST_AUTO_TEST_CASE(what_dangles_is_named_and_how_to_get_it) {
  struct Row {
    std::string objects;
    std::string as;
    std::string request;
    std::string namespace_;
    std::string command;  ///< empty if the answer is certain
  };
  const std::vector<Row> rows = {
      {"", "node:a", "get secrets/db", "shop", "kubectl get pods -n shop -o yaml"},
      {elsewhere, "node:a", "get secrets/db", "shop", "kubectl get pods -n shop -o yaml"},
      {lone, "node:a", "get secrets/db", "shop", ""},
      {lone + elsewhere, "node:a", "get secrets/db", "third", ""},
      {web, "node:a", "get secrets/stage", "vault", "kubectl get pods -n vault -o yaml"},
      {web + elsewhere, "node:a", "get secrets/stage", "vault", "kubectl get persistentvolumes -o yaml"},
      {web + elsewhere + volume, "node:a", "get secrets/stage", "vault", ""},
      {web, "node:a", "get persistentvolumes/disk", "", "kubectl get persistentvolumes disk -o yaml"},
      {volume, "node:a", "get persistentvolumes/disk", "", "kubectl get pods -n shop -o yaml"},
      {web, "node:a", "get volumeattachments/va", "", "kubectl get volumeattachments.storage.k8s.io va -o yaml"},
      {web, "node:a", "get pods/none", "shop", "kubectl get pods none -n shop -o yaml"},
      {web, "node:b", "get pods/web", "shop", ""},
      {web, "node:a", "delete pods/none", "shop", "kubectl get pods none -n shop -o yaml"},
      {web, "node:a", "create pods/none/eviction", "shop", "kubectl get pods -n shop -o yaml"},
      {web, "user:alice", "get secrets/db", "shop",
       "kubectl get clusterroles,clusterrolebindings,roles,rolebindings -A -o yaml"},
      {web, "node:a", "list nodes", "", ""},
  };
  for (const Row& row : rows) {
    const Explanation found = explained_with(row.objects, row.as, row.request, row.namespace_);
    const std::string what = row.as + " " + row.request + " of\n" + row.objects;
    BOOST_TEST(found.certain() == row.command.empty(), what << headline(found));
    BOOST_TEST(headline(found).starts_with("cannot tell; ") != row.command.empty(), what << headline(found));
    if (!row.command.empty()) BOOST_TEST(found.gaps.front().command == row.command, what);
  }
}

BOOST_AUTO_TEST_CASE(a_claim_that_dangles_is_named) {
  const Explanation found = explained_with(web + elsewhere, "node:a", "get secrets/stage", "vault");
  BOOST_REQUIRE(found.gaps.size() == 1U);
  BOOST_TEST(
      found.gaps[0].what ==
      "claim shop/data, which a pod on node a uses, has no volume among the objects: which Secrets that names is "
      "not known");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(obvious_advice)

BOOST_AUTO_TEST_CASE(the_narrower_request_that_is_allowed_is_named_and_since_when) {
  struct Row {
    Asked asked;
    std::string advice;
  };
  const std::vector<Row> rows = {
      {{"node:a", "list pods", "-A"},
       "Add --field-selector spec.nodeName=a (fieldSelector=spec.nodeName=a in the URL): that is allowed in every "
       "release."},
      {{"node:a", "watch nodes", ""},
       "Add --field-selector metadata.name=a (fieldSelector=metadata.name=a in the URL): that is allowed in every "
       "release."},
      {{"node:a", "list resourceslices", ""},
       "Add --field-selector spec.nodeName=a (fieldSelector=spec.nodeName=a in the URL): that is allowed from 1.30 "
       "on."},
      {{"node:a", "list secrets"},
       "Name one object a pod on the node references: -n NAMESPACE --field-selector metadata.name=NAME; that is "
       "allowed "
       "from 1.11 on."},
      {{"user:alice", "list secrets"},
       "Bind a Role in namespace shop, or a ClusterRole, with the rule {apiGroups: [\"\"], resources: [\"secrets\"], "
       "verbs: [\"list\"]} to alice."},
      {{"user:alice", "approve signers/kubernetes.io/kubelet-serving"},
       "Bind a ClusterRole with the rule {apiGroups: [\"certificates.k8s.io\"], resources: [\"signers\"], verbs: "
       "[\"approve\"], resourceNames: [\"kubernetes.io/kubelet-serving\"]} to alice."},
  };
  for (const Row& row : rows) {
    const Explanation found = explained(row.asked);
    BOOST_REQUIRE_MESSAGE(!found.advice.empty(), row.asked.request);
    BOOST_TEST(found.advice.front() == row.advice);
  }
  BOOST_TEST(explained({"node:a", "get secrets/db"}).advice.empty());
  const Explanation clerk = certificates::approval_of("user:bob,clerks");
  BOOST_REQUIRE(clerk.advice.size() == 1U);
  BOOST_TEST(clerk.advice[0] ==
             "Bind a ClusterRole with the rule {apiGroups: [\"certificates.k8s.io\"], resources: [\"signers\"], verbs: "
             "[\"approve\"], resourceNames: [\"kubernetes.io/kubelet-serving\"]} to bob, beside the right to update "
             "certificatesigningrequests/approval.");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
