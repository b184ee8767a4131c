#include <boost/test/unit_test.hpp>
#include <string>

#include "fakes/test/api_server_world.h"

BOOST_AUTO_TEST_SUITE(api_server_subresources)

using namespace nodebound;
using namespace nodebound::test;

BOOST_FIXTURE_TEST_SUITE(subresources_of_pods, World)

BOOST_AUTO_TEST_CASE(a_pod_is_bound_once) {
  post(pods, R"({"metadata":{"name":"u"}})");
  BOOST_TEST(post(pods + "/u/binding", R"({"metadata":{"name":"u"},"target":{"name":"n1"}})").status == 201);
  BOOST_TEST(text(get(pods + "/u").body, "spec", "nodeName") == "n1");
  const Answer again = post(pods + "/u/binding", R"({"metadata":{"name":"u"},"target":{"name":"n2"}})");
  BOOST_TEST(again.status == 409);
  BOOST_TEST(again.message() ==
             R"(Operation cannot be fulfilled on pods/binding "u": pod u is already assigned to node "n1")");
}

BOOST_AUTO_TEST_CASE(a_binding_says_to_what_before_the_pod_is_looked_for) {
  const Answer nowhere = post(pods + "/none/binding", R"({"metadata":{"name":"none"}})");
  BOOST_TEST(nowhere.status == 500);
  BOOST_TEST(nowhere.message() == "target.name: Required value");
  BOOST_TEST(post(pods + "/none/binding", R"({"metadata":{"name":"none"},"target":{"name":"n1"}})").status == 404);
  const Answer other = post(pods + "/none/binding", R"({"target":{"name":"n1"}})");
  BOOST_TEST(other.message() == "name in URL does not match name in Binding object");
}

BOOST_AUTO_TEST_CASE(a_pod_without_a_node_has_no_log) {
  pod("loose", "");
  BOOST_TEST(get(pods + "/loose/log").status == 204);
  BOOST_TEST(get(pods + "/none/log").status == 404);
}

BOOST_AUTO_TEST_CASE(a_node_without_address_is_not_connected_to) {
  post("/api/v1/nodes", R"({"metadata":{"name":"new"}})");
  const Answer answer = get("/api/v1/nodes/new/proxy/metrics");
  BOOST_TEST(answer.status == 500);
  BOOST_TEST(answer.message() == "no preferred addresses found; known addresses: []");
}

BOOST_AUTO_TEST_CASE(an_evicted_pod_is_gone) {
  pod("mine", "n1");
  pod("theirs", "n2");
  const Answer answer = call(node, "POST", pods + "/mine/eviction",
                             R"({"metadata":{"name":"mine"},"deleteOptions":{"gracePeriodSeconds":0}})");
  BOOST_TEST(answer.status == 201);
  BOOST_TEST(text(answer.body, "status") == "Success");
  BOOST_TEST(get(pods + "/mine").status == 404);
  BOOST_TEST(call(node, "POST", pods + "/theirs/eviction", R"({"metadata":{"name":"theirs"}})").status == 403);
  BOOST_TEST(get(pods + "/theirs").status == 200);
  BOOST_TEST(post(pods + "/gone/eviction", R"({"metadata":{"name":"gone"}})").status == 404);
  const Answer misnamed = post(pods + "/gone/eviction", "{}");
  BOOST_TEST(misnamed.status == 400);
  BOOST_TEST(misnamed.message() == "name in URL does not match name in Eviction object");
}

BOOST_AUTO_TEST_CASE(a_connection_is_not_looked_at_by_admission) {
  // NodeRestriction checks creates, updates and deletes; exec and the like are connects.
  post("/api/v1/nodes",
       R"({"metadata":{"name":"n2"},"status":{"addresses":[{"type":"InternalIP","address":"10.0.0.2"}]}})");
  pod("theirs", "n2");
  post("/apis/rbac.authorization.k8s.io/v1/clusterroles",
       R"({"metadata":{"name":"exec"},"rules":[{"verbs":["create"],"apiGroups":[""],"resources":["pods/exec"]}]})");
  post(
      "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
      R"({"metadata":{"name":"exec"},"roleRef":{"kind":"ClusterRole","name":"exec"},"subjects":[{"kind":"Group","name":"system:nodes"}]})");
  const Answer answer = call(node, "POST", pods + "/theirs/exec?command=sh");
  BOOST_TEST(answer.status == 400);
  BOOST_TEST(answer.message() == "Upgrade request required");
}

