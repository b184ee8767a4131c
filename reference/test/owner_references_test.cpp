#include "reference/admission/owner_references.h"

#include <boost/test/unit_test.hpp>

#include "reference/authorizer/authorizer_chain.h"
#include "reference/authorizer/node_authorizer.h"
#include "reference/authorizer/rbac_authorizer.h"
#include "reference/cluster/cluster.h"
#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(owner_references)

using namespace nodebound;
using namespace nodebound::test;

namespace {

const Object no_object;
const std::string no_refusal;
const std::string not_deletable = "cannot set an ownerRef on a resource you can't delete: , <nil>";
const std::string not_finalizable =
    "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: , <nil>";

Object owner(const char* kind, const char* name, const char* uid, const Object& more = Object::object()) {
  Object out = {{"apiVersion", "v1"}, {"kind", kind}, {"name", name}, {"uid", uid}};
  out.update(more);
  return out;
}

const Object blocks = {{"blockOwnerDeletion", true}};

Object owned_by(std::initializer_list<Object> owners) {
  return {{"metadata", {{"name", "x"}, {"ownerReferences", Object::array_t(owners)}}}};
}

/// Users by name, with the rights that they are given.
struct Owners {
  explicit Owners(std::string_view version = "1.36.3")
      : rules(rules_of(version)),
        cluster(rules),
        node(rules, cluster.graph()),
        rbac(rules, cluster.rbac()),
        chain(rules, {&node, &rbac}),
        plugin(rules, chain, [](const std::string& group, const std::string& in, const std::string& kind) {
          std::optional<KindMapping> out;
          if (group.empty() && in == "v1" && kind == "ConfigMap") out = KindMapping{"configmaps", true};
          if (group.empty() && in == "v1" && kind == "Node") out = KindMapping{"nodes", false};
          return out;
        }) {}

