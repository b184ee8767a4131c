#include <boost/test/unit_test.hpp>
#include <string>

#include "reference/test/node_restriction_world.h"

BOOST_AUTO_TEST_SUITE(node_restriction_nodes)

using namespace nodebound;
using namespace nodebound::test;

BOOST_FIXTURE_TEST_SUITE(nodes, World)

const Object own = Object::parse(R"({"metadata":{"name":"n1","labels":{"kubernetes.io/os":"linux"}},
  "spec":{"taints":[{"key":"a","effect":"NoSchedule"},{"key":"b","effect":"NoExecute"}]}})");

BOOST_AUTO_TEST_CASE(a_node_writes_itself_and_no_other) {
  BOOST_TEST(create("", "nodes", "", own) == admitted);
  BOOST_TEST(update("", "nodes", "", own, own) == admitted);
  BOOST_TEST(update("", "nodes", "status", own, own) == admitted);
  BOOST_TEST(remove("", "nodes", "", own) == admitted);
  const std::string refused = R"(node "n1" is not allowed to modify node "n2")";
  const Object other = changed(own, "/metadata/name", "n2");
  BOOST_TEST(create("", "nodes", "", other) == refused);
  BOOST_TEST(update("", "nodes", "", other, other) == refused);
  BOOST_TEST(update("", "nodes", "status", other, other) == refused);
  BOOST_TEST(remove("", "nodes", "", other) == refused);
  BOOST_TEST(update("", "nodes", "anything", own, own, "N1") == R"(node "n1" is not allowed to modify node "N1")");
}

BOOST_AUTO_TEST_CASE(a_node_cannot_have_its_name_made_up) {
  const Object generated = changed(without(own, "/metadata", "name"), "/metadata/generateName", "n");
  BOOST_TEST(create("", "nodes", "", generated) == R"(node "n1" is not allowed to modify node "")");
}

BOOST_AUTO_TEST_CASE(the_request_and_not_its_body_says_which_node_is_updated) {
  const Object other = changed(own, "/metadata/name", "n2");
  BOOST_TEST(update("", "nodes", "", other, own, "n2") == R"(node "n1" is not allowed to modify node "n2")");
}

BOOST_AUTO_TEST_CASE(the_name_of_a_node_is_quoted_in_the_refusal) {
  const Object odd = changed(own, "/metadata/name", "n\"2\n");
  BOOST_TEST(create("", "nodes", "", odd) == R"(node "n1" is not allowed to modify node "n\"2\n")");
}

BOOST_AUTO_TEST_CASE(a_config_source_is_refused) {
  const Object with = changed(own, "/spec/configSource", {{"configMap", {{"name", "c"}}}});
  BOOST_TEST(create("", "nodes", "", with) == R"(node "n1" is not allowed to create pods with a non-nil configSource)");
  BOOST_TEST(update("", "nodes", "", own, with) ==
             R"(node "n1" is not allowed to update configSource to a new non-nil configSource)");
  BOOST_TEST(update("", "nodes", "", with, with) == admitted);
  BOOST_TEST(update("", "nodes", "", with, own) == admitted);
}

BOOST_AUTO_TEST_CASE(taints_are_free_on_creation_and_fixed_afterwards) {
  const std::string refused = R"(node "n1" is not allowed to modify taints)";
  const Object a = own["spec"]["taints"][0];
  const Object b = own["spec"]["taints"][1];
  for (const char* sub : {"", "status"}) {
    const auto taints = [&](const Object& list) {
      return update("", "nodes", sub, own, changed(own, "/spec/taints", list));
    };
    BOOST_TEST(taints({a, b}) == admitted);
    BOOST_TEST(taints({b, a}) == refused);
    BOOST_TEST(taints({a}) == refused);
    BOOST_TEST(taints(Object::array({a, b, a})) == refused);
    BOOST_TEST(taints(Object::array()) == refused);
    BOOST_TEST(taints({a, changed(b, "/effect", "NoSchedule")}) == refused);
    BOOST_TEST(update("", "nodes", sub, own, without(own, "/spec", "taints")) == refused);
  }
  const Object bare = without(own, "/spec", "taints");
  BOOST_TEST(update("", "nodes", "", bare, changed(bare, "/spec/taints", Object::array())) == admitted);
}

BOOST_AUTO_TEST_CASE(owners_are_free_on_creation_and_fixed_afterwards) {
  const std::string refused = R"(node "n1" is not allowed to modify ownerReferences)";
  const Object owned = changed(own, "/metadata/ownerReferences", Object::array({{{"kind", "Node"}, {"name", "gone"}}}));
  BOOST_TEST(create("", "nodes", "", owned) == admitted);
  BOOST_TEST(update("", "nodes", "", own, owned) == refused);
  BOOST_TEST(update("", "nodes", "status", own, owned) == refused);
  BOOST_TEST(update("", "nodes", "", owned, own) == refused);
  BOOST_TEST(update("", "nodes", "", owned, owned) == admitted);
  BOOST_TEST(World("1.33.3").update("", "nodes", "", own, owned) == admitted);
  BOOST_TEST(World("1.33.4").update("", "nodes", "", own, owned) == refused);
}

