#include <boost/test/unit_test.hpp>
#include <string>

#include "fakes/test/api_server_world.h"

BOOST_AUTO_TEST_SUITE(api_server_refusals)

using namespace nodebound;
using namespace nodebound::test;

BOOST_FIXTURE_TEST_SUITE(refusals, World)

BOOST_AUTO_TEST_CASE(a_refusal_of_the_authorizer_says_who_what_and_why) {
  const Answer secret = call(node, "GET", "/api/v1/namespaces/ns/secrets/s");
  BOOST_TEST(secret.status == 403);
  BOOST_TEST(secret.reason() == "Forbidden");
  BOOST_TEST(secret.body["code"] == 403);
  BOOST_TEST(
      secret.message() ==
      R"(secrets "s" is forbidden: User "system:node:n1" cannot get resource "secrets" in API group "" in the namespace "ns": no relationship found between node 'n1' and this object)");
  BOOST_TEST(
      call(node, "GET", "/api/v1/nodes").message() ==
      R"(nodes is forbidden: User "system:node:n1" cannot list resource "nodes" in API group "" at the cluster scope: node 'n1' cannot read all nodes, only its own Node object)");
  BOOST_TEST(
      call(node, "GET", "/api/v1/nodes/n1/proxy/x").message() ==
      R"(nodes "n1" is forbidden: User "system:node:n1" cannot get resource "nodes/proxy" in API group "" at the cluster scope)");
  BOOST_TEST(
      call(node, "GET", "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n2").message() ==
      R"(leases.coordination.k8s.io "n2" is forbidden: User "system:node:n1" cannot get resource "leases" in API group "coordination.k8s.io" in the namespace "kube-node-lease": can only access node lease with the same name as the requesting node)");
  BOOST_TEST(call(node, "GET", "/metrics").message() ==
             R"(forbidden: User "system:node:n1" cannot get path "/metrics")");
}

BOOST_AUTO_TEST_CASE(a_refusal_of_the_authorizer_is_no_html) {
  const Answer answer = call({"<b>&\"", {}, "", {}}, "GET", "/api/v1/nodes/%3Ci%3E");
  BOOST_TEST(
      answer.message() ==
      R"(nodes "<i>" is forbidden: User "&lt;b&gt;&amp;\"" cannot get resource "nodes" in API group "" at the cluster scope)");
}

BOOST_AUTO_TEST_CASE(a_refusal_of_admission_names_the_object) {
  const Answer pod_refusal = call(node, "POST", pods, R"({"metadata":{"name":"p"},"spec":{"nodeName":"n1"}})");
  BOOST_TEST(pod_refusal.status == 403);
  BOOST_TEST(
      pod_refusal.message() ==
      R"(pods "p" is forbidden: pod does not have "kubernetes.io/config.mirror" annotation, node "n1" can only create mirror pods)");
  BOOST_TEST(call(node, "POST", pods, R"({"metadata":{"generateName":"p-"}})")
                 .message()
                 .starts_with(R"(pods "p-" is forbidden: )"));
  BOOST_TEST(call(node, "POST", "/api/v1/nodes", R"({"metadata":{"name":"n2"}})").message() ==
             R"(nodes "n2" is forbidden: node "n1" is not allowed to modify node "n2")");
}

BOOST_AUTO_TEST_CASE(a_refusal_of_validation_is_an_invalid_object) {
  const Answer answer = post(pods, R"({"metadata":{"name":"m","annotations":{"kubernetes.io/config.mirror":"x"}}})");
  BOOST_TEST(answer.status == 422);
  BOOST_TEST(answer.reason() == "Invalid");
  BOOST_TEST(
      answer.message() ==
      R"(Pod "m" is invalid: metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set)");
  const Object cause = answer.body["details"]["causes"][0];
  BOOST_TEST(cause["field"] == "metadata.annotations[kubernetes.io/config.mirror]");
  BOOST_TEST(cause["reason"] == "FieldValueInvalid");
  BOOST_TEST(cause["message"] == R"(Invalid value: "x": must set spec.nodeName if mirror pod annotation is set)");
}

BOOST_AUTO_TEST_CASE(all_that_is_wrong_with_a_mirror_pod_is_told_at_once) {
  const Answer answer = post(
      pods,
      R"({"metadata":{"name":"m","annotations":{"kubernetes.io/config.mirror":"x"}},"spec":{"restartPolicy":"Seldom"}})");
  BOOST_TEST(
      answer.message() ==
      R"(Pod "m" is invalid: [metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set, spec.restartPolicy: Unsupported value: "Seldom": supported values: "Always", "OnFailure", "Never"])");
  BOOST_TEST(answer.body["details"]["causes"].size() == 2U);
}

// As kube-apiserver 1.30.14 reported it.
BOOST_AUTO_TEST_CASE(what_is_wrong_with_the_spec_of_a_changed_mirror_pod_is_told_before_its_annotation) {
  const std::string spec = R"("spec":{"nodeName":"n1","containers":[{"name":"c","image":"i"}])";
  BOOST_REQUIRE(
      post(pods, R"({"metadata":{"name":"m","annotations":{"kubernetes.io/config.mirror":"x"}},)" + spec + "}}")
          .status == 201);
  const Answer answer =
      call(admin, "PUT", pods + "/m", R"({"metadata":{"name":"m"},)" + spec + R"(,"restartPolicy":"Seldom"}})");
  const std::size_t policy = answer.message().find("spec.restartPolicy: Unsupported value");
  const std::size_t annotation = answer.message().find("may not remove or update mirror pod annotation");
  BOOST_REQUIRE(annotation != std::string::npos);
  BOOST_TEST(policy < annotation);
}

