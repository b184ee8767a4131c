#include "reference/admission/node_restriction.h"

#include <boost/test/unit_test.hpp>
#include <memory>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <string>

#include "reference/admission/certificate_signing_request.h"
#include "reference/authorizer/rbac_authorizer.h"
#include "reference/test/support.h"

using namespace nodebound;
using nodebound::test::node_named;
using nodebound::test::rules_of;

namespace {

const Object nothing;
const std::string admitted;

// A cluster with the nodes n1 and n2, and what the plugin says to writes of n1.
struct World {
  explicit World(std::string_view version = "1.36.3", const GateSettings& gates = {})
      : rules(rules_of(version, gates)), cluster(rules), rbac(rules, cluster.rbac()), plugin(rules, cluster, rbac) {
    put("", "nodes", "", "n1", R"({"metadata":{"name":"n1","uid":"uid-1"}})");
    put("", "nodes", "", "n2", R"({"metadata":{"name":"n2","uid":"uid-2"}})");
  }

  void put(const char* group, const char* resource, const char* namespace_, const char* name, const std::string& json) {
    cluster.put({group, resource, namespace_, name}, Object::parse(json));
  }

  Admission admit(const AdmissionRequest& request) const { return plugin.admit(request); }
  std::string said(const AdmissionRequest& request) const {
    const Admission refusal = plugin.admit(request);
    return refusal ? refusal->reason : admitted;
  }

  std::string create(const char* group, const char* resource, const char* namespace_, const Object& object) const {
    return said({Operation::create, node, group, resource, "", namespace_, "", object, nothing});
  }
  std::string update(const char* group, const char* resource, const char* subresource, const Object& before,
                     const Object& after, const char* name = "") const {
    const std::string own(*name != 0 ? std::string_view(name) : text(before, "metadata", "name"));
    return said({Operation::update, node, group, resource, subresource, "ns", own, after, before});
  }
  std::string remove(const char* group, const char* resource, const char* namespace_, const Object& object) const {
    const std::string own(text(object, "metadata", "name"));
    return said({Operation::remove, node, group, resource, "", namespace_, own, nothing, object});
  }

  RuleSet rules;
  Cluster cluster;
  RbacAuthorizer rbac;
  NodeRestriction plugin;
  Subject node = node_named("n1");
};

Object changed(Object object, const char* pointer, const Object& value) {
  object[Object::json_pointer(pointer)] = value;
  return object;
}

Object without(Object object, const char* parent, const char* field) {
  object[Object::json_pointer(parent)].erase(field);
  return object;
}

}  // namespace

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

BOOST_FIXTURE_TEST_SUITE(pods, World)

const Object mirror = Object::parse(R"({
  "metadata": {"name": "web-n1", "namespace": "ns", "annotations": {"kubernetes.io/config.mirror": "x"},
    "ownerReferences": [{"apiVersion": "v1", "kind": "Node", "name": "n1", "uid": "uid-1", "controller": true}]},
  "spec": {"nodeName": "n1", "containers": [{"name": "c"}]}})");

BOOST_AUTO_TEST_CASE(a_mirror_pod_of_the_node_is_admitted) {
  BOOST_TEST(create("", "pods", "ns", mirror) == admitted);
  BOOST_TEST(create("", "pods", "ns", changed(mirror, "/metadata/ownerReferences/0/blockOwnerDeletion", false)) ==
             admitted);
  BOOST_TEST(create("", "pods", "ns", changed(mirror, "/metadata/annotations/kubernetes.io~1config.mirror", "")) ==
             admitted);
}

BOOST_AUTO_TEST_CASE(another_pod_is_refused) {
  const std::string only_mirror =
      R"(pod does not have "kubernetes.io/config.mirror" annotation, node "n1" can only create mirror pods)";
  BOOST_TEST(create("", "pods", "ns", without(mirror, "/metadata", "annotations")) == only_mirror);
  BOOST_TEST(create("", "pods", "ns",
                    changed(mirror, "/metadata/annotations", {{"Kubernetes.io/config.mirror", "x"}})) == only_mirror);
}

BOOST_AUTO_TEST_CASE(a_pod_of_another_node_is_refused) {
  const std::string itself = R"(node "n1" can only create pods with spec.nodeName set to itself)";
  BOOST_TEST(create("", "pods", "ns", changed(mirror, "/spec/nodeName", "n2")) == itself);
  BOOST_TEST(create("", "pods", "ns", changed(mirror, "/spec/nodeName", "")) == itself);
  BOOST_TEST(create("", "pods", "ns", without(mirror, "/spec", "nodeName")) == itself);
  BOOST_TEST(create("", "pods", "ns", changed(mirror, "/spec/nodeName", "N1")) == itself);
}

