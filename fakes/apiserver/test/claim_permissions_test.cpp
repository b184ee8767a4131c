#include <boost/test/unit_test.hpp>
#include <string>

#include "fakes/test/whole_cluster.h"

// What kube-apiserver 1.36.3 answers.
BOOST_AUTO_TEST_SUITE(claim_permissions)

using namespace nodebound;
using namespace nodebound::apiserver;

namespace {

const std::string claims = "/apis/resource.k8s.io/v1/namespaces/shop/resourceclaims";
const std::string rbac = "/apis/rbac.authorization.k8s.io/v1";
const std::string claim_type = "application/merge-patch+json";

Object device(const std::string& driver) {
  return {{"driver", driver}, {"pool", "p"}, {"device", "d"}, {"networkData", {{"interfaceName", "eth1"}}}};
}

Object on_node(const Object& values) {
  const Object field = {{"key", "metadata.name"}, {"operator", "In"}, {"values", values}};
  return {{"nodeSelectorTerms", Object::array({{{"matchFields", Object::array({field})}}})}};
}

/// A claim that is allocated to n1, and an agent that may update its status.
struct WithClaim {
  WithClaim() : rules(test::rules_of("1.36.3", {})), server(rules) {
    make(claims,
         {{"metadata", {{"name", "gpu"}}},
          {"spec",
           {{"devices", {{"requests", Object::array({{{"name", "r"}, {"exactly", {{"deviceClassName", "c"}}}}})}}}}}});
    allocate(on_node({"n1"}));
    grant("status", "resourceclaims/status", {"update", "patch"});
  }

  void make(const std::string& target, const Object& body) {
    BOOST_REQUIRE_EQUAL(server.handle(admin, {"POST", target, "application/json", body.dump()}).status, 201);
  }
  HttpResponse change(const Subject& who, const Object& status) {
    return server.handle(who, {"PATCH", claims + "/gpu/status", claim_type, Object{{"status", status}}.dump()});
  }
  void allocate(const Object& selector) {
    const Object result = {{"request", "r"}, {"driver", "a.example.com"}, {"pool", "p"}, {"device", "d"}};
    Object other = result;
    other["driver"] = "b.example.com";
    const Object allocation = {{"devices", {{"results", {result, other}}}}, {"nodeSelector", selector}};
    BOOST_REQUIRE_EQUAL(change(admin, {{"allocation", nullptr}}).status, 200);
    BOOST_REQUIRE_EQUAL(change(admin, {{"allocation", allocation}}).status, 200);
  }
  void grant(const std::string& role, const std::string& resource, const Object& verbs, bool of_cluster = false) {
    const std::string in = of_cluster ? "" : "/namespaces/shop";
    const std::string kind = of_cluster ? "clusterrole" : "role";
    make(rbac + in + "/" + kind + "s",
         {{"metadata", {{"name", role}}},
          {"rules",
           Object::array({{{"apiGroups", {"resource.k8s.io"}}, {"resources", {resource}}, {"verbs", verbs}}})}});
    const Object subject = {{"kind", "ServiceAccount"}, {"namespace", "shop"}, {"name", "agent"}};
    make(rbac + in + "/" + kind + "bindings",
         {{"metadata", {{"name", role}}},
          {"roleRef",
           {{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", of_cluster ? "ClusterRole" : "Role"}, {"name", role}}},
          {"subjects", Object::array({subject})}});
  }

  static Subject agent(std::vector<std::string> nodes) {
    Subject out{"system:serviceaccount:shop:agent", {"system:serviceaccounts", "system:authenticated"}, "", {}};
    if (!nodes.empty()) out.extra["authentication.kubernetes.io/node-name"] = std::move(nodes);
    return out;
  }

  RuleSet rules;
  ApiServer server;
};

std::string why(const HttpResponse& response) {
  return std::to_string(response.status) + " " + std::string(text(Object::parse(response.body), "message"));
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_driver_is_asked_for_its_own_verbs, WithClaim) {
  const Object devices = {{"devices", Object::array({device("a.example.com")})}};
  const std::string cannot =
      "resourceclaims.resource.k8s.io \"a.example.com\" is forbidden: User \"system:serviceaccount:shop:agent\" "
      "cannot ";
  const std::string tail =
      " resource \"resourceclaims/driver\" in API group \"resource.k8s.io\" in the namespace \"shop\"";
  BOOST_TEST(why(change(agent({"n2"}), devices)) ==
             "422 ResourceClaim.resource.k8s.io \"gpu\" is invalid: status.devices: Forbidden: changing status.devices "
             "requires resource=\"resourceclaims/driver\", verb=\"[arbitrary-node:patch]\" permission: " +
                 cannot + "arbitrary-node:patch" + tail);
  BOOST_TEST(why(change(agent({"n1"}), devices)) ==
             "422 ResourceClaim.resource.k8s.io \"gpu\" is invalid: status.devices: Forbidden: changing status.devices "
             "requires resource=\"resourceclaims/driver\", verb=\"[associated-node:patch arbitrary-node:patch]\" "
             "permission: " +
                 cannot + "associated-node:patch" + tail);
  grant("driver", "resourceclaims/driver", {"associated-node:patch"});
  BOOST_TEST(change(agent({"n1"}), devices).status == 200);
  const Object none = {{"devices", nullptr}};
  for (const std::vector<std::string>& nodes : {std::vector<std::string>{"n2"}, {}, {"n1", "n1"}}) {
    const HttpResponse refused = change(agent(nodes), none);
    BOOST_TEST(refused.status == 422);
    BOOST_TEST(refused.headers.at("x-nodebound-rule") == "claim-driver-permission");
  }
  BOOST_TEST(change(agent({"n1"}), none).status == 200);
}

BOOST_FIXTURE_TEST_CASE(a_node_is_associated_if_it_is_the_only_one, WithClaim) {
  grant("driver", "resourceclaims/driver", {"associated-node:patch"});
  const Object devices = {{"devices", Object::array({device("a.example.com")})}};
  allocate(on_node({"n1", "n2"}));
  BOOST_TEST(change(agent({"n1"}), devices).status == 422);
  Object labelled = on_node({"n1"});
  labelled["nodeSelectorTerms"][0]["matchExpressions"] = Object::array({{{"key", "a"}, {"operator", "Exists"}}});
  allocate(labelled);
  BOOST_TEST(change(agent({"n1"}), devices).status == 422);
  allocate(on_node({"n1"}));
  BOOST_TEST(change(agent({"n1"}), devices).status == 200);
}

BOOST_FIXTURE_TEST_CASE(who_allocates_may_bind_claims_of_the_whole_cluster, WithClaim) {
  const Object reserved = {{"reservedFor", Object::array({{{"resource", "pods"}, {"name", "web"}, {"uid", "u"}}})}};
  grant("binding", "resourceclaims/binding", {"patch"});
  const HttpResponse refused = change(agent({"n1"}), reserved);
  BOOST_TEST(why(refused).find("422 ResourceClaim.resource.k8s.io \"gpu\" is invalid: status.allocation: Forbidden: "
                               "changing status.allocation or status.reservedFor requires "
                               "resource=\"resourceclaims/binding\", verb=\"patch\" permission: ") == 0U);
  BOOST_TEST(refused.headers.at("x-nodebound-rule") == "claim-binding-permission");
  grant("binding-of-all", "resourceclaims/binding", {"patch"}, true);
  BOOST_TEST(change(agent({"n1"}), reserved).status == 200);
}

BOOST_AUTO_TEST_SUITE_END()
