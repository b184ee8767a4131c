#include <boost/test/unit_test.hpp>
#include <string>

#include "reference/test/node_restriction_world.h"

BOOST_AUTO_TEST_SUITE(node_restriction_pods)

using namespace nodebound;
using namespace nodebound::test;

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
      // The refusal names the reference that is checked first.
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
  // The submitted node name does not make the pod the node's own.
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

BOOST_AUTO_TEST_SUITE_END()