BOOST_AUTO_TEST_CASE(the_owner_must_be_the_node_that_creates_the_pod) {
  const std::string owners = "/metadata/ownerReferences";
  const auto with = [&](const char* field, const Object& value) {
    return create("", "pods", "ns", changed(mirror, (owners + "/0/" + field).c_str(), value));
  };
  const std::string itself = R"(node "n1" can only create pods with an owner reference set to itself)";
  BOOST_TEST(create("", "pods", "ns", without(mirror, "/metadata", "ownerReferences")) == itself);
  BOOST_TEST(create("", "pods", "ns", changed(mirror, owners.c_str(), Object::array())) == itself);
  BOOST_TEST(with("apiVersion", "v2") == itself);
  BOOST_TEST(with("kind", "Pod") == itself);
  BOOST_TEST(with("kind", "node") == itself);
  BOOST_TEST(with("name", "n2") == itself);
  const Object owner = mirror.at(Object::json_pointer(owners + "/0"));
  BOOST_TEST(create("", "pods", "ns", changed(mirror, owners.c_str(), Object::array({owner, owner}))) ==
             R"(node "n1" can only create pods with a single owner reference set to itself)");
  BOOST_TEST(with("controller", false) ==
             R"(node "n1" can only create pods with a controller owner reference set to itself)");
  BOOST_TEST(create("", "pods", "ns", without(mirror, (owners + "/0").c_str(), "controller")) ==
             R"(node "n1" can only create pods with a controller owner reference set to itself)");
  BOOST_TEST(with("blockOwnerDeletion", true) == R"(node "n1" must not set blockOwnerDeletion on an owner reference)");
  BOOST_TEST(with("uid", "old") == "node n1 UID mismatch: expected old got uid-1");
  BOOST_TEST(with("uid", "") == "node n1 UID mismatch: expected  got uid-1");
}

BOOST_AUTO_TEST_CASE(a_node_that_does_not_exist_is_not_found) {
  cluster.erase({"", "nodes", "", "n1"});
  const Admission refusal = admit({Operation::create, node, "", "pods", "", "ns", "", mirror, nothing});
  BOOST_REQUIRE(refusal.has_value());
  BOOST_TEST(refusal->status == 404);
  BOOST_TEST(refusal->reason == R"(node "n1" not found)");
}

BOOST_AUTO_TEST_CASE(a_pod_that_needs_the_api_is_refused) {
  const struct {
    const char* spec;
    const char* what;
  } rows[] = {
      {R"({"serviceAccountName":"default"})", "serviceaccounts"},
      {R"({"imagePullSecrets":[{"name":"s"}]})", "secrets"},
      {R"({"containers":[{"envFrom":[{"secretRef":{"name":"s"}}]}]})", "secrets"},
      {R"({"initContainers":[{"env":[{"valueFrom":{"secretKeyRef":{"name":"s"}}}]}]})", "secrets"},
      {R"({"ephemeralContainers":[{"envFrom":[{"secretRef":{"name":"s"}}]}]})", "secrets"},
      {R"({"volumes":[{"name":"v","secret":{"secretName":"s"}}]})", "secrets"},
      {R"({"volumes":[{"name":"v","rbd":{"secretRef":{"name":"s"}}}]})", "secrets"},
      {R"({"volumes":[{"name":"v","projected":{"sources":[{"secret":{"name":"s"}}]}}]})", "secrets"},
      {R"({"volumes":[{"name":"v","configMap":{"name":"c"}}]})", "configmaps"},
      {R"({"containers":[{"envFrom":[{"configMapRef":{"name":"c"}}]}]})", "configmaps"},
      {R"({"resourceClaims":[{"name":"r"}]})", "resourceclaims"},
      {R"({"resourceClaims":[{"name":"r","resourceClaimName":"x"}]})", "resourceclaims"},
      {R"({"volumes":[{"name":"v","configMap":{}}]})", "configmaps (via configmap volumes)"},
      {R"({"volumes":[{"name":"v","secret":{}}]})", "secrets (via secret volumes)"},
      {R"({"volumes":[{"name":"v","csi":{"driver":"d"}}]})", "csidrivers (via CSI volumes)"},
      {R"({"volumes":[{"name":"v","glusterfs":{"endpoints":"e"}}]})", "endpoints (via glusterFS volumes)"},
      {R"({"volumes":[{"name":"v","persistentVolumeClaim":{"claimName":"c"}}]})", "persistentvolumeclaims"},
      {R"({"volumes":[{"name":"v","persistentVolumeClaim":{}}]})", "persistentvolumeclaims"},
      {R"({"volumes":[{"name":"v","ephemeral":{}}]})", "persistentvolumeclaims (via ephemeral volumes)"},
      {R"({"volumes":[{"name":"v","azureFile":{}}]})", "secrets (via azureFile volumes)"},
      {R"({"volumes":[{"name":"v","projected":{"sources":[{"configMap":{}}]}}]})",
       "configmaps (via projected volumes)"},
      {R"({"volumes":[{"name":"v","projected":{"sources":[{"secret":{}}]}}]})", "secrets (via projected volumes)"},
      {R"({"volumes":[{"name":"v","projected":{"sources":[{"serviceAccountToken":{}}]}}]})",
       "serviceaccounts (via projected volumes)"},
      {R"({"volumes":[{"name":"v","projected":{"sources":[{"clusterTrustBundle":{}}]}}]})", "clustertrustbundles"},
      {R"({"volumes":[{"name":"v","projected":{"sources":[{"podCertificate":{}}]}}]})", "podcertificates"},
      {R"({"volumes":[{"name":"v","projected":{"sources":[{"downwardAPI":{}},{"podCertificate":{}}]}}]})",
       "podcertificates"},
      {R"({"volumes":[{"name":"a","emptyDir":{}},{"name":"v","csi":{"driver":"d"}}]})", "csidrivers (via CSI volumes)"},
      // The first that is looked at is named.
      {R"({"serviceAccountName":"sa","imagePullSecrets":[{"name":"s"}]})", "serviceaccounts"},
      {R"({"resourceClaims":[{"name":"r"}],"volumes":[{"name":"v","configMap":{"name":"c"}}]})", "configmaps"},
      {R"({"resourceClaims":[{"name":"r"}],"volumes":[{"name":"v","csi":{}}]})", "resourceclaims"},
  };
  for (const auto& [spec, what] : rows) {
    BOOST_TEST_CONTEXT(spec) {
      Object pod = mirror;
      pod["spec"].update(Object::parse(spec));
      BOOST_TEST(create("", "pods", "ns", pod) ==
                 std::string(R"(node "n1" can not create pods that reference )") + what);
    }
  }
}

