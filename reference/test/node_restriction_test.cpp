#include <boost/test/unit_test.hpp>
#include <string>

#include "reference/test/node_restriction_world.h"

BOOST_AUTO_TEST_SUITE(node_restriction)

using namespace nodebound;
using namespace nodebound::test;

BOOST_FIXTURE_TEST_SUITE(who_is_held, World)

BOOST_AUTO_TEST_CASE(other_users_are_not_held) {
  const Object pod = Object::parse(R"({"metadata":{"name":"p"},"spec":{"nodeName":"n9"}})");
  for (const Subject& subject : {Subject{"admin", {"system:masters"}, "", {}}, Subject{"system:node:n1", {}, "", {}},
                                 Subject{"n1", {"system:nodes"}, "", {}}}) {
    BOOST_TEST(said({Operation::create, subject, "", "pods", "", "ns", "", pod, nothing}) == admitted);
  }
}

BOOST_AUTO_TEST_CASE(a_node_without_a_name_writes_nothing) {
  const Subject nameless = node_named("");
  for (const char* resource : {"pods", "nodes", "events", "anything"}) {
    BOOST_TEST(said({Operation::create, nameless, "", resource, "", "ns", "", Object::object(), nothing}) ==
               R"(could not determine node from user "system:node:")");
  }
}

BOOST_AUTO_TEST_CASE(what_the_plugin_does_not_know_passes) {
  const Object object = Object::parse(R"({"metadata":{"name":"x"}})");
  for (const char* resource : {"events", "configmaps", "secrets", "endpoints", "services"}) {
    BOOST_TEST(create("", resource, "ns", object) == admitted);
    BOOST_TEST(remove("", resource, "ns", object) == admitted);
  }
  BOOST_TEST(create("storage.k8s.io", "volumeattachments", "", object) == admitted);
  BOOST_TEST(create("example.com", "pods", "ns", object) == admitted);
  BOOST_TEST(create("example.com", "nodes", "", object) == admitted);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(storage_leases_and_devices, World)

const Object claim = Object::parse(R"({"metadata":{"name":"c","namespace":"ns","resourceVersion":"1"},
  "spec":{"volumeName":"v"},"status":{"phase":"Bound","capacity":{"storage":"1Gi"}}})");

BOOST_AUTO_TEST_CASE(of_a_claim_only_the_status_is_written) {
  BOOST_TEST(create("", "persistentvolumeclaims", "ns", claim) == "may only update PVC status");
  BOOST_TEST(update("", "persistentvolumeclaims", "", claim, claim) == "may only update PVC status");
  BOOST_TEST(remove("", "persistentvolumeclaims", "ns", claim) == "may only update PVC status");
  BOOST_TEST(update("", "persistentvolumeclaims", "status", claim, claim) == admitted);
}

BOOST_AUTO_TEST_CASE(in_the_status_of_a_claim_capacity_conditions_and_allocations_are_free) {
  for (const char* pointer :
       {"/status/capacity", "/status/conditions", "/status/allocatedResources", "/status/allocatedResourceStatuses",
        "/metadata/resourceVersion", "/metadata/managedFields"}) {
    BOOST_TEST(update("", "persistentvolumeclaims", "status", claim, changed(claim, pointer, {{"x", "y"}})) == admitted,
               pointer);
  }
  BOOST_TEST(update("", "persistentvolumeclaims", "status", claim, without(claim, "/status", "capacity")) == admitted);
}

BOOST_AUTO_TEST_CASE(nothing_else_of_a_claim_is_written) {
  const std::string begin =
      R"(node "n1" is not allowed to update fields other than status.quantity and status.conditions: )";
  for (const char* pointer :
       {"/status/phase", "/status/accessModes", "/status/modifyVolumeStatus", "/spec/volumeName", "/spec/resources",
        "/metadata/labels", "/metadata/annotations", "/metadata/finalizers", "/metadata/ownerReferences"}) {
    BOOST_TEST(
        update("", "persistentvolumeclaims", "status", claim, changed(claim, pointer, {{"x", "y"}})).starts_with(begin),
        pointer);
  }
  BOOST_TEST(
      update("", "persistentvolumeclaims", "status", claim, without(claim, "/status", "phase")).starts_with(begin));
}

BOOST_AUTO_TEST_CASE(without_its_gate_allocations_are_not_written) {
  const World off("1.33.0", {{"RecoverVolumeExpansionFailure", false}});
  BOOST_TEST(off.update("", "persistentvolumeclaims", "status", claim,
                        changed(claim, "/status/allocatedResources", {{"x", "y"}}))
                 .starts_with(R"(node "n1" is not allowed to update fields)"));
  BOOST_TEST(off.update("", "persistentvolumeclaims", "status", claim,
                        changed(claim, "/status/capacity", {{"x", "y"}})) == admitted);
}