BOOST_AUTO_TEST_CASE(the_first_mistake_is_named) {
  Object all = changed(own, "/spec/configSource", {{"x", 1}});
  all["spec"]["taints"] = Object::array();
  all["metadata"]["ownerReferences"] = Object::array({{{"kind", "Node"}}});
  all["metadata"]["labels"]["node-restriction.kubernetes.io/x"] = "y";
  BOOST_TEST(update("", "nodes", "", own, all).ends_with("non-nil configSource"));
  all["spec"].erase("configSource");
  BOOST_TEST(update("", "nodes", "", own, all).ends_with("taints"));
  all["spec"]["taints"] = own["spec"]["taints"];
  BOOST_TEST(update("", "nodes", "", own, all).ends_with("ownerReferences"));
  all["metadata"].erase("ownerReferences");
  BOOST_TEST(update("", "nodes", "", own, all) == "is not allowed to modify labels: node-restriction.kubernetes.io/x");
}

BOOST_AUTO_TEST_CASE(labels_are_free_or_forbidden_by_their_domain) {
  const struct {
    const char* label;
    bool free;
  } rows[] = {
      {"team", true},
      {"example.com/team", true},
      {"kubernetes.io", true},
      {"k8s.io", true},
      {"notkubernetes.io/x", true},
      {"kubernetes.io.example.com/x", true},
      {"node-restriction.kubernetes.io", true},
      {"kubernetes.io/hostname", true},
      {"kubernetes.io/os", true},
      {"kubernetes.io/arch", true},
      {"beta.kubernetes.io/os", true},
      {"beta.kubernetes.io/arch", true},
      {"beta.kubernetes.io/instance-type", true},
      {"node.kubernetes.io/instance-type", true},
      {"topology.kubernetes.io/zone", true},
      {"topology.kubernetes.io/region", true},
      {"failure-domain.beta.kubernetes.io/zone", true},
      {"failure-domain.beta.kubernetes.io/region", true},
      {"kubelet.kubernetes.io/anything", true},
      {"a.kubelet.kubernetes.io/x", true},
      {"node.kubernetes.io/anything", true},
      {"a.b.node.kubernetes.io/x", true},
      {"kubernetes.io/instance-type", false},
      {"failure-domain.kubernetes.io/zone", false},
      {"topology.kubernetes.io/rack", false},
      {"kubernetes.io/cluster-service", false},
      {"node-role.kubernetes.io/control-plane", false},
      {"xnode.kubernetes.io/x", false},
      {"x.kubernetes.io/x", false},
      {"k8s.io/x", false},
      {"x.k8s.io/x", false},
      {"node.k8s.io/x", false},
      {"kubernetes.io/", false},
      {"node-restriction.kubernetes.io/x", false},
      {"a.node-restriction.kubernetes.io/x", false},
      {"anode-restriction.kubernetes.io/x", false},
      {"kubernetes.io/hostname/x", false},
  };
  const Object bare = without(own, "/metadata", "labels");
  for (const auto& [label, free] : rows) {
    BOOST_TEST_CONTEXT(label) {
      Object with = bare;
      with["metadata"]["labels"][label] = "x";
      Object other = bare;
      other["metadata"]["labels"][label] = "y";
      const std::string on_create =
          free ? admitted : std::string(R"(node "n1" is not allowed to set the following labels: )") + label;
      const std::string on_update = free ? admitted : std::string("is not allowed to modify labels: ") + label;
      BOOST_TEST(create("", "nodes", "", with) == on_create);
      for (const char* sub : {"", "status"}) {
        BOOST_TEST(update("", "nodes", sub, bare, with) == on_update);
        BOOST_TEST(update("", "nodes", sub, with, bare) == on_update);
        BOOST_TEST(update("", "nodes", sub, with, other) == on_update);
        BOOST_TEST(update("", "nodes", sub, with, with) == admitted);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(all_forbidden_labels_are_named_in_order) {
  Object many = own;
  for (const char* label :
       {"x.k8s.io/z", "free", "node-restriction.kubernetes.io/a", "kubernetes.io/os", "kubernetes.io/b"}) {
    many["metadata"]["labels"][label] = "1";
  }
  const std::string list = "kubernetes.io/b, node-restriction.kubernetes.io/a, x.k8s.io/z";
  BOOST_TEST(create("", "nodes", "", many) == R"(node "n1" is not allowed to set the following labels: )" + list);
  BOOST_TEST(update("", "nodes", "", own, many) == "is not allowed to modify labels: " + list);
}

BOOST_AUTO_TEST_CASE(other_fields_of_the_node_are_free) {
  for (const char* pointer : {"/spec/unschedulable", "/spec/providerID", "/spec/podCIDR", "/status/capacity",
                              "/metadata/annotations", "/metadata/finalizers"}) {
    BOOST_TEST(update("", "nodes", "", own, changed(own, pointer, "x")) == admitted, pointer);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