BOOST_AUTO_TEST_CASE(volumes_that_need_nothing_of_the_api_are_admitted) {
  for (const char* source : {"hostPath",
                             "emptyDir",
                             "downwardAPI",
                             "gitRepo",
                             "image",
                             "nfs",
                             "iscsi",
                             "fc",
                             "awsElasticBlockStore",
                             "azureDisk",
                             "cephfs",
                             "cinder",
                             "flexVolume",
                             "flocker",
                             "gcePersistentDisk",
                             "photonPersistentDisk",
                             "portworxVolume",
                             "quobyte",
                             "rbd",
                             "scaleIO",
                             "storageos",
                             "vsphereVolume"}) {
    const Object volume = {{"name", "v"}, {source, Object::object()}};
    BOOST_TEST(create("", "pods", "ns", changed(mirror, "/spec/volumes", Object::array({volume}))) == admitted, source);
  }
  const Object projected = Object::parse(R"([{"name":"v","projected":{"sources":[{"downwardAPI":{}}]}},{"name":"w"}])");
  BOOST_TEST(create("", "pods", "ns", changed(mirror, "/spec/volumes", projected)) == admitted);
}

BOOST_AUTO_TEST_CASE(a_projection_of_an_unknown_kind_is_refused) {
  const Object volumes = Object::parse(R"([{"name":"v","projected":{"sources":[{"moonlight":{}}]}}])");
  BOOST_TEST(create("", "pods", "ns", changed(mirror, "/spec/volumes", volumes)) ==
             R"(error checking mirror pod for API references: unknown source for projected volume "v")");
}

BOOST_AUTO_TEST_CASE(only_pods_of_the_node_are_deleted) {
  const Object plain = Object::parse(R"({"metadata":{"name":"p"},"spec":{"nodeName":"n1"}})");
  BOOST_TEST(remove("", "pods", "ns", plain) == admitted);
  BOOST_TEST(remove("", "pods", "ns", mirror) == admitted);
  const std::string refused = R"(node "n1" can only delete pods with spec.nodeName set to itself)";
  BOOST_TEST(remove("", "pods", "ns", changed(plain, "/spec/nodeName", "n2")) == refused);
  BOOST_TEST(remove("", "pods", "ns", without(plain, "/spec", "nodeName")) == refused);
}

BOOST_AUTO_TEST_CASE(pods_are_never_updated) {
  BOOST_TEST(update("", "pods", "", mirror, mirror) ==
             R"(unexpected operation "UPDATE", node "n1" can only create and delete mirror pods)");
}

BOOST_AUTO_TEST_CASE(other_subresources_are_refused) {
  for (const char* sub : {"binding", "ephemeralcontainers", "resize", "log", "Status"}) {
    BOOST_TEST(update("", "pods", sub, mirror, mirror) ==
               std::string("unexpected pod subresource \"") + sub + "\", only 'status' and 'eviction' are allowed");
  }
}

BOOST_AUTO_TEST_CASE(the_status_of_the_nodes_pods_is_written) {
  const Object pod = Object::parse(R"({"metadata":{"name":"p","labels":{"a":"b"}},"spec":{"nodeName":"n1"},
    "status":{"phase":"Pending","resourceClaimStatuses":[{"name":"gpu","resourceClaimName":"c"}],
              "extendedResourceClaimStatus":{"resourceClaimName":"e","requestMappings":[]}}})");
  const auto status = [&](const Object& after) { return update("", "pods", "status", pod, after); };
  BOOST_TEST(status(pod) == admitted);
  BOOST_TEST(status(changed(pod, "/status/phase", "Running")) == admitted);
  BOOST_TEST(status(changed(pod, "/metadata/annotations", {{"a", "b"}})) == admitted);
  BOOST_TEST(status(changed(pod, "/metadata/finalizers", {"a/b"})) == admitted);

  const std::string labels = R"(node "n1" cannot update labels through pod status)";
  BOOST_TEST(status(changed(pod, "/metadata/labels/a", "c")) == labels);
  BOOST_TEST(status(changed(pod, "/metadata/labels/x", "y")) == labels);
  BOOST_TEST(status(without(pod, "/metadata", "labels")) == labels);

  const std::string claims = R"(node "n1" cannot update resource claim statues)";
  BOOST_TEST(status(changed(pod, "/status/resourceClaimStatuses/0/resourceClaimName", "victim")) == claims);
  BOOST_TEST(status(changed(pod, "/status/resourceClaimStatuses/0/name", "other")) == claims);
  BOOST_TEST(status(without(pod, "/status/resourceClaimStatuses/0", "resourceClaimName")) == claims);
  BOOST_TEST(status(changed(pod, "/status/resourceClaimStatuses/1", {{"name", "more"}})) == claims);
  BOOST_TEST(status(without(pod, "/status", "resourceClaimStatuses")) == claims);

  const std::string extended = R"(node "n1" cannot update extended resource claim status)";
  BOOST_TEST(status(changed(pod, "/status/extendedResourceClaimStatus/resourceClaimName", "victim")) == extended);
  BOOST_TEST(status(without(pod, "/status", "extendedResourceClaimStatus")) == extended);
  BOOST_TEST(status(changed(pod, "/status/extendedResourceClaimStatus/requestMappings", {{{"requestName", "r"}}})) ==
             extended);
}