BOOST_AUTO_TEST_CASE(one_of_several_containers_is_named) {
  post(pods,
       R"({"metadata":{"name":"two"},"spec":{"containers":[{"name":"main","image":"i"},{"name":"second","image":"i"}],
                 "initContainers":[{"name":"first","image":"i"}]}})");
  for (const char* subresource : {"/exec", "/attach", "/log"}) {
    const Answer unnamed = get(pods + "/two" + subresource);
    BOOST_TEST(unnamed.status == 400);
    BOOST_TEST(unnamed.message() ==
               "a container name must be specified for pod two, choose one of: [first main second]");
    BOOST_TEST(get(pods + "/two" + subresource + "?container=third").message() ==
               "container third is not valid for pod two");
  }
  BOOST_TEST(get(pods + "/two/log?container=second").status == 204);
  BOOST_TEST(get(pods + "/two/exec?container=first").message() == "pod two does not have a host assigned");
  BOOST_TEST(get(pods + "/two/portforward").message() == "pod two does not have a host assigned");
}

BOOST_AUTO_TEST_CASE(the_root_behind_a_proxy_ends_with_a_slash) {
  post("/api/v1/nodes",
       R"({"metadata":{"name":"n2"},"status":{"addresses":[{"type":"InternalIP","address":"10.0.0.2"}]}})");
  const std::string proxy = "/api/v1/nodes/n2/proxy";
  const HttpResponse answer = server.handle(admin, {"GET", proxy + "?a=b", "", ""});
  BOOST_TEST(answer.status == 301);
  BOOST_TEST(answer.body == "");
  BOOST_TEST(answer.headers.at("location") == proxy + "/?a=b");
  BOOST_TEST(get(proxy + "/").status == 400);
  BOOST_TEST(post(proxy, "").status == 400);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(tokens, World)

const std::string token = "/api/v1/namespaces/ns/serviceaccounts/sa/token";

std::string bound_to(const std::string& pod_name, const std::string& uid) {
  return R"({"spec":{"boundObjectRef":{"apiVersion":"v1","kind":"Pod","name":")" + pod_name + R"(","uid":")" + uid +
         R"("}}})";
}

BOOST_AUTO_TEST_CASE(a_token_is_issued_for_a_pod_of_the_service_account) {
  post("/api/v1/namespaces/ns/serviceaccounts", R"({"metadata":{"name":"sa"}})");
  const std::string uid(text(pod(), "metadata", "uid"));
  const Answer answer = call(node, "POST", token, bound_to("p", uid));
  BOOST_TEST(answer.status == 201);
  BOOST_TEST(text(answer.body, "kind") == "TokenRequest");
  BOOST_TEST(!text(answer.body, "status", "token").empty());
  BOOST_TEST(post(token, "{}").status == 201);
}

BOOST_AUTO_TEST_CASE(a_token_is_not_issued_for_another_pod) {
  post("/api/v1/namespaces/ns/serviceaccounts", R"({"metadata":{"name":"sa"}})");
  pod();
  const Answer old = post(token, bound_to("p", "old"));
  BOOST_TEST(old.status == 409);
  BOOST_TEST(
      old.message() ==
      R"(Operation cannot be fulfilled on Pod "p": the UID in the bound object reference (old) does not match the UID in record. The object might have been deleted and then recreated)");
  const Answer gone = post(token, bound_to("gone", "x"));
  BOOST_TEST(gone.status == 404);
  BOOST_TEST(gone.message() == R"(pods "gone" not found)");
  post(pods, R"({"metadata":{"name":"other"},"spec":{"serviceAccountName":"another"}})");
  const Answer other = post(token, bound_to("other", ""));
  BOOST_TEST(other.status == 400);
  BOOST_TEST(other.message() ==
             R"(cannot bind token for serviceaccount "sa" to pod running with different serviceaccount name.)");
}

