#include <boost/test/unit_test.hpp>

#include "fakes/kubelet/test/kubelet_cluster.h"

BOOST_AUTO_TEST_SUITE(kubelet_registration)

using namespace nodebound;
using namespace nodebound::fake_kubelet;
using namespace nodebound::test;

namespace {

// The writes that a starting kubelet sends for its own node.
Lines registration(KubeletCluster& cluster) {
  Lines out;
  for (const std::string& line : cluster.taken()) {
    const bool about_node = line.find(" nodes") != std::string::npos || line.find("lease") != std::string::npos ||
                            line.find("csinodes") != std::string::npos;
    if (about_node && line.find("metadata.name=") == std::string::npos) out.push_back(line);
  }
  return out;
}

Lines registered(const char* release, const KubeletOptions& options = {}) {
  KubeletCluster cluster(release);
  BOOST_TEST(cluster.start(release, options).registered());
  return registration(cluster);
}

// A Node that already exists, and a kubelet that registers with it.
struct Found : KubeletCluster {
  Found(const char* release, const std::string& node) : KubeletCluster(release) {
    make("/api/v1/nodes", node);
    BOOST_TEST_REQUIRE(last.status == 201);
  }
  Object node() { return get("/api/v1/nodes/a"); }
};

const std::string bare = R"({"metadata":{"name":"a","annotations":
    {"volumes.kubernetes.io/controller-managed-attach-detach":"true"}},"spec":{"externalID":"a"}})";

}  // namespace

BOOST_AUTO_TEST_CASE(a_node_is_made_told_of_and_leased_in_the_way_of_the_release) {
  check(registered("1.7.0"), {"POST nodes", "GET nodes a", "PATCH nodes/status a"});
  check(registered("1.13.0"), {"POST nodes", "GET nodes a", "PATCH nodes/status a"});
  check(registered("1.14.0"),
        {"POST nodes", "GET nodes a", "PATCH nodes/status a", "GET coordination.k8s.io/v1beta1 leases a", "GET nodes a",
         "POST coordination.k8s.io/v1beta1 leases", "GET storage.k8s.io/v1beta1 csinodes a",
         "POST storage.k8s.io/v1beta1 csinodes"});
  check(registered("1.17.0"),
        {"POST nodes", "GET nodes a", "PATCH nodes/status a", "GET coordination.k8s.io/v1 leases a", "GET nodes a",
         "POST coordination.k8s.io/v1 leases", "GET storage.k8s.io/v1 csinodes a", "POST storage.k8s.io/v1 csinodes"});
  check(registered("1.37.0"),
        {"POST nodes", "PATCH nodes/status a", "GET coordination.k8s.io/v1 leases a", "GET nodes a",
         "POST coordination.k8s.io/v1 leases", "GET storage.k8s.io/v1 csinodes a", "POST storage.k8s.io/v1 csinodes"});
}

BOOST_AUTO_TEST_CASE(a_node_has_what_its_kubelet_says) {
  KubeletCluster cluster("1.36.3");
  KubeletOptions options;
  options.node_labels = {{"example.com/rack", "7"}};
  options.register_with_taints = {Object::parse(R"({"key":"dedicated","value":"x","effect":"NoSchedule"})")};
  cluster.start("1.35.4", options);
  const Object node = cluster.get("/api/v1/nodes/a");
  BOOST_TEST(text(node, "status", "nodeInfo", "kubeletVersion") == "v1.35.4");
  BOOST_TEST(text(node, "metadata", "labels", "kubernetes.io/hostname") == "a");
  BOOST_TEST(text(node, "metadata", "labels", "example.com/rack") == "7");
  BOOST_TEST(node["spec"]["taints"].dump().find("dedicated") != std::string::npos);
  BOOST_TEST(node["status"]["conditions"].back()["type"] == "Ready");
  BOOST_TEST(node["status"]["conditions"].back()["status"] == "True");
  const Object lease = cluster.get("/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/a");
  BOOST_TEST(text(lease, "spec", "holderIdentity") == "a");
  BOOST_TEST(lease["metadata"]["ownerReferences"][0]["uid"] == node["metadata"]["uid"]);
}

