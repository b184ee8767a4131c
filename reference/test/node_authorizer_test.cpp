#include "reference/authorizer/node_authorizer.h"

#include <boost/test/unit_test.hpp>
#include <string>

#include "reference/authorizer/always_authorizer.h"
#include "reference/authorizer/authorization_mode.h"
#include "reference/authorizer/authorizer_chain.h"
#include "reference/identity/node_identity.h"
#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(node_authorizer)

using namespace nodebound;
using nodebound::test::node_named;
using nodebound::test::rules_of;

namespace {

constexpr const char* allow = "allow";
constexpr const char* unrelated = "no relationship found between node 'n1' and this object";
constexpr const char* unnamed = "No Object name found";

// A node's request and the Node authorizer's answer: `allow`, or the reason, which may be empty.
struct Row {
  const char* verb;
  const char* resource;  ///< group/resource[/subresource]; the core group is empty
  const char* namespace_;
  const char* name;
  const char* expected;
  const char* selector = "";
};

Attributes attributes_of_row(const Row& row) {
  Attributes out;
  const std::string resource = row.resource;
  const std::size_t first = resource.find('/');
  const std::size_t second = resource.find('/', first + 1);
  out.verb = row.verb;
  out.resource_request = true;
  out.api_version = "v1";
  out.api_group = resource.substr(0, first);
  out.resource = resource.substr(first + 1, second == std::string::npos ? second : second - first - 1);
  if (second != std::string::npos) out.subresource = resource.substr(second + 1);
  out.namespace_ = row.namespace_;
  out.name = row.name;
  out.field_selector = parse_field_selector(row.selector);
  return out;
}

std::string said(const Decision& decision) {
  return decision.allowed() ? allow : decision.reason;
}

// The nodes n1 and n2 and the objects that lead to them: those of n1 are called `mine`, those of n2 `theirs`.
struct World {
  explicit World(std::string_view version = "1.36.3", const GateSettings& gates = {})
      : rules(rules_of(version, gates)) {
    tie("n1", "mine");
    tie("n2", "theirs");
  }

  void tie(std::string_view node, std::string_view name) {
    std::vector<NodeGraph::Reference> references;
    for (const ObjectKind kind : {ObjectKind::secret, ObjectKind::configmap, ObjectKind::persistentvolumeclaim,
                                  ObjectKind::serviceaccount, ObjectKind::resourceclaim}) {
      references.push_back({kind, "ns", name, Rule::edge_secret_volume});
    }
    graph.put_pod("ns", name, node, references);
    graph.put_volume(name, "ns", name, {});
    graph.put_owned(ObjectKind::volumeattachment, "", name, node);
    graph.put_owned(ObjectKind::resourceslice, "", name, node);
    graph.put_owned(ObjectKind::podcertificaterequest, "ns", name, node);
  }

  Decision decide(const Subject& subject, const Attributes& attributes) const {
    return NodeAuthorizer(rules, graph).authorize(subject, attributes);
  }

  void check(const std::vector<Row>& rows) const {
    for (const Row& row : rows) {
      BOOST_TEST_CONTEXT(row.verb << " " << row.resource << " " << row.namespace_ << "/" << row.name << " "
                                  << row.selector) {
        const Decision decision = decide(node_named("n1"), attributes_of_row(row));
        BOOST_TEST(said(decision) == row.expected);
        BOOST_TEST((decision.outcome != Decision::Outcome::deny));
        BOOST_TEST((decision.outcome == Decision::Outcome::no_opinion) == !decision.allowed());
      }
    }
  }