BOOST_AUTO_TEST_CASE(a_mirror_pod_of_a_node_that_is_not_there_is_not_found) {
  const Answer answer =
      call(node, "POST", pods, R"({"metadata":{"name":"m","annotations":{"kubernetes.io/config.mirror":"x"},
      "ownerReferences":[{"apiVersion":"v1","kind":"Node","name":"n1","uid":"u","controller":true}]},"spec":{"nodeName":"n1"}})");
  BOOST_TEST(answer.status == 404);
  BOOST_TEST(answer.reason() == "NotFound");
  BOOST_TEST(answer.message() == R"(node "n1" not found)");
}

BOOST_AUTO_TEST_CASE(every_answer_names_the_rule_that_decided) {
  const auto rule = [&](const char* method, const std::string& target, const std::string& body = {}) {
    return server.handle(node, {method, target, json, body}).headers.at("x-nodebound-rule");
  };
  BOOST_TEST(rule("GET", "/api/v1/namespaces/ns/secrets/s") == "secret-through-pod");
  BOOST_TEST(rule("GET", "/api/v1/nodes/n1") == "node-read-own");
  BOOST_TEST(rule("POST", "/api/v1/nodes", R"({"metadata":{"name":"n2"}})") == "node-own-name");
}

BOOST_AUTO_TEST_CASE(without_the_plugin_the_authorizer_alone_decides) {
  World open("1.36.3", {}, {{"NodeRestriction"}});
  BOOST_TEST(open.call(node, "POST", "/api/v1/nodes", R"({"metadata":{"name":"n2"}})").status == 201);
}

BOOST_AUTO_TEST_CASE(every_caller_is_authenticated_or_anonymous) {
  const std::string review = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
  const char* const body = R"({"spec":{"nonResourceAttributes":{"verb":"get","path":"/"}}})";
  BOOST_TEST(call({"jane", {}, "", {}}, "POST", review, body).status == 201);
  BOOST_TEST(call({"system:anonymous", {}, "", {}}, "POST", review, body).status == 403);
}

BOOST_AUTO_TEST_CASE(a_refusal_was_once_its_own_format) {
  const auto told_at = [](const char* version) {
    const RuleSet of_version = test::rules_of(version, {});
    apiserver::ApiServer asked(of_version);
    const HttpResponse refused = asked.handle({"till", {}, "", {}}, {"GET", "/%2561/x", "", ""});
    return std::string(text(Object::parse(refused.body), "message"));
  };
  BOOST_TEST(told_at("1.32.0") == "forbidden: User \"till\" cannot get path \"/%61/x\"");
  BOOST_TEST(told_at("1.31.0") == "forbidden: User \"till\" cannot get path \"/%!/(MISSING)x\"");
}

BOOST_AUTO_TEST_CASE(labels_cannot_be_taken_off_by_a_directive_of_a_patch) {
  post("/api/v1/nodes", R"({"metadata":{"name":"n1","labels":{"node-restriction.kubernetes.io/a":"b"}}})");
  const Answer answer = call(node, "PATCH", "/api/v1/nodes/n1", R"({"metadata":{"labels":{"$patch":"delete"}}})",
                             "application/strategic-merge-patch+json");
  BOOST_TEST(answer.status == 403);
  BOOST_TEST(answer.message() ==
             R"(nodes "n1" is forbidden: is not allowed to modify labels: node-restriction.kubernetes.io/a)");
}

BOOST_AUTO_TEST_CASE(what_a_status_would_drop_is_refused_all_the_same) {
  post("/api/v1/nodes", R"({"metadata":{"name":"n1"},"spec":{"taints":[{"key":"a","effect":"NoSchedule"}]}})");
  const Answer answer =
      call(node, "PATCH", "/api/v1/nodes/n1/status", R"({"spec":{"taints":null}})", "application/merge-patch+json");
  BOOST_TEST(answer.message() == R"(nodes "n1" is forbidden: node "n1" is not allowed to modify taints)");
}

BOOST_AUTO_TEST_CASE(slices_of_other_nodes_are_not_deleted_with_a_collection) {
  for (const char* owner : {"n1", "n2"}) {
    post("/apis/resource.k8s.io/v1/resourceslices",
         R"({"metadata":{"name":"s-)" + std::string(owner) + R"("},"spec":{"nodeName":")" + owner +
             R"(","driver":"d.example.com","pool":{"name":"p","resourceSliceCount":1}}})");
  }
  BOOST_TEST(call(node, "DELETE", "/apis/resource.k8s.io/v1/resourceslices").status == 403);
  BOOST_TEST(call(node, "DELETE", "/apis/resource.k8s.io/v1/resourceslices?fieldSelector=spec.nodeName=n1").status ==
             200);
  BOOST_TEST(get("/apis/resource.k8s.io/v1/resourceslices/s-n1").status == 404);
  BOOST_TEST(get("/apis/resource.k8s.io/v1/resourceslices/s-n2").status == 200);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