BOOST_AUTO_TEST_CASE(the_status_of_other_pods_is_not_written) {
  const Object theirs = Object::parse(R"({"metadata":{"name":"p"},"spec":{"nodeName":"n2"}})");
  const std::string refused = R"(node "n1" can only update pod status for pods with spec.nodeName set to itself)";
  BOOST_TEST(update("", "pods", "status", theirs, theirs) == refused);
  // What was submitted does not make the pod the node's own.
  BOOST_TEST(update("", "pods", "status", theirs, changed(theirs, "/spec/nodeName", "n1")) == refused);
  BOOST_TEST(update("", "pods", "status", without(theirs, "/spec", "nodeName"), theirs) == refused);
}

BOOST_AUTO_TEST_CASE(labels_that_are_missing_and_labels_that_are_empty_are_the_same) {
  const Object pod = Object::parse(R"({"metadata":{"name":"p"},"spec":{"nodeName":"n1"}})");
  BOOST_TEST(update("", "pods", "status", pod, changed(pod, "/metadata/labels", Object::object())) == admitted);
}

BOOST_AUTO_TEST_CASE(only_pods_of_the_node_are_evicted) {
  put("", "pods", "ns", "mine", R"({"metadata":{"name":"mine"},"spec":{"nodeName":"n1"}})");
  put("", "pods", "ns", "theirs", R"({"metadata":{"name":"theirs"},"spec":{"nodeName":"n2"}})");
  const auto evict = [&](const char* name) {
    const Object eviction = {{"metadata", {{"name", name}}}};
    return said({Operation::create, node, "", "pods", "eviction", "ns", name, eviction, nothing});
  };
  BOOST_TEST(evict("mine") == admitted);
  BOOST_TEST(evict("theirs") == "node n1 can only evict pods with spec.nodeName set to itself");
}

BOOST_AUTO_TEST_CASE(the_pod_of_an_eviction_is_that_of_the_request_and_not_that_of_its_body) {
  put("", "pods", "ns", "mine", R"({"metadata":{"name":"mine"},"spec":{"nodeName":"n1"}})");
  put("", "pods", "ns", "theirs", R"({"metadata":{"name":"theirs"},"spec":{"nodeName":"n2"}})");
  const Object eviction = {{"metadata", {{"name", "mine"}}}};
  BOOST_TEST(said({Operation::create, node, "", "pods", "eviction", "ns", "theirs", eviction, nothing}) ==
             "node n1 can only evict pods with spec.nodeName set to itself");
}

BOOST_AUTO_TEST_CASE(before_1_34_fewer_volumes_were_refused) {
  const World old("1.33.4");
  const auto with = [&](const char* volume) {
    return old.create("", "pods", "ns", changed(mirror, "/spec/volumes", Object::array({Object::parse(volume)})));
  };
  BOOST_TEST(with(R"({"name":"v","csi":{"driver":"d"}})") == admitted);
  BOOST_TEST(with(R"({"name":"v","ephemeral":{}})") == admitted);
  BOOST_TEST(with(R"({"name":"v","projected":{"sources":[{"serviceAccountToken":{}}]}})") == admitted);
  BOOST_TEST(with(R"({"name":"v","secret":{"secretName":"s"}})") ==
             R"(node "n1" can not create pods that reference secrets)");
  BOOST_TEST(with(R"({"name":"v","configMap":{"name":"c"}})") ==
             R"(node "n1" can not create pods that reference configmaps)");
  BOOST_TEST(with(R"({"name":"v","projected":{"sources":[{"clusterTrustBundle":{}}]}})") ==
             R"(node "n1" can not create pods that reference clustertrustbundles)");
  BOOST_TEST(old.create("", "pods", "ns", changed(mirror, "/spec/serviceAccountName", "sa")) ==
             R"(node "n1" can not create pods that reference a service account)");
}

BOOST_AUTO_TEST_SUITE_END()

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

BOOST_FIXTURE_TEST_SUITE(tokens, World)

constexpr const char* own_pod = R"({"metadata":{"name":"p","namespace":"ns","uid":"pod-uid"},
  "spec":{"nodeName":"n1","serviceAccountName":"sa","volumes":[
    {"name":"t","projected":{"sources":[{"serviceAccountToken":{"audience":"vault","path":"t"}}]}}]}})";

std::string ask(const World& world, const char* spec) {
  const Object request = {{"spec", Object::parse(spec)}};
  return world.said({Operation::create, world.node, "", "serviceaccounts", "token", "ns", "sa", request, nothing});
}

