#include <boost/test/unit_test.hpp>
#include <string>

#include "fakes/test/whole_cluster.h"

// What kube-apiserver 1.36.3 answered to the same requests.
BOOST_AUTO_TEST_SUITE(role_grants)

using namespace nodebound;

namespace {

const Subject ann{"ann", {"team", "system:authenticated"}, "", {}};
const Subject nobody{"nobody", {"system:authenticated"}, "", {}};

/// Ann may write roles and bindings, and read pods.
struct Roles : WholeCluster {
  explicit Roles(std::string_view version = "1.36.3") : WholeCluster(version) {
    make_shop();
    make_role(
        "writer",
        R"([{"apiGroups":["rbac.authorization.k8s.io"],"resources":["*"],"verbs":["get","create","update","patch"]},
                  {"apiGroups":[""],"resources":["pods"],"verbs":["get"]}])");
    make_role("secrets", R"([{"apiGroups":[""],"resources":["secrets"],"verbs":["get"]}])");
    post(group + "/clusterrolebindings",
         R"({"metadata":{"name":"writer"},"roleRef":{"kind":"ClusterRole","name":"writer"},
             "subjects":[{"kind":"User","name":"ann"}]})");
  }

  void make_role(const std::string& name, const std::string& rules_of_role) {
    post(group + "/clusterroles", R"({"metadata":{"name":")" + name + R"("},"rules":)" + rules_of_role + "}");
  }
  Answer bind(const std::string& collection, const std::string& role, const std::string& metadata = R"("name":"b")") {
    return call(ann, "POST", group + collection, R"({"metadata":{)" + metadata + R"(},"roleRef":)" + role + "}");
  }
  std::string refused_binding(const std::string& collection, const std::string& role) {
    const Answer answer = bind(collection, role);
    return std::to_string(answer.status) + " " + message(answer);
  }

  const std::string group = "/apis/rbac.authorization.k8s.io/v1";
  const std::string cluster_bindings = "/clusterrolebindings";
  const std::string bindings = "/namespaces/shop/rolebindings";
};

struct OldRoles : Roles {
  OldRoles() : Roles("1.31.0") {}
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_refusal_names_what_is_lacking, Roles) {
  const std::string lacking =
      R"(is forbidden: user "ann" (groups=["team" "system:authenticated"]) is attempting to grant RBAC permissions )"
      "not currently held:\n"
      R"({APIGroups:[""], Resources:["secrets"], Verbs:["get"]})";
  const std::string role = R"({"kind":"ClusterRole","name":"secrets"})";
  BOOST_TEST(refused_binding(bindings, role) == R"(403 rolebindings.rbac.authorization.k8s.io "b" )" + lacking);
  const Answer unnamed = bind(cluster_bindings, role, R"("generateName":"b-")");
  BOOST_TEST(message(unnamed) == "clusterrolebindings.rbac.authorization.k8s.io " + lacking);
  BOOST_TEST(unnamed.body["details"] ==
             Object::parse(R"({"group":"rbac.authorization.k8s.io","kind":"clusterrolebindings"})"));
}

BOOST_FIXTURE_TEST_CASE(a_role_that_is_missing_is_named_as_what_is_written, Roles) {
  BOOST_TEST(refused_binding(bindings, R"({"kind":"ClusterRole","name":"gone"})") ==
             R"(404 rolebindings.rbac.authorization.k8s.io "gone" not found)");
  BOOST_TEST(refused_binding(bindings, R"({"kind":"Role","name":"gone"})") ==
             R"(404 rolebindings.rbac.authorization.k8s.io "gone" not found)");
  BOOST_TEST(refused_binding(cluster_bindings, R"({"kind":"Role","name":"gone"})") ==
             "400 Namespace parameter required.");
  BOOST_TEST(refused_binding(cluster_bindings, R"({"kind":"ClusterRole"})") == "400 Name parameter required.");
  BOOST_TEST(refused_binding(bindings, R"({"kind":"Pod","name":"x"})") ==
             R"(500 unsupported role reference kind: "Pod")");
}

BOOST_FIXTURE_TEST_CASE(before_1_32_it_is_named_as_what_it_is, OldRoles) {
  BOOST_TEST(refused_binding(bindings, R"({"kind":"ClusterRole","name":"gone"})") ==
             R"(404 clusterroles.rbac.authorization.k8s.io "gone" not found)");
  BOOST_TEST(refused_binding(bindings, R"({"kind":"Role","name":"gone"})") ==
             R"(404 roles.rbac.authorization.k8s.io "gone" not found)");
}

BOOST_FIXTURE_TEST_CASE(an_empty_list_of_rules_is_none, Roles) {
  make_role("empty", "[]");
  BOOST_TEST(get(group + "/clusterroles/empty")["rules"].is_null());
  const std::string merge = "application/merge-patch+json";
  const std::string secrets = group + "/clusterroles/secrets";
  BOOST_TEST(call(ann, "PATCH", secrets, R"({"metadata":{"labels":{"a":"b"}}})", merge).status == 403);
  BOOST_TEST(call(ann, "PATCH", secrets, R"({"metadata":{"finalizers":["a.b/c"]}})", merge).status == 200);
}

BOOST_FIXTURE_TEST_CASE(a_role_is_granted_before_its_author_may_create_by_an_update, Roles) {
  const std::string invalid = R"({"metadata":{"name":"new"},"rules":[{"apiGroups":[""],"resources":["pods"]}]})";
  BOOST_TEST(call(nobody, "PUT", group + "/clusterroles/new", invalid).status == 403);
  BOOST_TEST(call(ann, "PUT", group + "/clusterroles/new", invalid).status == 422);
  BOOST_TEST(call(ann, "PUT", group + "/clusterroles/new",
                  R"({"metadata":{"name":"new"},"rules":[{"apiGroups":[""],"resources":["pods"],"verbs":["get"]}]})")
                 .status == 201);
}

BOOST_AUTO_TEST_SUITE_END()