BOOST_AUTO_TEST_CASE(the_heartbeat_goes_on_as_often_as_the_release_says) {
  const auto in_an_hour = [](const char* release, const std::string& line) {
    KubeletCluster cluster(release);
    cluster.start(release);
    cluster.taken();
    cluster.run(std::chrono::hours(1));
    const Lines all = cluster.taken();
    return std::count(all.begin(), all.end(), line);
  };
  BOOST_TEST(in_an_hour("1.13.0", "PATCH nodes/status a") == 360);
  BOOST_TEST(in_an_hour("1.16.0", "PATCH nodes/status a") == 60);
  BOOST_TEST(in_an_hour("1.17.0", "PATCH nodes/status a") == 12);
  BOOST_TEST(in_an_hour("1.17.0", "GET nodes a") == 360);
  BOOST_TEST(in_an_hour("1.31.0", "GET nodes a") == 0);
  BOOST_TEST(in_an_hour("1.15.0", "GET coordination.k8s.io/v1beta1 leases a") == 360);
  BOOST_TEST(in_an_hour("1.16.0", "GET coordination.k8s.io/v1 leases a") == 0);
  BOOST_TEST(in_an_hour("1.16.0", "PUT coordination.k8s.io/v1 leases a") == 360);
}

BOOST_AUTO_TEST_CASE(a_lease_that_is_gone_is_made_again) {
  KubeletCluster cluster("1.36.3");
  cluster.start("1.36.3");
  const std::string lease = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/a";
  cluster.call("DELETE", lease);
  cluster.run(std::chrono::seconds(30));
  cluster.get(lease);
  BOOST_TEST(cluster.last.status == 200);
}

BOOST_AUTO_TEST_CASE(a_node_that_is_there_is_put_right_through_its_status) {
  for (const char* release : {"1.8.0", "1.11.0", "1.14.0", "1.36.3"}) {
    Found found(release, bare);
    found.start(release);
    const Lines lines = registration(found);
    BOOST_TEST_REQUIRE(lines.size() > 3U);
    check({lines.begin(), lines.begin() + 3}, {"POST nodes", "GET nodes a", "PATCH nodes/status a"});
    BOOST_TEST(text(found.node(), "metadata", "labels", "kubernetes.io/hostname") == "a", release);
  }
}

BOOST_AUTO_TEST_CASE(before_1_8_its_labels_stay_as_they_are) {
  Found found("1.7.0", bare);
  found.start("1.7.0");
  check(registration(found), {"POST nodes", "GET nodes a", "GET nodes a", "PATCH nodes/status a"});
  BOOST_TEST(member(found.node(), "metadata", "labels").empty());
}

BOOST_AUTO_TEST_CASE(node_labels_count_only_when_the_node_is_made) {
  Found found("1.36.3", bare);
  KubeletOptions options;
  options.node_labels = {{"example.com/rack", "7"}};
  found.start("1.36.3", options);
  BOOST_TEST(member(found.node(), "metadata", "labels", "example.com/rack").is_null());
}

BOOST_AUTO_TEST_CASE(kubelets_of_1_8_take_labels_away_that_they_do_not_set) {
  const std::string labelled = R"({"metadata":{"name":"a","labels":{"failure-domain.beta.kubernetes.io/zone":"z"}},
                                   "spec":{"externalID":"a"}})";
  for (const auto& [release, stays] : {std::pair("1.7.0", true), {"1.8.0", false}, {"1.9.0", true}}) {
    Found found(release, labelled);
    found.start(release);
    BOOST_TEST(
        member(found.node(), "metadata", "labels", "failure-domain.beta.kubernetes.io/zone").is_string() == stays,
        release);
  }
}

BOOST_AUTO_TEST_CASE(up_to_1_10_a_node_of_another_machine_is_replaced) {
  const std::string other = R"({"metadata":{"name":"a"},"spec":{"externalID":"i-0"}})";
  Found found("1.10.0", other);
  const std::string uid(text(found.node(), "metadata", "uid"));
  FakeKubelet& kubelet = found.start("1.10.0");
  BOOST_TEST(!kubelet.registered());
  check(registration(found), {"POST nodes", "GET nodes a", "DELETE nodes a"});
  found.run(std::chrono::seconds(1));
  BOOST_TEST(kubelet.registered());
  BOOST_TEST(text(found.node(), "spec", "externalID") == "a");
  BOOST_TEST(text(found.node(), "metadata", "uid") != uid);
  BOOST_TEST(kubelet.refusals().empty());

  Found later("1.11.0", other);
  BOOST_TEST(later.start("1.11.0").registered());
}