std::string ask_for(const World& world, const std::string& audiences) {
  return ask(world, (R"({"boundObjectRef":{"apiVersion":"v1","kind":"Pod","name":"p","uid":"pod-uid"},"audiences":)" +
                     audiences + "}")
                        .c_str());
}

std::string not_found(const std::string& audience) {
  return "audience \"" + audience +
         "\" not found in pod spec volume, system:node:n1 is not authorized to request tokens for this audience";
}

BOOST_AUTO_TEST_CASE(a_token_is_bound_to_a_pod) {
  const std::string unbound = "node requested token not bound to a pod";
  for (const char* spec : {R"({})", R"({"boundObjectRef":null})",
                           R"({"boundObjectRef":{"apiVersion":"v1","kind":"Secret","name":"p","uid":"u"}})",
                           R"({"boundObjectRef":{"apiVersion":"v1","kind":"Node","name":"n1","uid":"u"}})",
                           R"({"boundObjectRef":{"apiVersion":"v2","kind":"Pod","name":"p","uid":"u"}})",
                           R"({"boundObjectRef":{"kind":"Pod","name":"p","uid":"u"}})",
                           R"({"boundObjectRef":{"apiVersion":"v1","kind":"Pod","uid":"u"}})",
                           R"({"boundObjectRef":{"apiVersion":"v1","kind":"pod","name":"p","uid":"u"}})"}) {
    BOOST_TEST_CONTEXT(spec) {
      BOOST_TEST(ask(*this, spec) == unbound);
    }
  }
  BOOST_TEST(ask(*this, R"({"boundObjectRef":{"apiVersion":"v1","kind":"Pod","name":"p"}})") ==
             "node requested token with a pod binding without a uid");
}

BOOST_AUTO_TEST_CASE(the_pod_of_a_token_is_the_one_that_runs_on_the_node_now) {
  put("", "pods", "ns", "p", own_pod);
  BOOST_TEST(
      ask(*this,
          R"({"boundObjectRef":{"apiVersion":"v1","kind":"Pod","name":"p","uid":"old"},"audiences":["vault"]})") ==
      "the UID in the bound object reference (old) does not match the UID in record. The object might have been "
      "deleted and "
      "then recreated");
  BOOST_TEST(ask_for(*this, R"(["vault"])") == admitted);
  put("", "pods", "ns", "p", R"({"metadata":{"name":"p","namespace":"ns","uid":"pod-uid"},"spec":{"nodeName":"n2"}})");
  BOOST_TEST(ask_for(*this, R"(["vault"])") == "node requested token bound to a pod scheduled on a different node");
}

BOOST_AUTO_TEST_CASE(only_tokens_of_service_accounts_are_looked_at) {
  const Object account = Object::parse(R"({"metadata":{"name":"sa"}})");
  BOOST_TEST(create("", "serviceaccounts", "ns", account) == admitted);
  BOOST_TEST(update("", "serviceaccounts", "", account, account) == admitted);
  BOOST_TEST(remove("", "serviceaccounts", "ns", account) == admitted);
}

BOOST_AUTO_TEST_CASE(an_audience_is_one_that_the_pod_uses) {
  put("", "pods", "ns", "p", own_pod);
  BOOST_TEST(ask_for(*this, R"(["vault"])") == admitted);
  BOOST_TEST(ask_for(*this, R"(["Vault"])") == not_found("Vault"));
  BOOST_TEST(ask_for(*this, R"(["bank"])") == not_found("bank"));
  BOOST_TEST(ask_for(*this, R"([])") == not_found(""));
  BOOST_TEST(ask_for(*this, R"(null)") == not_found(""));
  BOOST_TEST(ask_for(*this, R"(["vault","bank"])") == "node may only request 0 or 1 audiences");
  BOOST_TEST(ask_for(*this, R"(["vault","vault"])") == "node may only request 0 or 1 audiences");
}

BOOST_AUTO_TEST_CASE(no_audience_is_the_empty_one) {
  put("", "pods", "ns", "p",
      R"({"metadata":{"name":"p","namespace":"ns","uid":"pod-uid"},"spec":{"nodeName":"n1","volumes":[
    {"name":"t","projected":{"sources":[{"serviceAccountToken":{"path":"t"}}]}}]}})");
  BOOST_TEST(ask_for(*this, R"([])") == admitted);
  BOOST_TEST(ask_for(*this, R"([""])") == admitted);
  BOOST_TEST(ask_for(*this, R"(["vault"])") == not_found("vault"));
}

