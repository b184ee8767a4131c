#include <array>
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <nodebound.hpp>
#include <string>

BOOST_AUTO_TEST_SUITE(c_library)

using namespace nodebound::library;
using nlohmann::json;

namespace {

const std::string pod =
    "{kind: Pod, apiVersion: v1, metadata: {name: web, namespace: shop}, spec: {nodeName: a, volumes: "
    "[{name: s, secret: {secretName: db}}]}}";

Request reads_secret(const std::string& node, const std::string& name) {
  Request out;
  out.user = "system:node:" + node;
  out.groups = {"system:nodes"};
  out.verb = "get";
  out.resource = "secrets";
  out.namespace_ = "shop";
  out.name = name;
  return out;
}

/// What a call throws; empty if it throws nothing.
template <typename Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

BOOST_AUTO_TEST_CASE(decides_by_the_objects_that_it_has) {
  Reference reference("1.36.3");
  BOOST_TEST(!reference.decide(reads_secret("a", "db")).allowed());
  BOOST_TEST(reference.put(pod) == 1);
  const Decision own = reference.decide(reads_secret("a", "db"));
  BOOST_TEST(own.allowed());
  BOOST_TEST(own.rule == "secret-through-pod");
  const Decision foreign = reference.decide(reads_secret("b", "db"));
  BOOST_TEST((foreign.outcome == Outcome::no_opinion));
  BOOST_TEST(reference.reason(reads_secret("b", "db")) == "no relationship found between node 'b' and this object");
  BOOST_TEST(reference.remove("{kind: Pod, apiVersion: v1, metadata: {name: web, namespace: shop}}") == 1);
  BOOST_TEST(!reference.decide(reads_secret("a", "db")).allowed());
  BOOST_TEST(reference.remove(pod) == 0);
}

BOOST_AUTO_TEST_CASE(asks_the_modes_that_were_given) {
  const std::string binding =
      "{kind: ClusterRoleBinding, apiVersion: rbac.authorization.k8s.io/v1, metadata: {name: all}, roleRef: "
      "{apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}, subjects: "
      "[{apiGroup: rbac.authorization.k8s.io, kind: User, name: jane}]}\n---\n"
      "{kind: ClusterRole, apiVersion: rbac.authorization.k8s.io/v1, metadata: {name: view}, rules: "
      "[{apiGroups: [''], resources: [pods], verbs: [list]}]}";
  Request lists;
  lists.user = "jane";
  lists.verb = "list";
  lists.resource = "pods";
  for (const auto& [modes, allowed] :
       {std::pair("Node", false), std::pair("RBAC", true), std::pair("Node,RBAC", true)}) {
    Reference reference("1.36", "", modes);
    BOOST_TEST(reference.put(binding) == 2);
    BOOST_TEST(reference.decide(lists).allowed() == allowed, modes);
  }
  Request health;
  health.user = "system:anonymous";
  health.groups = {"system:unauthenticated"};
  health.verb = "get";
  health.path = "/healthz";
  BOOST_TEST(Reference("1.36").decide(health).allowed());
}

BOOST_AUTO_TEST_CASE(a_review_is_answered) {
  Reference reference("1.36.3");
  reference.put(pod);
  const json spec = {
      {"user", "system:node:a"},
      {"groups", {"system:nodes"}},
      {"resourceAttributes", {{"verb", "get"}, {"resource", "secrets"}, {"namespace", "shop"}, {"name", "db"}}}};
  const json review = {{"apiVersion", "authorization.k8s.io/v1"}, {"kind", "SubjectAccessReview"}, {"spec", spec}};
  BOOST_TEST(json::parse(reference.review(review.dump()))["status"]["allowed"] == true);
  BOOST_TEST(error_of([&] { static_cast<void>(reference.review("{}")); }).find("SubjectAccessReview") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_request_is_explained) {
  Reference reference("1.36.3");
  reference.put(pod);
  const json told = json::parse(reference.explain("node:a", "get", "secrets/db", "shop"));
  BOOST_TEST(told["decision"]["allowed"] == true);
  BOOST_TEST(told["decision"]["rule"]["id"] == "secret-through-pod");
  BOOST_TEST(told["path"]["leads"] == true);
  BOOST_TEST(error_of([&] {
               static_cast<void>(reference.explain("nobody", "get", "secrets/db"));
             }).find("is no subject") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(rules_are_those_of_the_release) {
  const json old = json::parse(Reference("1.6").rule("secret-through-pod"));
  const json rule = json::parse(Reference("1.36").rule("secret-through-pod"));
  BOOST_TEST(old["inForce"] == false);
  BOOST_TEST(rule["inForce"] == true);
  BOOST_TEST(!rule["statement"].get<std::string>().empty());
  const json all = json::parse(Reference("1.36").rules());
  BOOST_TEST(all.size() > 100U);
  BOOST_TEST(std::count(all.begin(), all.end(), rule) == 1);
  BOOST_TEST(error_of([] { static_cast<void>(Reference("1.36").rule("no-such-rule")); }) ==
             "id: there is no rule \"no-such-rule\"");
}

BOOST_AUTO_TEST_CASE(wrong_input_is_an_error_that_says_where) {
  BOOST_TEST(error_of([] { Reference("soon"); }) ==
             "release: \"soon\" is not a Kubernetes version\n  give it like 1.36 or 1.36.3");
  BOOST_TEST(error_of([] { Reference("1.36", "NoSuchGate=true"); }).find("NoSuchGate") != std::string::npos);
  BOOST_TEST(error_of([] { Reference("1.36", "", "Webhook"); }).find("authorization_modes: ") == 0U);
  BOOST_TEST(error_of([] { Reference("1.36", "", ""); }).find("authorization_modes: ") == 0U);
  Reference reference("1.36");
  BOOST_TEST(error_of([&] { reference.put("{kind: Pod"); }).find("objects:2: is not valid YAML") == 0U);
  BOOST_TEST(error_of([&] { reference.put(std::string("\xff\0", 2)); }).find("objects") == 0U);
  Request request = reads_secret("a", "db");
  request.verb = "";
  BOOST_TEST(error_of([&] { static_cast<void>(reference.decide(request)); }).find("request.verb: ") == 0U);
  request = reads_secret("a", "db");
  request.resource = "";
  BOOST_TEST(error_of([&] { static_cast<void>(reference.decide(request)); }).find("request: ") == 0U);
}

// A caller in C may leave out whatever is empty, the place of the error included.
BOOST_AUTO_TEST_CASE(what_is_not_given_is_empty) {
  nodebound_reference* reference = nodebound_open("1.36", nullptr, nullptr, nullptr);
  BOOST_REQUIRE(reference != nullptr);
  nodebound_request request{};
  nodebound_decision decision{};
  BOOST_TEST(nodebound_decide(reference, &request, &decision, nullptr) == -1);
  request.user = "admin";
  request.verb = "get";
  request.resource = "pods";
  const std::array<const char*, 2> groups = {"system:masters", nullptr};
  BOOST_TEST(nodebound_decide(reference, &request, &decision, nullptr) == 0);
  BOOST_TEST(decision.outcome == NODEBOUND_NO_OPINION);
  request.groups = groups.data();
  BOOST_TEST(nodebound_decide(reference, &request, &decision, nullptr) == 0);
  BOOST_TEST(decision.outcome == NODEBOUND_ALLOW);
  nodebound_string_free(nullptr);
  nodebound_close(reference);
  nodebound_close(nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