// A combination beyond the skew policy: the Node authorizer has not let nodes delete themselves since 1.13.
BOOST_AUTO_TEST_CASE(at_1_13_such_a_kubelet_tries_for_ever) {
  Found found("1.13.0", R"({"metadata":{"name":"a"},"spec":{"externalID":"i-0"}})");
  FakeKubelet& kubelet = found.start("1.10.0");
  found.run(std::chrono::minutes(5));
  BOOST_TEST(!kubelet.registered());
  BOOST_TEST_REQUIRE(kubelet.refusals().size() == 1U);
  const KubeletRefusal& refusal = kubelet.refusals()[0];
  BOOST_TEST(refusal.attributes.verb == "delete");
  BOOST_TEST(refusal.attributes.resource == "nodes");
  BOOST_TEST(refusal.status == 403);
  BOOST_TEST(refusal.count > 40U);
  BOOST_TEST(!refusal.healed);
  BOOST_TEST((refusal.last - refusal.first > std::chrono::minutes(4)));
}

// The test injects the refusal: kubelets since 1.16 exit on the labels that NodeRestriction would refuse.
BOOST_AUTO_TEST_CASE(what_is_refused_on_create_is_taken_for_what_is_there_from_1_32_on) {
  for (const auto& [release, gets] : {std::pair("1.31.0", false), {"1.32.0", true}}) {
    Found found(release, bare);
    found.refused = "POST nodes";
    FakeKubelet& kubelet = found.start(release);
    BOOST_TEST(kubelet.registered() == gets, release);
    BOOST_TEST(kubelet.refusals().size() == 1U);
  }
}

BOOST_AUTO_TEST_CASE(os_and_arch_are_put_right_from_1_23_on) {
  for (const auto& [release, repaired] : {std::pair("1.22.0", false), {"1.23.0", true}}) {
    KubeletCluster cluster(release);
    cluster.start(release);
    cluster.call("PATCH", "/api/v1/nodes/a", R"({"metadata":{"labels":{"kubernetes.io/os":"beos"}}})",
                 "application/merge-patch+json");
    cluster.run(std::chrono::seconds(20));
    BOOST_TEST((text(cluster.get("/api/v1/nodes/a"), "metadata", "labels", "kubernetes.io/os") == "linux") == repaired,
               release);
  }
}

BOOST_AUTO_TEST_CASE(csi_drivers_are_told_of_in_the_way_of_the_release) {
  KubeletOptions options;
  options.csi_drivers = {{"csi.example.com", {{"topology.csi.example.com/zone", "z"}}}};
  const auto sent = [&](const char* release) {
    Lines lines = registered(release, options);
    const auto first = std::find(lines.begin(), lines.end(), "PATCH nodes/status a") + 1;
    std::erase_if(lines, [](const std::string& line) { return line.find("lease") != std::string::npos; });
    return Lines(first, lines.end());
  };
  check(sent("1.11.0"), {});
  check(sent("1.12.0"), {"GET nodes a", "PUT nodes a"});
  check(sent("1.13.0"), {"GET nodes a", "PATCH nodes/status a"});

  KubeletCluster cluster("1.36.3");
  cluster.start("1.36.3", options);
  const Object node = cluster.get("/api/v1/nodes/a");
  BOOST_TEST(text(node, "metadata", "annotations", "csi.volume.kubernetes.io/nodeid") == R"({"csi.example.com":"a"})");
  BOOST_TEST(text(node, "metadata", "labels", "topology.csi.example.com/zone") == "z");
  const Object csi = cluster.get("/apis/storage.k8s.io/v1/csinodes/a");
  BOOST_TEST(csi["spec"]["drivers"][0]["name"] == "csi.example.com");
  BOOST_TEST(csi["metadata"]["ownerReferences"][0]["uid"] == node["metadata"]["uid"]);
}

BOOST_AUTO_TEST_CASE(a_csinode_of_an_earlier_node_is_remade_from_1_35_on) {
  for (const auto& [release, remade] : {std::pair("1.34.0", false), {"1.35.0", true}}) {
    KubeletCluster cluster(release);
    cluster.make(
        "/apis/storage.k8s.io/v1/csinodes",
        R"({"metadata":{"name":"a","ownerReferences":[{"apiVersion":"v1","kind":"Node","name":"a","uid":"old"}]},
                     "spec":{"drivers":[]}})");
    cluster.start(release);
    const Object owner = cluster.get("/apis/storage.k8s.io/v1/csinodes/a")["metadata"]["ownerReferences"][0];
    BOOST_TEST((owner["uid"] != "old") == remade, release);
  }
}

BOOST_AUTO_TEST_SUITE_END()