struct CsiWorld : World {
  CsiWorld() {
    put("storage.k8s.io", "csidrivers", "", "d",
        R"({"metadata":{"name":"d"},"spec":{"tokenRequests":[{"audience":"a"},{"audience":"b"}]}})");
    put("storage.k8s.io", "csidrivers", "", "ebs.csi.aws.com",
        R"({"metadata":{"name":"ebs.csi.aws.com"},"spec":{"tokenRequests":[{"audience":"aws"}]}})");
    put("", "persistentvolumeclaims", "ns", "c", R"({"metadata":{"name":"c"},"spec":{"volumeName":"v"}})");
    put("", "persistentvolumeclaims", "ns", "p-eph", R"({"metadata":{"name":"p-eph"},"spec":{"volumeName":"v"}})");
    put("", "persistentvolumeclaims", "ns", "pending", R"({"metadata":{"name":"pending"},"spec":{}})");
    put("", "persistentvolumeclaims", "ns", "old", R"({"metadata":{"name":"old"},"spec":{"volumeName":"old"}})");
    put("", "persistentvolumes", "", "v", R"({"metadata":{"name":"v"},"spec":{"csi":{"driver":"d"}}})");
    put("", "persistentvolumes", "", "old",
        R"({"metadata":{"name":"old"},"spec":{"awsElasticBlockStore":{"volumeID":"x"}}})");
  }
  std::string with_volumes(const std::string& volumes, const std::string& audience) {
    put("", "pods", "ns", "p",
        R"({"metadata":{"name":"p","namespace":"ns","uid":"pod-uid"},"spec":{"nodeName":"n1","volumes":)" + volumes +
            "}}");
    return ask_for(*this, "[\"" + audience + "\"]");
  }
};

BOOST_FIXTURE_TEST_CASE(a_csi_driver_of_the_pod_gives_its_audiences, CsiWorld) {
  for (const char* volume :
       {R"([{"name":"v","csi":{"driver":"d"}}])", R"([{"name":"v","persistentVolumeClaim":{"claimName":"c"}}])",
        R"([{"name":"eph","ephemeral":{"volumeClaimTemplate":{}}}])",
        R"([{"name":"e","emptyDir":{}},{"name":"v","csi":{"driver":"d"}}])"}) {
    BOOST_TEST_CONTEXT(volume) {
      BOOST_TEST(with_volumes(volume, "a") == admitted);
      BOOST_TEST(with_volumes(volume, "b") == admitted);
      BOOST_TEST(with_volumes(volume, "c") == not_found("c"));
    }
  }
  BOOST_TEST(with_volumes(R"([{"name":"v","awsElasticBlockStore":{"volumeID":"x"}}])", "aws") == admitted);
  BOOST_TEST(with_volumes(R"([{"name":"v","persistentVolumeClaim":{"claimName":"old"}}])", "aws") == admitted);
}

BOOST_FIXTURE_TEST_CASE(what_cannot_be_found_on_the_way_to_a_driver_is_named, CsiWorld) {
  const auto error = [](const char* what) { return std::string(R"(error validating audience "a": )") + what; };
  BOOST_TEST(with_volumes(R"([{"name":"v","csi":{"driver":"gone"}}])", "a") ==
             error(R"(csidriver.storage.k8s.io "gone" not found)"));
  BOOST_TEST(with_volumes(R"([{"name":"v","persistentVolumeClaim":{"claimName":"gone"}}])", "a") ==
             error(R"(persistentvolumeclaim "gone" not found)"));
  BOOST_TEST(with_volumes(R"([{"name":"v","persistentVolumeClaim":{"claimName":"pending"}}])", "a") ==
             error(R"(persistentvolume "" not found)"));
  BOOST_TEST(with_volumes(R"([{"name":"v","csi":{"driver":"x"}},{"name":"w","csi":{"driver":"y"}}])", "a") ==
             error(R"([csidriver.storage.k8s.io "x" not found, csidriver.storage.k8s.io "y" not found])"));
  BOOST_TEST(with_volumes(R"([{"name":"v","csi":{"driver":"x"}},{"name":"w","csi":{"driver":"x"}}])", "a") ==
             error(R"(csidriver.storage.k8s.io "x" not found)"));
  // A volume that has the audience makes up for one that cannot be found.
  BOOST_TEST(with_volumes(R"([{"name":"v","csi":{"driver":"gone"}},{"name":"w","csi":{"driver":"d"}}])", "a") ==
             admitted);
}

BOOST_AUTO_TEST_CASE(an_audience_can_be_granted) {
  put("", "pods", "ns", "p", own_pod);
  cluster.put({"rbac.authorization.k8s.io", "clusterroles", "", "bank-tokens"},
              Object::parse(R"({"rules":[{"verbs":["request-serviceaccounts-token-audience"],"apiGroups":[""],
                                          "resources":["bank"],"resourceNames":["sa"]}]})"));
  BOOST_TEST(ask_for(*this, R"(["bank"])") == not_found("bank"));
  cluster.put(
      {"rbac.authorization.k8s.io", "clusterrolebindings", "", "bank-tokens"},
      Object::parse(
          R"({"roleRef":{"kind":"ClusterRole","name":"bank-tokens"},"subjects":[{"kind":"Group","name":"system:nodes"}]})"));
  BOOST_TEST(ask_for(*this, R"(["bank"])") == admitted);
  BOOST_TEST(ask_for(*this, R"(["other"])") == not_found("other"));
  const Object request = {
      {"spec",
       Object::parse(
           R"({"boundObjectRef":{"apiVersion":"v1","kind":"Pod","name":"p","uid":"pod-uid"},"audiences":["bank"]})")}};
  BOOST_TEST(said({Operation::create, node, "", "serviceaccounts", "token", "ns", "another", request, nothing}) ==
             not_found("bank"));
}