  RuleSet rules;
  NodeGraph graph;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(who_is_a_node, World)

BOOST_AUTO_TEST_CASE(a_node_has_the_prefix_and_the_group) {
  const auto identity = [&](const char* name, std::vector<std::string> groups) {
    const Subject subject{name, std::move(groups), "", {}};
    const auto found = node_identity(rules, subject);
    return found ? std::string(*found) : std::string("nobody");
  };
  BOOST_TEST(identity("system:node:n1", {"system:nodes"}) == "n1");
  BOOST_TEST(identity("system:node:n1", {"a", "system:nodes", "b"}) == "n1");
  BOOST_TEST(identity("system:node:", {"system:nodes"}) == "");
  BOOST_TEST(identity("system:node:system:node:n1", {"system:nodes"}) == "system:node:n1");
  BOOST_TEST(identity("system:node:a b/c", {"system:nodes"}) == "a b/c");
  for (const char* name : {"n1", "system:node", "System:node:n1", "system:nodes:n1", " system:node:n1",
                           "xsystem:node:n1", "kubelet", "", "system:serviceaccount:ns:system:node:n1"}) {
    BOOST_TEST(identity(name, {"system:nodes"}) == "nobody", name);
  }
  BOOST_TEST(identity("system:node:n1", {}) == "nobody");
  for (const char* group : {"System:nodes", "system:nodes ", "system:node", "system:nodes:n1", "nodes", ""}) {
    BOOST_TEST(identity("system:node:n1", {group}) == "nobody", group);
  }
}

BOOST_AUTO_TEST_CASE(nobody_else_gets_an_answer) {
  const Attributes mine = attributes_of_row({"get", "/secrets", "ns", "mine", ""});
  for (const Subject& subject : {Subject{"n1", {"system:nodes"}, "", {}}, Subject{"system:node:n1", {}, "", {}},
                                 Subject{"admin", {"system:masters"}, "", {}}, Subject{}}) {
    const Decision decision = decide(subject, mine);
    BOOST_TEST((decision.outcome == Decision::Outcome::no_opinion));
    BOOST_TEST(decision.reason == "");
  }
}

BOOST_AUTO_TEST_CASE(a_node_without_a_name_may_do_nothing) {
  const Decision decision = decide(node_named(""), attributes_of_row({"get", "/services", "ns", "s", ""}));
  BOOST_TEST(said(decision) == R"(unknown node for user "system:node:")");
}

BOOST_AUTO_TEST_CASE(each_node_has_its_own_objects) {
  BOOST_TEST(decide(node_named("n2"), attributes_of_row({"get", "/secrets", "ns", "theirs", ""})).allowed());
  BOOST_TEST(!decide(node_named("n2"), attributes_of_row({"get", "/secrets", "ns", "mine", ""})).allowed());
  BOOST_TEST(!decide(node_named("n3"), attributes_of_row({"get", "/secrets", "ns", "mine", ""})).allowed());
  BOOST_TEST(!decide(node_named("N1"), attributes_of_row({"get", "/secrets", "ns", "mine", ""})).allowed());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(release_1_36, World)

BOOST_AUTO_TEST_CASE(secrets_and_configmaps_are_read_one_by_one_in_a_namespace) {
  for (const char* resource : {"/secrets", "/configmaps"}) {
    const std::string sub = std::string(resource) + "/status";
    check({
        {"get", resource, "ns", "mine", allow},
        {"list", resource, "ns", "mine", allow},
        {"watch", resource, "ns", "mine", allow},
        {"get", resource, "ns", "theirs", unrelated},
        {"list", resource, "ns", "theirs", unrelated},
        {"watch", resource, "ns", "theirs", unrelated},
        {"get", resource, "ns", "unknown", unrelated},
        {"get", resource, "other", "mine", unrelated},
        {"get", resource, "ns", "", unnamed},
        {"list", resource, "ns", "", unnamed},
        {"watch", resource, "ns", "", unnamed},
        {"list", resource, "", "", "can only read namespaced object of this type"},
        {"watch", resource, "", "mine", "can only read namespaced object of this type"},
        {"get", resource, "", "mine", "can only read namespaced object of this type"},
        {"get", sub.c_str(), "ns", "mine", "cannot read subresource"},
        {"create", resource, "ns", "", "can only read resources of this type"},
        {"update", resource, "ns", "mine", "can only read resources of this type"},
        {"patch", resource, "ns", "mine", "can only read resources of this type"},
        {"delete", resource, "ns", "mine", "can only read resources of this type"},
        {"deletecollection", resource, "ns", "", "can only read resources of this type"},
        {"", resource, "ns", "mine", "can only read resources of this type"},
        {"*", resource, "ns", "mine", "can only read resources of this type"},
        {"GET", resource, "ns", "mine", "can only read resources of this type"},
    });
  }
}

BOOST_AUTO_TEST_CASE(claims_volumes_attachments_and_resource_claims_are_got_one_by_one) {
  const struct {
    const char* resource;
    const char* namespace_;
  } kinds[] = {{"/persistentvolumeclaims", "ns"},
               {"/persistentvolumes", ""},
               {"storage.k8s.io/volumeattachments", ""},
               {"resource.k8s.io/resourceclaims", "ns"}};
  for (const auto& [resource, in] : kinds) {
    const std::string sub = std::string(resource) + "/scale";
    check({
        {"get", resource, in, "mine", allow},
        {"get", resource, in, "theirs", unrelated},
        {"get", resource, in, "unknown", unrelated},
        {"get", resource, "elsewhere", "mine", unrelated},
        {"get", resource, in, "", unnamed},
        {"get", sub.c_str(), in, "mine", "cannot get subresource"},
    });
    for (const char* verb : {"list", "watch", "create", "update", "patch", "delete", "deletecollection"}) {
      check({{verb, resource, in, "mine", "can only get individual resources of this type"}});
    }
  }
}

BOOST_AUTO_TEST_CASE(the_status_of_a_claim_is_written_and_not_read) {
  const char* status = "/persistentvolumeclaims/status";
  check({
      {"update", status, "ns", "mine", allow},
      {"patch", status, "ns", "mine", allow},
      {"update", status, "ns", "theirs", unrelated},
      {"patch", status, "other", "mine", unrelated},
      {"patch", status, "ns", "", unnamed},
      {"get", status, "ns", "mine", "can only get/update/patch this type"},
      {"create", status, "ns", "mine", "can only get/update/patch this type"},
      {"delete", status, "ns", "mine", "can only get/update/patch this type"},
  });
  // The status of other objects is not a claim's status.
  check({{"update", "/persistentvolumes/status", "", "mine", "can only get individual resources of this type"},
         {"patch", "resource.k8s.io/resourceclaims/status", "ns", "mine",
          "can only get individual resources of this type"}});
}

BOOST_AUTO_TEST_CASE(tokens_are_created_for_service_accounts_of_the_nodes_pods) {
  const char* individual = "can only create tokens for individual service accounts";
  check({
      {"create", "/serviceaccounts/token", "ns", "mine", allow},
      {"create", "/serviceaccounts/token", "ns", "theirs", unrelated},
      {"create", "/serviceaccounts/token", "other", "mine", unrelated},
      {"create", "/serviceaccounts/token", "ns", "", individual},
      {"create", "/serviceaccounts", "ns", "", individual},
      {"create", "/serviceaccounts", "ns", "mine", "can only create token subresource of serviceaccount"},
      {"create", "/serviceaccounts/finalizers", "ns", "mine", "can only create token subresource of serviceaccount"},
      {"get", "/serviceaccounts/token", "ns", "mine", individual},
      {"update", "/serviceaccounts/token", "ns", "mine", individual},
      {"patch", "/serviceaccounts", "ns", "mine", individual},
      {"delete", "/serviceaccounts", "ns", "mine", individual},
      {"list", "/serviceaccounts", "ns", "mine", individual},
      {"watch", "/serviceaccounts", "", "", individual},
      {"impersonate", "/serviceaccounts", "ns", "mine", individual},
  });
}

BOOST_AUTO_TEST_CASE(service_accounts_of_the_nodes_pods_are_got) {
  check({
      {"get", "/serviceaccounts", "ns", "mine", allow},
      {"get", "/serviceaccounts", "ns", "theirs", unrelated},
      {"get", "/serviceaccounts", "ns", "", unnamed},
      {"get", "/serviceaccounts", "", "mine", "can only read namespaced object of this type"},
  });
}

BOOST_AUTO_TEST_CASE(a_node_has_the_lease_of_its_name) {
  const char* leases = "coordination.k8s.io/leases";
  const char* system = "kube-node-lease";
  const char* other_name = "can only access node lease with the same name as the requesting node";
  const char* other_namespace = R"(can only access leases in the "kube-node-lease" system namespace)";
  const char* other_verb = "can only get, create, update, patch, or delete a node lease";
  for (const char* verb : {"get", "update", "patch", "delete"}) {
    check({{verb, leases, system, "n1", allow},
           {verb, leases, system, "n2", other_name},
           {verb, leases, system, "", other_name},
           {verb, leases, "kube-system", "n1", other_namespace},
           {verb, leases, "", "n1", other_namespace}});
  }
  check({{"create", leases, system, "", allow},
         {"create", leases, system, "n2", allow},
         {"create", leases, "kube-system", "", other_namespace},
         {"get", "coordination.k8s.io/leases/status", system, "n1", allow},
         {"list", leases, system, "n1", other_verb},
         {"watch", leases, system, "", other_verb},
         {"deletecollection", leases, system, "", other_verb},
         {"list", leases, "other", "", other_verb}});
}

BOOST_AUTO_TEST_CASE(a_node_has_the_csinode_of_its_name) {
  const char* csi_nodes = "storage.k8s.io/csinodes";
  const char* other_name = "can only access CSINode with the same name as the requesting node";
  const char* other_verb = "can only get, create, update, patch, or delete a CSINode";
  for (const char* verb : {"get", "update", "patch", "delete"}) {
    check({{verb, csi_nodes, "", "n1", allow},
           {verb, csi_nodes, "", "n2", other_name},
           {verb, csi_nodes, "", "", other_name}});
  }
  check({{"create", csi_nodes, "", "", allow},
         {"create", csi_nodes, "", "n2", allow},
         {"get", "storage.k8s.io/csinodes/status", "", "n1", "cannot authorize CSINode subresources"},
         {"create", "storage.k8s.io/csinodes/status", "", "n1", "cannot authorize CSINode subresources"},
         {"list", csi_nodes, "", "", other_verb},
         {"watch", csi_nodes, "", "n1", other_verb},
         {"deletecollection", csi_nodes, "", "", other_verb}});
}

BOOST_AUTO_TEST_CASE(slices_are_the_nodes_own_or_selected_by_its_name) {
  const char* slices = "resource.k8s.io/resourceslices";
  const char* unselected = "can only list/watch/deletecollection resourceslices with nodeName field selector";
  for (const char* verb : {"get", "update", "patch", "delete"}) {
    check(
        {{verb, slices, "", "mine", allow}, {verb, slices, "", "theirs", unrelated}, {verb, slices, "", "", unnamed}});
  }
  for (const char* verb : {"list", "watch", "deletecollection"}) {
    check({{verb, slices, "", "", allow, "spec.nodeName=n1"},
           {verb, slices, "", "", allow, "spec.driver=d,spec.nodeName==n1"},
           {verb, slices, "", "", unselected},
           {verb, slices, "", "mine", unselected, "metadata.name=mine"},
           {verb, slices, "", "", unselected, "spec.nodeName=n2"},
           {verb, slices, "", "", unselected, "spec.nodeName!=n1"},
           {verb, slices, "", "", unselected, "spec.nodeName="},
           {verb, slices, "", "", unselected, "nodeName=n1"},
           {verb, slices, "", "", unselected, "spec.nodeName=n1,broken"}});
  }
  check({{"create", slices, "", "", allow},
         {"get", "resource.k8s.io/resourceslices/status", "", "mine", "cannot authorize ResourceSlice subresources"},
         {"create", "resource.k8s.io/resourceslices/status", "", "", "cannot authorize ResourceSlice subresources"},
         {"proxy", slices, "", "mine",
          "only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, "
          "deletecollection"}});
}

BOOST_AUTO_TEST_CASE(nodes_are_read_by_themselves_only) {
  const char* all = "node 'n1' cannot read all nodes, only its own Node object";
  const char* other = "node 'n1' cannot read 'n2', only its own Node object";
  for (const char* verb : {"get", "list", "watch"}) {
    check({{verb, "/nodes", "", "n1", allow}, {verb, "/nodes", "", "n2", other}, {verb, "/nodes", "", "", all}});
  }
  check({{"list", "/nodes", "", "", all, "spec.nodeName=n1"}});
}

BOOST_AUTO_TEST_CASE(nodes_are_written_without_a_look_at_the_name_and_never_deleted) {
  for (const char* verb : {"create", "update", "patch"}) {
    check({{verb, "/nodes", "", "n1", allow}, {verb, "/nodes", "", "n2", allow}, {verb, "/nodes", "", "", allow}});
  }
  check({{"update", "/nodes/status", "", "n1", allow},
         {"patch", "/nodes/status", "", "n2", allow},
         {"get", "/nodes/status", "", "n1", ""},
         {"create", "/nodes/status", "", "n1", ""},
         {"delete", "/nodes", "", "n1", ""},
         {"deletecollection", "/nodes", "", "", ""},
         {"proxy", "/nodes", "", "n1", ""}});
  for (const char* sub :
       {"/nodes/proxy", "/nodes/metrics", "/nodes/stats", "/nodes/log", "/nodes/pods", "/nodes/configz"}) {
    for (const char* verb : {"get", "create", "update", "*"}) check({{verb, sub, "", "n1", ""}});
  }
}

BOOST_AUTO_TEST_CASE(pods_are_read_by_selector_or_by_name) {
  const char* unselected = "can only list/watch pods with spec.nodeName field selector";
  for (const char* verb : {"list", "watch"}) {
    check({{verb, "/pods", "", "", allow, "spec.nodeName=n1"},
           {verb, "/pods", "ns", "", allow, "spec.nodeName=n1,status.phase!=Failed"},
           {verb, "/pods", "ns", "theirs", allow, "metadata.name=theirs,spec.nodeName=n1"},
           {verb, "/pods", "ns", "mine", allow, "metadata.name=mine"},
           {verb, "/pods", "ns", "theirs", unrelated, "metadata.name=theirs"},
           {verb, "/pods", "ns", "", unselected},
           {verb, "/pods", "", "", unselected, "spec.nodeName=n2"},
           {verb, "/pods", "", "", unselected, "spec.nodeName!=n1"},
           {verb, "/pods", "", "", unselected, "status.nodeName=n1"}});
  }
  check({{"get", "/pods", "ns", "mine", allow},
         {"get", "/pods", "ns", "theirs", unrelated},
         {"get", "/pods", "other", "mine", unrelated},
         {"get", "/pods", "ns", "", unnamed},
         {"get", "/pods", "ns", "theirs", unrelated, "spec.nodeName=n1"}});
}

BOOST_AUTO_TEST_CASE(pods_are_made_deleted_and_evicted_and_their_status_written) {
  check({{"create", "/pods", "ns", "", allow},
         {"delete", "/pods", "ns", "theirs", allow},
         {"update", "/pods/status", "ns", "theirs", allow},
         {"patch", "/pods/status", "ns", "mine", allow},
         {"create", "/pods/eviction", "ns", "theirs", allow},
         {"update", "/pods", "ns", "mine", ""},
         {"patch", "/pods", "ns", "mine", ""},
         {"deletecollection", "/pods", "ns", "", "", "spec.nodeName=n1"},
         {"get", "/pods/status", "ns", "mine", ""},
         {"get", "/pods/eviction", "ns", "mine", ""},
         {"create", "/pods/binding", "ns", "mine", ""},
         {"create", "/pods/exec", "ns", "mine", ""},
         {"get", "/pods/exec", "ns", "mine", ""},
         {"get", "/pods/log", "ns", "mine", ""},
         {"get", "/pods/proxy", "ns", "mine", ""},
         {"create", "/pods/attach", "ns", "mine", ""},
         {"create", "/pods/portforward", "ns", "mine", ""},
         {"patch", "/pods/ephemeralcontainers", "ns", "mine", ""},
         {"patch", "/pods/resize", "ns", "mine", ""}});
}

BOOST_AUTO_TEST_CASE(certificate_requests_of_pods_are_silently_refused_without_their_gate) {
  for (const char* verb : {"get", "list", "watch", "create", "update", "delete"}) {
    check({{verb, "certificates.k8s.io/podcertificaterequests", "ns", "mine", "", "spec.nodeName=n1"}});
  }
  check({{"get", "certificates.k8s.io/clustertrustbundles", "", "b", ""}});
}

BOOST_AUTO_TEST_CASE(everything_else_follows_the_static_rules) {
  check({{"create", "authentication.k8s.io/tokenreviews", "", "", allow},
         {"get", "authentication.k8s.io/tokenreviews", "", "", ""},
         {"create", "authorization.k8s.io/subjectaccessreviews", "", "", allow},
         {"create", "authorization.k8s.io/localsubjectaccessreviews", "ns", "", allow},
         {"create", "authorization.k8s.io/selfsubjectaccessreviews", "", "", ""},
         {"list", "/services", "", "", allow},
         {"watch", "/services", "", "", allow},
         {"get", "/services", "ns", "any", allow},
         {"create", "/services", "ns", "", ""},
         {"get", "/services/status", "ns", "any", ""},
         {"get", "/services/proxy", "ns", "any", ""},
         {"create", "/events", "ns", "", allow},
         {"update", "/events", "ns", "any", allow},
         {"patch", "/events", "ns", "any", allow},
         {"get", "/events", "ns", "any", ""},
         {"delete", "/events", "ns", "any", ""},
         {"create", "events.k8s.io/events", "ns", "", allow},
         {"list", "events.k8s.io/events", "ns", "", ""},
         {"get", "/endpoints", "ns", "any", allow},
         {"list", "/endpoints", "ns", "", ""},
         {"get", "discovery.k8s.io/endpointslices", "ns", "any", ""},
         {"create", "certificates.k8s.io/certificatesigningrequests", "", "", allow},
         {"list", "certificates.k8s.io/certificatesigningrequests", "", "", allow},
         {"delete", "certificates.k8s.io/certificatesigningrequests", "", "x", ""},
         {"update", "certificates.k8s.io/certificatesigningrequests/approval", "", "x", ""},
         {"approve", "certificates.k8s.io/signers", "", "kubernetes.io/kubelet-serving", ""},
         {"list", "storage.k8s.io/csidrivers", "", "", allow},
         {"create", "storage.k8s.io/csidrivers", "", "", ""},
         {"get", "storage.k8s.io/storageclasses", "", "x", ""},
         {"watch", "node.k8s.io/runtimeclasses", "", "", allow},
         {"delete", "node.k8s.io/runtimeclasses", "", "x", ""},
         {"get", "/namespaces", "ns", "ns", ""},
         {"list", "/namespaces", "", "", ""},
         {"get", "apps/deployments", "ns", "x", ""},
         {"*", "*/*", "", "", ""},
         {"get", "rbac.authorization.k8s.io/clusterroles", "", "x", ""}});
}

BOOST_AUTO_TEST_CASE(a_group_of_another_name_is_another_resource) {
  check({{"get", "example.com/secrets", "ns", "mine", ""},
         {"get", "apps/configmaps", "ns", "mine", ""},
         {"get", "/leases", "kube-node-lease", "n1", ""},
         {"get", "/csinodes", "", "n1", ""},
         {"create", "example.com/pods", "ns", "", ""},
         {"get", "metrics.k8s.io/nodes", "", "n1", ""}});
}

BOOST_AUTO_TEST_CASE(a_node_has_no_urls) {
  Attributes attributes;
  attributes.verb = "get";
  for (const char* path : {"/", "/healthz", "/metrics", "/api", "/version"}) {
    attributes.path = path;
    BOOST_TEST(said(decide(node_named("n1"), attributes)) == "");
  }
}

BOOST_AUTO_TEST_CASE(every_decision_names_the_rule_that_made_it) {
  const auto rule = [&](const Row& row) {
    return rules.catalogue()[decide(node_named("n1"), attributes_of_row(row)).rule.value()].id;
  };
  BOOST_TEST(rule({"get", "/secrets", "ns", "mine", ""}) == "secret-through-pod");
  BOOST_TEST(rule({"get", "/secrets", "ns", "theirs", ""}) == "secret-through-pod");
  BOOST_TEST(rule({"list", "/secrets", "", "", ""}) == "object-read-namespaced");
  BOOST_TEST(rule({"get", "/nodes", "", "n2", ""}) == "node-read-own");
  BOOST_TEST(rule({"list", "/nodes", "", "", ""}) == "node-read-not-all");
  BOOST_TEST(rule({"get", "coordination.k8s.io/leases", "kube-node-lease", "n2", ""}) == "lease-own-name");
  BOOST_TEST(rule({"list", "/services", "", "", ""}) == "node-rule-services");
  BOOST_TEST(rule({"list", "/namespaces", "", "", ""}) == "node-rules-only");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(other_releases_and_gates)

BOOST_AUTO_TEST_CASE(with_their_gate_certificate_requests_of_pods_are_the_nodes_own) {
  const World world("1.36.3", {{"PodCertificateRequest", true}});
  const char* requests = "certificates.k8s.io/podcertificaterequests";
  const char* unselected = "can only list/watch podcertificaterequests with nodeName field selector";
  const char* status = "nodes may not access the status subresource of PodCertificateRequests";
  world.check({{"create", requests, "ns", "", allow},
               {"get", requests, "ns", "mine", allow},
               {"get", requests, "ns", "theirs", unrelated},
               {"list", requests, "", "", allow, "spec.nodeName=n1"},
               {"watch", requests, "ns", "", allow, "spec.nodeName=n1"},
               {"list", requests, "", "", unselected},
               {"watch", requests, "ns", "mine", unselected, "metadata.name=mine"},
               {"list", requests, "", "", unselected, "spec.nodeName=n2"},
               {"update", requests, "ns", "mine", "nodes may not update podcertificaterequests"},
               {"delete", requests, "ns", "mine", "nodes may not delete podcertificaterequests"},
               {"deletecollection", requests, "ns", "", "nodes may not deletecollection podcertificaterequests"},
               {"update", "certificates.k8s.io/podcertificaterequests/status", "ns", "mine", status},
               {"get", "certificates.k8s.io/podcertificaterequests/anything", "ns", "mine", status}});
}

BOOST_AUTO_TEST_CASE(with_its_gate_trust_bundles_are_read) {
  const World world("1.36.3", {{"ClusterTrustBundle", true}});
  world.check({{"list", "certificates.k8s.io/clustertrustbundles", "", "", allow},
               {"create", "certificates.k8s.io/clustertrustbundles", "", "", ""}});
}

BOOST_AUTO_TEST_CASE(without_its_gates_no_service_account_is_read) {
  const World world("1.36.3", {{"KubeletServiceAccountTokenForCredentialProviders", false}});
  world.check({{"get", "/serviceaccounts", "ns", "mine", "not allowed to get service accounts"},
               {"create", "/serviceaccounts/token", "ns", "mine", allow}});
}

BOOST_AUTO_TEST_CASE(before_1_33_service_accounts_are_for_tokens_only) {
  World("1.32.0").check(
      {{"get", "/serviceaccounts", "ns", "mine", "can only create tokens for individual service accounts"}});
}

BOOST_AUTO_TEST_CASE(without_selectors_nodes_pods_and_slices_are_read_by_everyone) {
  const World world("1.31.0");
  world.check({{"list", "/nodes", "", "", allow},
               {"get", "/nodes", "", "n2", allow},
               {"list", "/pods", "", "", allow},
               {"get", "/pods", "ns", "theirs", allow},
               {"list", "resource.k8s.io/resourceslices", "", "", allow},
               {"deletecollection", "resource.k8s.io/resourceslices", "", "", allow},
               {"update", "/pods", "ns", "mine", ""},
               {"delete", "/nodes", "", "n1", ""}});
}

BOOST_AUTO_TEST_CASE(before_1_35_events_are_of_the_core_group_only) {
  World("1.34.0").check({{"create", "/events", "ns", "", allow}, {"create", "events.k8s.io/events", "ns", "", ""}});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(chain)

struct Fixed final : Authorizer {
  Fixed(std::string_view own_name, Decision own) : name_(own_name), decision(std::move(own)) {}
  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] Decision authorize(const Subject&, const Attributes&) const override { return decision; }
  std::string_view name_;
  Decision decision;
};

const Decision silent = Decision::no_opinion(Rule::node_rules_only);
const Decision refusing = Decision::no_opinion(Rule::secret_through_pod, "not yours");
const Decision denying = {Decision::Outcome::deny, Rule::secret_through_pod, "never"};
const Decision allowing = Decision::allow(Rule::rbac_subject_user, "bound");

Decision answer(std::string_view version, const Decision& first, const Decision& second, const Subject& subject = {}) {
  const RuleSet rules = rules_of(version);
  const Fixed node("node", first);
  const Fixed rbac("rbac", second);
  return AuthorizerChain(rules, {&node, &rbac}).authorize(subject, {});
}

BOOST_AUTO_TEST_CASE(the_first_that_allows_or_denies_decides) {
  BOOST_TEST(answer("1.36.3", refusing, allowing).allowed());
  BOOST_TEST(answer("1.36.3", allowing, denying).allowed());
  const Decision denied = answer("1.36.3", denying, allowing);
  BOOST_TEST((denied.outcome == Decision::Outcome::deny));
  BOOST_TEST(denied.reason == "never");
}

BOOST_AUTO_TEST_CASE(reasons_are_joined_where_nobody_decides) {
  BOOST_TEST(answer("1.36.3", refusing, refusing).reason == "not yours\nnot yours");
  BOOST_TEST(answer("1.36.3", silent, refusing).reason == "not yours");
  BOOST_TEST(answer("1.36.3", silent, silent).reason == "");
  BOOST_TEST((answer("1.36.3", silent, silent).outcome == Decision::Outcome::no_opinion));
}

BOOST_AUTO_TEST_CASE(a_refusal_names_the_rule_of_whoever_knows_the_subject) {
  const auto rule_for = [](const char* version, const char* name, std::vector<std::string> groups) {
    return answer(version, refusing, Decision::no_opinion(Rule::rbac_resource), {name, std::move(groups), "", {}}).rule;
  };
  BOOST_TEST((rule_for("1.36.3", "system:node:a", {"system:nodes"}) == Rule::secret_through_pod));
  BOOST_TEST((rule_for("1.36.3", "system:node:a", {}) == Rule::node_identity_group));
  BOOST_TEST((rule_for("1.36.3", "kubelet", {"system:nodes"}) == Rule::node_identity_prefix));
  BOOST_TEST((rule_for("1.36.3", "alice", {}) == Rule::rbac_resource));
}

BOOST_AUTO_TEST_CASE(no_rule_is_about_the_modes_for_tests) {
  const Attributes attributes = attributes_of("GET", "/api/v1/secrets");
  BOOST_TEST(!Decision().rule.has_value());
  for (const bool allows : {true, false}) {
    const Decision decision = AlwaysAuthorizer(allows).authorize({"alice", {}, "", {}}, attributes);
    BOOST_TEST(decision.allowed() == allows);
    BOOST_TEST(!decision.rule.has_value());
  }
}

BOOST_AUTO_TEST_CASE(an_unknown_mode_is_an_error_that_names_the_known_ones) {
  BOOST_TEST((parse_authorization_mode("flag", "RBAC") == AuthorizationMode::rbac));
  BOOST_TEST(to_text({AuthorizationMode::node, AuthorizationMode::always_deny}) == "Node,AlwaysDeny");
  const auto unknown = parse_authorization_mode("flag", "Nodes");
  BOOST_REQUIRE(!unknown.has_value());
  BOOST_TEST((unknown.error().kind == Error::Kind::input));
  BOOST_TEST(unknown.error().text() ==
             "flag: \"Nodes\" is not a valid mode\n  there are Node, RBAC, ABAC, Webhook, AlwaysAllow and AlwaysDeny");
}

BOOST_AUTO_TEST_CASE(from_1_37_on_each_reason_has_the_name_of_its_authorizer) {
  BOOST_TEST(answer("1.37.0", refusing, refusing).reason == "node: not yours\nrbac: not yours");
}

BOOST_AUTO_TEST_CASE(masters_are_allowed_before_anyone_is_asked) {
  BOOST_TEST(answer("1.36.3", denying, denying, {"someone", {"system:masters"}, "", {}}).allowed());
  BOOST_TEST(!answer("1.36.3", silent, silent, {"system:masters", {"System:masters"}, "", {}}).allowed());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