BOOST_AUTO_TEST_CASE(a_token_is_not_issued_for_a_service_account_that_is_not_there) {
  const Answer answer = post(token, "{}");
  BOOST_TEST(answer.status == 404);
  BOOST_TEST(answer.message() == R"(serviceaccounts "sa" not found)");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(reviews, World)

const std::string reviews_path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

Object review_of(World& world, const std::string& spec, const std::string& path = reviews_path) {
  return world.post(path, R"({"spec":)" + spec + "}").body["status"];
}

std::string as_node(const std::string& attributes) {
  return R"({"user":"system:node:n1","groups":["system:nodes"],)" + attributes + "}";
}

BOOST_AUTO_TEST_CASE(a_review_answers_what_the_authorizer_would) {
  pod();
  Object status = review_of(
      *this, as_node(R"("resourceAttributes":{"verb":"get","resource":"secrets","namespace":"ns","name":"s"})"));
  BOOST_TEST(status["allowed"] == true);
  status = review_of(
      *this, as_node(R"("resourceAttributes":{"verb":"get","resource":"secrets","namespace":"ns","name":"other"})"));
  BOOST_TEST(status["allowed"] == false);
  BOOST_TEST(text(status, "reason") == "no relationship found between node 'n1' and this object");
  BOOST_TEST(!status.contains("denied"));
}

BOOST_AUTO_TEST_CASE(a_review_knows_selectors_in_both_forms) {
  const auto allowed = [&](const char* selector) {
    return review_of(*this,
                     as_node(std::string(R"("resourceAttributes":{"verb":"list","resource":"pods","fieldSelector":)") +
                             selector + "}"))["allowed"];
  };
  BOOST_TEST(allowed(R"({"rawSelector":"spec.nodeName=n1"})") == true);
  BOOST_TEST(allowed(R"({"requirements":[{"key":"spec.nodeName","operator":"In","values":["n1"]}]})") == true);
  BOOST_TEST(allowed(R"({"rawSelector":"spec.nodeName=n2"})") == false);
  BOOST_TEST(allowed(R"({"requirements":[{"key":"spec.nodeName","operator":"NotIn","values":["n1"]}]})") == false);
  BOOST_TEST(allowed(R"({"requirements":[{"key":"spec.nodeName","operator":"In","values":["n1","n2"]}]})") == false);
  BOOST_TEST(allowed(R"({"requirements":[{"key":"spec.nodeName","operator":"Exists"}]})") == false);
  BOOST_TEST(allowed(R"({"rawSelector":"spec.nodeName=n1,broken"})") == false);
}

BOOST_AUTO_TEST_CASE(a_review_of_a_path) {
  BOOST_TEST(
      review_of(
          *this,
          R"({"user":"x","groups":["system:authenticated"],"nonResourceAttributes":{"verb":"get","path":"/healthz"}})")
          ["allowed"] == true);
  BOOST_TEST(review_of(*this, R"({"user":"x","nonResourceAttributes":{"verb":"get","path":"/metrics"}})")["allowed"] ==
             false);
}

BOOST_AUTO_TEST_CASE(a_review_of_oneself_is_about_the_caller) {
  const std::string path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
  const Answer answer = call(
      node, "POST", path,
      R"({"spec":{"user":"admin","groups":["system:masters"],"resourceAttributes":{"verb":"list","resource":"nodes"}}})");
  BOOST_TEST(answer.status == 201);
  BOOST_TEST(answer.body["status"]["allowed"] == false);
  const Answer self = call(node, "POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}");
  BOOST_TEST(text(self.body, "status", "userInfo", "username") == "system:node:n1");
}

BOOST_AUTO_TEST_CASE(a_review_of_nobody_is_invalid) {
  const Answer answer = post(reviews_path, R"({"spec":{"resourceAttributes":{"verb":"get"}}})");
  BOOST_TEST(answer.status == 422);
  BOOST_TEST(answer.message().ends_with("at least one of user or group must be specified"));
}

BOOST_AUTO_TEST_CASE(nodes_may_review_others_and_strangers_may_not) {
  const std::string body = R"({"spec":{"user":"x","resourceAttributes":{"verb":"get","resource":"pods"}}})";
  BOOST_TEST(call(node, "POST", reviews_path, body).status == 201);
  BOOST_TEST(call({"jane", {}, "", {}}, "POST", reviews_path, body).status == 403);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