  void grant(const std::string& user, const char* verb, const char* resource, const char* group = "",
             const std::string& in = "") {
    const std::string name = user + "-" + verb;
    const std::string prefix = in.empty() ? "Cluster" : "";
    const Object role = {
        {"rules", Object::array({{{"verbs", {verb}}, {"apiGroups", {group}}, {"resources", {resource}}}})}};
    const Object binding = {
        {"roleRef", {{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", prefix + "Role"}, {"name", name}}},
        {"subjects", Object::array({{{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", "User"}, {"name", user}}})}};
    const std::string api = "rbac.authorization.k8s.io";
    cluster.put({api, in.empty() ? "clusterroles" : "roles", in, name}, role);
    cluster.put({api, in.empty() ? "clusterrolebindings" : "rolebindings", in, name}, binding);
  }

  [[nodiscard]] std::string said(const Subject& subject, const Object& after, const Object& before,
                                 const char* resource = "configmaps", const char* subresource = "") const {
    const Operation operation = before.is_null() ? Operation::create : Operation::update;
    const std::string name = before.is_null() ? "" : "x";
    const Admission refusal =
        plugin.admit({operation, subject, "", resource, subresource, "shop", name, after, before, "v1"});
    return refusal ? refusal->reason : no_refusal;
  }
  [[nodiscard]] std::string said(const char* user, const Object& after, const Object& before) const {
    return said(Subject{user, {"system:authenticated"}, "", {}}, after, before);
  }

  RuleSet rules;
  Cluster cluster;
  NodeAuthorizer node;
  RbacAuthorizer rbac;
  AuthorizerChain chain;
  OwnerReferencesPermissionEnforcement plugin;
};

const Object plain = owned_by({owner("ConfigMap", "first", "1")});

}  // namespace

BOOST_AUTO_TEST_CASE(every_change_of_an_owner_takes_the_right_to_delete) {
  Owners world;
  world.grant("may", "delete", "configmaps");
  const std::vector<Object> others = {
      owned_by({}),
      owned_by({owner("ConfigMap", "second", "1")}),
      owned_by({owner("ConfigMap", "first", "2")}),
      owned_by({owner("Node", "first", "1")}),
      owned_by({owner("ConfigMap", "first", "1", {{"apiVersion", "v2"}})}),
      owned_by({owner("ConfigMap", "first", "1", {{"controller", true}})}),
      owned_by({owner("ConfigMap", "first", "1", {{"controller", false}})}),
      owned_by({owner("ConfigMap", "first", "1", {{"blockOwnerDeletion", false}})}),
      owned_by({owner("ConfigMap", "first", "1"), owner("ConfigMap", "second", "2")}),
  };
  for (const Object& other : others) {
    BOOST_TEST(world.said("nobody", other, plain) == not_deletable, other.dump());
    BOOST_TEST(world.said("may", other, plain) == no_refusal, other.dump());
  }
  Object renamed = plain;
  renamed["metadata"]["labels"]["a"] = "b";
  BOOST_TEST(world.said("nobody", renamed, plain) == no_refusal);
  const Object two = owned_by({owner("Node", "a", "1"), owner("Node", "b", "2")});
  BOOST_TEST(world.said("nobody", owned_by({owner("Node", "b", "2"), owner("Node", "a", "1")}), two) == not_deletable);
}

BOOST_AUTO_TEST_CASE(a_new_object_takes_it_before_1_11) {
  BOOST_TEST(Owners("1.36.3").said("nobody", plain, no_object) == no_refusal);
  BOOST_TEST(Owners("1.11.0").said("nobody", plain, no_object) == no_refusal);
  BOOST_TEST(Owners("1.10.13").said("nobody", plain, no_object) == not_deletable);
  BOOST_TEST(Owners("1.10.13").said("nobody", owned_by({}), no_object) == no_refusal);
}

BOOST_AUTO_TEST_CASE(who_blocks_an_owner_may_set_its_finalizers) {
  const Object blocking = owned_by({owner("ConfigMap", "first", "1", blocks)});
  Owners world;
  world.grant("changes", "delete", "configmaps");
  world.grant("finalizes", "update", "configmaps/finalizers", "", "shop");
  world.grant("elsewhere", "update", "configmaps/finalizers", "", "vault");
  BOOST_TEST(world.said("changes", blocking, no_object) == not_finalizable);
  BOOST_TEST(world.said("elsewhere", blocking, no_object) == not_finalizable);
  BOOST_TEST(world.said("finalizes", blocking, no_object) == no_refusal);
  BOOST_TEST(world.said("changes", blocking, plain) == not_finalizable);
  // What was blocked before may stay so, beside others and under another name.
  const Object more = owned_by({owner("ConfigMap", "second", "2"), owner("ConfigMap", "other", "1", blocks)});
  BOOST_TEST(world.said("changes", more, blocking) == no_refusal);
  BOOST_TEST(world.said("changes", owned_by({owner("ConfigMap", "second", "2", blocks)}), blocking) == not_finalizable);
}

BOOST_AUTO_TEST_CASE(an_owner_without_namespace_takes_a_right_in_the_whole_cluster) {
  const Object blocking = owned_by({owner("Node", "a", "1", blocks)});
  for (const char* version : {"1.12.10", "1.13.0", "1.36.3"}) {
    Owners world(version);
    world.grant("here", "update", "nodes/finalizers", "", "shop");
    world.grant("everywhere", "update", "nodes/finalizers");
    BOOST_TEST(world.said("everywhere", blocking, no_object) == no_refusal, version);
    const bool old = std::string_view(version) == "1.12.10";
    BOOST_TEST(world.said("here", blocking, no_object) == (old ? no_refusal : not_finalizable), version);
    BOOST_TEST(world.said("nobody", blocking, no_object) == not_finalizable, version);
  }
}

BOOST_AUTO_TEST_CASE(an_owner_of_an_unknown_kind_cannot_be_blocked) {
  const Object gadget =
      owned_by({owner("Gadget", "a", "1", {{"apiVersion", "example.com/v1"}, {"blockOwnerDeletion", true}})});
  const std::string unknown =
      "cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion example.com/v1 Kind "
      "Gadget: no matches for kind \"Gadget\" in version \"example.com/v1\"";
  Owners world;
  world.grant("some", "update", "*/finalizers");
  world.grant("any", "update", "*/finalizers", "*");
  BOOST_TEST(world.said("nobody", gadget, no_object) == unknown);
  BOOST_TEST(world.said("some", gadget, no_object) == unknown);
  BOOST_TEST(world.said("any", gadget, no_object) == no_refusal);
  Owners before("1.20.15");
  before.grant("any", "update", "*/finalizers", "*");
  BOOST_TEST(before.said("any", gadget, no_object) == unknown);
}

BOOST_AUTO_TEST_CASE(a_node_may_finalize_nothing_in_any_release) {
  const Subject node{"system:node:a", {"system:nodes", "system:authenticated"}, "", {}};
  const Object blocking = owned_by({owner("Node", "a", "1", blocks)});
  for (const char* version : {"1.8.0", "1.13.0", "1.25.0", "1.30.14", "1.36.3", "1.37.1"}) {
    Owners world(version);
    BOOST_TEST(world.said(node, blocking, no_object, "pods") == not_finalizable, version);
    BOOST_TEST(world.said(node, owned_by({owner("Node", "a", "1")}), no_object, "pods") == no_refusal, version);
    const bool may_delete_nodes = std::string_view(version) == "1.8.0";
    BOOST_TEST(world.said(node, plain, owned_by({}), "nodes") == (may_delete_nodes ? no_refusal : not_deletable),
               version);
    BOOST_TEST(world.said(node, plain, owned_by({}), "nodes", "status") == not_deletable, version);
  }
}

BOOST_AUTO_TEST_CASE(in_1_7_and_1_8_the_status_of_a_pod_is_left_alone) {
  const Subject node{"system:node:a", {"system:nodes", "system:authenticated"}, "", {}};
  BOOST_TEST(Owners("1.6.13").said(node, plain, owned_by({}), "pods", "status") == not_deletable);
  BOOST_TEST(Owners("1.8.15").said(node, plain, owned_by({}), "pods", "status") == no_refusal);
  BOOST_TEST(Owners("1.8.15").plugin.runs_in(AdmissionPhase::mutation));
  BOOST_TEST(!Owners("1.9.0").plugin.runs_in(AdmissionPhase::mutation));
  BOOST_TEST(Owners("1.9.0").plugin.runs_in(AdmissionPhase::validation));
}

BOOST_AUTO_TEST_SUITE_END()