BOOST_AUTO_TEST_CASE(without_its_gate_audiences_are_free) {
  World off("1.36.3", {{"ServiceAccountNodeAudienceRestriction", false}});
  off.put("", "pods", "ns", "p", own_pod);
  BOOST_TEST(ask_for(off, R"(["bank"])") == admitted);
  BOOST_TEST(ask_for(off, R"(["vault","bank"])") == admitted);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(certificate_signing_requests, World)

constexpr const char* serving = "kubernetes.io/kubelet-serving";
constexpr const char* client = "kubernetes.io/kube-apiserver-client-kubelet";

std::string base64(std::string_view text) {
  std::string out(4 * ((text.size() + 2) / 3) + 1, '\0');
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  out.resize(static_cast<std::size_t>(size));
  return out;
}

// A certificate request in PEM with these common names.
std::string pem_for(const std::vector<std::string>& common_names) {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  const std::unique_ptr<X509_REQ, decltype(&X509_REQ_free)> request(X509_REQ_new(), X509_REQ_free);
  X509_NAME* subject = X509_REQ_get_subject_name(request.get());
  for (const std::string& name : common_names) {
    X509_NAME_add_entry_by_NID(subject, NID_commonName, MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char*>(name.data()), static_cast<int>(name.size()), -1,
                               0);
  }
  X509_REQ_set_pubkey(request.get(), key.get());
  X509_REQ_sign(request.get(), key.get(), EVP_sha256());
  const std::unique_ptr<BIO, decltype(&BIO_free)> out(BIO_new(BIO_s_mem()), BIO_free);
  PEM_write_bio_X509_REQ(out.get(), request.get());
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(out.get(), &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

std::string submit(const World& world, const char* signer, const std::string& pem) {
  const Object request = {{"metadata", {{"name", "x"}}}, {"spec", {{"signerName", signer}, {"request", base64(pem)}}}};
  return world.create("certificates.k8s.io", "certificatesigningrequests", "", request);
}

BOOST_AUTO_TEST_CASE(a_kubelet_certificate_is_for_the_nodes_own_name) {
  const std::string refused = "can only create a node CSR with CN=system:node:n1";
  for (const char* signer : {serving, client}) {
    BOOST_TEST(submit(*this, signer, pem_for({"system:node:n1"})) == admitted);
    BOOST_TEST(submit(*this, signer, pem_for({"system:node:n2"})) == refused);
    BOOST_TEST(submit(*this, signer, pem_for({"system:node:n1 "})) == refused);
    BOOST_TEST(submit(*this, signer, pem_for({"admin"})) == refused);
    BOOST_TEST(submit(*this, signer, pem_for({""})) == refused);
    BOOST_TEST(submit(*this, signer, pem_for({})) == refused);
  }
}

BOOST_AUTO_TEST_CASE(the_last_of_several_common_names_counts) {
  BOOST_TEST(submit(*this, client, pem_for({"system:node:n2", "system:node:n1"})) == admitted);
  BOOST_TEST(submit(*this, client, pem_for({"system:node:n1", "system:node:n2"})) ==
             "can only create a node CSR with CN=system:node:n1");
}

BOOST_AUTO_TEST_CASE(other_signers_and_other_writes_are_not_looked_at) {
  BOOST_TEST(submit(*this, "kubernetes.io/kube-apiserver-client", pem_for({"admin"})) == admitted);
  BOOST_TEST(submit(*this, "example.com/signer", "no request at all") == admitted);
  const Object request = {{"metadata", {{"name", "x"}}}, {"spec", {{"signerName", serving}, {"request", "eA=="}}}};
  BOOST_TEST(update("certificates.k8s.io", "certificatesigningrequests", "", request, request) == admitted);
}

BOOST_AUTO_TEST_CASE(a_request_that_cannot_be_read_is_refused) {
  const std::string own = pem_for({"system:node:n1"});
  std::string other_type = own;
  for (std::size_t at = 0; (at = other_type.find("CERTIFICATE REQUEST", at)) != std::string::npos; at += 24) {
    other_type.replace(at, 19, "NEW CERTIFICATE REQUEST");
  }
  const std::string begin = "unable to parse csr: PEM block type must be CERTIFICATE REQUEST";
  for (const std::string& pem : {std::string(), std::string("no PEM"), other_type,
                                 "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n" + own}) {
    BOOST_TEST_CONTEXT(pem) {
      BOOST_TEST(submit(*this, serving, pem) == begin);
    }
  }
  BOOST_TEST(submit(*this, serving, own.substr(0, 100) + own.substr(120)).starts_with("unable to parse csr: "));
}

BOOST_AUTO_TEST_CASE(with_the_insecure_gate_any_name_passes) {
  const World open("1.36.3", {{"AllowInsecureKubeletCertificateSigningRequests", true}});
  BOOST_TEST(submit(open, client, pem_for({"system:node:n2"})) == admitted);
  BOOST_TEST(submit(open, client, "no PEM") == admitted);
  BOOST_TEST(submit(World("1.30.0"), client, pem_for({"system:node:n2"})) == admitted);
}

BOOST_AUTO_TEST_CASE(base64_is_decoded_or_refused) {
  BOOST_TEST(base64_decoded("").value() == "");
  BOOST_TEST(base64_decoded("YQ==").value() == "a");
  BOOST_TEST(base64_decoded("YWI=").value() == "ab");
  BOOST_TEST(base64_decoded("YWJj").value() == "abc");
  for (const char* text : {"Y", "YQ", "YQ=", "!!!!", "YQ-_"}) BOOST_TEST(!base64_decoded(text).has_value(), text);
}

BOOST_AUTO_TEST_SUITE_END()

struct CertificateWorld : World {
  CertificateWorld() : World("1.36.3", {{"PodCertificateRequest", true}}) {
    put("", "pods", "ns", "p",
        R"({"metadata":{"name":"p","uid":"pod-uid"},"spec":{"nodeName":"n1","serviceAccountName":"sa"}})");
    put("", "serviceaccounts", "ns", "sa", R"({"metadata":{"name":"sa","uid":"sa-uid"}})");
  }
  std::string request(const Object& object) const {
    return create("certificates.k8s.io", "podcertificaterequests", "ns", object);
  }
  int status(const Object& object) const {
    const Admission refusal = admit(
        {Operation::create, node, "certificates.k8s.io", "podcertificaterequests", "", "ns", "", object, nothing});
    return refusal ? refusal->status : 0;
  }
  const Object good = Object::parse(R"({"metadata":{"name":"r"},"spec":{"nodeName":"n1","nodeUID":"uid-1","podName":"p",
    "podUID":"pod-uid","serviceAccountName":"sa","serviceAccountUID":"sa-uid"}})");
};

BOOST_FIXTURE_TEST_SUITE(pod_certificate_requests, CertificateWorld)

BOOST_AUTO_TEST_CASE(a_certificate_for_a_pod_of_the_node_is_requested) {
  BOOST_TEST(request(good) == admitted);
}

BOOST_AUTO_TEST_CASE(without_the_gate_none_is) {
  BOOST_TEST(World().create("certificates.k8s.io", "podcertificaterequests", "ns", good) ==
             "PodCertificateRequest feature gate is disabled");
}

BOOST_AUTO_TEST_CASE(requests_are_created_and_nothing_else) {
  BOOST_TEST(update("certificates.k8s.io", "podcertificaterequests", "", good, good) == "unexpected operation UPDATE");
  BOOST_TEST(update("certificates.k8s.io", "podcertificaterequests", "status", good, good) ==
             "unexpected operation UPDATE");
  BOOST_TEST(remove("certificates.k8s.io", "podcertificaterequests", "ns", good) == "unexpected operation DELETE");
  BOOST_TEST(said({Operation::create, node, "certificates.k8s.io", "podcertificaterequests", "status", "ns", "r", good,
                   nothing}) == "unexpected subresource status");
}

BOOST_AUTO_TEST_CASE(what_is_named_must_exist_and_fit) {
  const struct {
    const char* field;
    const char* value;
    const char* reason;
    int status;
  } rows[] = {
      {"nodeName", "n2", R"(PodCertificateRequest.Spec.NodeName="n2", which is not the requesting node "n1")", 403},
      {"nodeUID", "old",
       R"(PodCertificateRequest for pod "ns/p" names node UID "old", inconsistent with the running node ("uid-1"))",
       500},
      {"podName", "gone", R"(while retrieving pod "ns/gone" named in the PodCertificateRequest: pod "gone" not found)",
       500},
      {"podUID", "old",
       R"(PodCertificateRequest for pod "ns/p" contains pod UID ("old") which differs from running pod "pod-uid")",
       500},
      {"serviceAccountName", "other",
       R"(PodCertificateRequest for pod "ns/p" contains serviceAccountName ("other") that differs from running pod ("sa"))",
       403},
      {"serviceAccountUID", "old",
       R"(PodCertificateRequest for pod "ns/p" names service account UID "old", which differs from the running service account ("sa-uid"))",
       500},
  };
  for (const auto& [field, value, reason, code] : rows) {
    BOOST_TEST_CONTEXT(field) {
      Object bad = good;
      bad["spec"][field] = value;
      BOOST_TEST(request(bad) == reason);
      BOOST_TEST(status(bad) == code);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_is_gone_is_named_and_the_server_answers_500) {
  cluster.erase({"", "serviceaccounts", "ns", "sa"});
  BOOST_TEST(
      request(good) ==
      R"(while retrieving service account "ns/sa" named in the PodCertificateRequest: serviceaccount "sa" not found)");
  BOOST_TEST(status(good) == 500);
  cluster.erase({"", "nodes", "", "n1"});
  BOOST_TEST(request(good) == R"(while retrieving node "n1" named in the PodCertificateRequest: node "n1" not found)");
  BOOST_TEST(status(good) == 500);
}

BOOST_AUTO_TEST_CASE(the_pod_must_run_on_the_node_and_be_no_mirror_pod) {
  put("", "pods", "ns", "p",
      R"({"metadata":{"name":"p","uid":"pod-uid"},"spec":{"nodeName":"n2","serviceAccountName":"sa"}})");
  BOOST_TEST(request(good) == R"(pod "ns/p" is not running on node "n1" named in the PodCertificateRequest)");
  put("", "pods", "ns", "p",
      R"({"metadata":{"name":"p","uid":"pod-uid","annotations":{"kubernetes.io/config.mirror":""}},
                                 "spec":{"nodeName":"n1","serviceAccountName":"sa"}})");
  BOOST_TEST(request(good) == R"(pod "ns/p" is a mirror pod)");
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