BOOST_AUTO_TEST_CASE(a_node_writes_the_lease_of_its_name) {
  const Object lease = Object::parse(R"({"metadata":{"name":"n1"}})");
  const Object other = Object::parse(R"({"metadata":{"name":"n2"}})");
  const Object generated = Object::parse(R"({"metadata":{"generateName":"n1"}})");
  const std::string name = "can only access node lease with the same name as the requesting node";
  const auto write = [&](Operation operation, const char* in, const char* asked, const Object& object) {
    return said({operation, node, "coordination.k8s.io", "leases", "", in, asked, object,
                 operation == Operation::create ? nothing : object});
  };
  BOOST_TEST(write(Operation::create, "kube-node-lease", "", lease) == admitted);
  BOOST_TEST(write(Operation::create, "kube-node-lease", "", other) == name);
  BOOST_TEST(write(Operation::create, "kube-node-lease", "", generated) == name);
  BOOST_TEST(write(Operation::create, "kube-node-lease", "n1", other) == name);
  BOOST_TEST(write(Operation::create, "ns", "", lease) ==
             R"(can only access leases in the "kube-node-lease" system namespace)");
  BOOST_TEST(write(Operation::update, "kube-node-lease", "n1", lease) == admitted);
  BOOST_TEST(write(Operation::update, "kube-node-lease", "n2", lease) == name);
  BOOST_TEST(write(Operation::remove, "kube-node-lease", "n2", other) == name);
  BOOST_TEST(write(Operation::remove, "kube-system", "n1", lease) ==
             R"(can only access leases in the "kube-node-lease" system namespace)");
}

BOOST_AUTO_TEST_CASE(a_node_writes_the_csinode_of_its_name) {
  const std::string name = "can only access CSINode with the same name as the requesting node";
  const Object mine = Object::parse(R"({"metadata":{"name":"n1"}})");
  const Object other = Object::parse(R"({"metadata":{"name":"n2"}})");
  BOOST_TEST(create("storage.k8s.io", "csinodes", "", mine) == admitted);
  BOOST_TEST(create("storage.k8s.io", "csinodes", "", other) == name);
  BOOST_TEST(create("storage.k8s.io", "csinodes", "", Object::parse(R"({"metadata":{"generateName":"n1"}})")) == name);
  BOOST_TEST(update("storage.k8s.io", "csinodes", "", mine, mine) == admitted);
  BOOST_TEST(update("storage.k8s.io", "csinodes", "", other, other) == name);
  BOOST_TEST(remove("storage.k8s.io", "csinodes", "", other) == name);
}

BOOST_AUTO_TEST_CASE(a_node_makes_and_deletes_its_own_slices) {
  const Object mine = Object::parse(R"({"metadata":{"name":"s"},"spec":{"nodeName":"n1"}})");
  const Object theirs = Object::parse(R"({"metadata":{"name":"s"},"spec":{"nodeName":"n2"}})");
  const Object shared = Object::parse(R"({"metadata":{"name":"s"},"spec":{"allNodes":true}})");
  BOOST_TEST(create("resource.k8s.io", "resourceslices", "", mine) == admitted);
  BOOST_TEST(remove("resource.k8s.io", "resourceslices", "", mine) == admitted);
  for (const Object& other : {theirs, shared, Object::object()}) {
    BOOST_TEST(create("resource.k8s.io", "resourceslices", "", other) ==
               "can only create ResourceSlice with the same NodeName as the requesting node");
    BOOST_TEST(remove("resource.k8s.io", "resourceslices", "", other) ==
               "can only delete ResourceSlice with the same NodeName as the requesting node");
    BOOST_TEST(update("resource.k8s.io", "resourceslices", "", other, other) == admitted);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(hostile_objects_are_refused_or_admitted_but_never_stop_the_plugin) {
  const World world("1.36.3", {{"PodCertificateRequest", true}});
  const std::vector<Object> odd = {
      nullptr,
      true,
      7,
      "x",
      Object::array(),
      Object::array({1, nullptr, "x"}),
      Object::object(),
      Object{{"name", 7}, {"volumes", "x"}, {"sources", 7}, {"labels", 7}, {"taints", "x"}, {"a", {{"b", 1}}}}};
  std::vector<Object> bodies = odd;
  for (const Object& value : odd) {
    for (const char* field : {"metadata", "spec", "status"}) bodies.push_back({{field, value}});
    bodies.push_back(
        {{"metadata", {{"labels", value}, {"annotations", value}, {"ownerReferences", value}, {"name", value}}},
         {"spec",
          {{"volumes", value},
           {"taints", value},
           {"configSource", value},
           {"boundObjectRef", value},
           {"audiences", value},
           {"signerName", "kubernetes.io/kubelet-serving"},
           {"request", value},
           {"nodeName", value}}},
         {"status", {{"resourceClaimStatuses", value}, {"extendedResourceClaimStatus", value}, {"capacity", value}}}});
  }
  const char* targets[][3] = {{"", "pods", ""},
                              {"", "pods", "status"},
                              {"", "pods", "eviction"},
                              {"", "nodes", ""},
                              {"", "nodes", "status"},
                              {"", "persistentvolumeclaims", "status"},
                              {"", "serviceaccounts", "token"},
                              {"coordination.k8s.io", "leases", ""},
                              {"storage.k8s.io", "csinodes", ""},
                              {"resource.k8s.io", "resourceslices", ""},
                              {"certificates.k8s.io", "certificatesigningrequests", ""},
                              {"certificates.k8s.io", "podcertificaterequests", ""}};
  for (const auto& [group, resource, subresource] : targets) {
    for (const Object& before : bodies) {
      for (const Object& after : bodies) {
        for (const Operation operation : {Operation::create, Operation::update, Operation::remove}) {
          BOOST_TEST_CONTEXT(resource << "/" << subresource << " " << before << " to " << after) {
            BOOST_CHECK_NO_THROW(
                world.admit({operation, world.node, group, resource, subresource, "ns", "n1", after, before}));
          }
        }
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
