#include <boost/test/unit_test.hpp>

#include "fakes/kubelet/test/kubelet_cluster.h"

BOOST_AUTO_TEST_SUITE(kubelet_pods)

using namespace nodebound;
using namespace nodebound::fake_kubelet;
using namespace nodebound::test;

namespace {

KubeletOptions quiet() {
  KubeletOptions options;
  options.events = false;
  return options;
}

// A started kubelet, and a namespace for pods.
struct Node : KubeletCluster {
  explicit Node(const char* release, const KubeletOptions& options = quiet()) : Node(release, release, options) {}
  Node(const char* at, const char* release, const KubeletOptions& options)
      : KubeletCluster(at), kubelet(start(release, options)) {
    make_shop();
    run(std::chrono::seconds(1));
    taken();
  }

  void make_pod(const std::string& spec) {
    make(shop + "pods", R"({"metadata":{"name":"web"},"spec":{"nodeName":"a",)" + spec + "}}");
    BOOST_TEST_REQUIRE(last.status == 201, last.body);
  }
  // Without the token volume that admission would add.
  void make_plain_pod(const std::string& spec) { make_pod(R"("automountServiceAccountToken":false,)" + spec); }
  std::string phase() { return std::string(text(get(shop + "pods/web"), "status", "phase")); }

  FakeKubelet& kubelet;
};

const std::string references = R"("containers":[{"name":"c","image":"x","envFrom":[{"secretRef":{"name":"db"}}]}],
                                  "volumes":[{"name":"v","configMap":{"name":"settings"}}])";

void make_references(Node& node) {
  node.make(node.shop + "secrets", R"({"metadata":{"name":"db"}})");
  node.make(node.shop + "configmaps", R"({"metadata":{"name":"settings"}})");
}

Lines sent_for_pod(const char* release) {
  Node node(release);
  make_references(node);
  node.make_plain_pod(references);
  node.run();
  BOOST_TEST(node.phase() == "Running", release);
  Lines lines = node.taken();
  std::sort(lines.begin(), lines.end() - 2);
  return lines;
}

}  // namespace

BOOST_AUTO_TEST_CASE(secrets_and_configmaps_are_read_in_the_way_of_the_release) {
  check(sent_for_pod("1.7.0"), {"GET configmaps settings", "GET secrets db", "GET pods web", "PUT pods/status web"});
  check(sent_for_pod("1.11.0"), {"GET configmaps settings", "GET secrets db", "GET pods web", "PATCH pods/status web"});
  const Lines watching = {"GET configmaps metadata.name=settings",
                          "GET configmaps metadata.name=settings watch",
                          "GET secrets metadata.name=db",
                          "GET secrets metadata.name=db watch",
                          "GET pods web",
                          "PATCH pods/status web"};
  check(sent_for_pod("1.12.0"), watching);
  check(sent_for_pod("1.34.0"), watching);
  check(sent_for_pod("1.35.0"), {"GET configmaps metadata.name=settings watch", "GET secrets metadata.name=db watch",
                                 "GET pods web", "PATCH pods/status web"});
}

BOOST_AUTO_TEST_CASE(what_is_got_is_got_again_when_its_time_is_over) {
  Node node("1.11.0");
  make_references(node);
  node.make_plain_pod(references);
  node.run();
  node.taken();
  node.run(std::chrono::minutes(10));
  const Lines lines = node.taken();
  const auto gets = std::count(lines.begin(), lines.end(), "GET secrets db");
  BOOST_TEST(gets >= 6);
  BOOST_TEST(gets <= 10);
}

BOOST_AUTO_TEST_CASE(what_is_watched_is_watched_again_and_not_listed) {
  Node node("1.36.3");
  make_references(node);
  node.make_plain_pod(references);
  node.run();
  node.taken();
  node.run(std::chrono::hours(1));
  const Lines lines = node.taken();
  const auto watches = std::count(lines.begin(), lines.end(), "GET secrets metadata.name=db watch");
  BOOST_TEST(watches >= 6);
  BOOST_TEST(watches <= 12);
  BOOST_TEST(std::count(lines.begin(), lines.end(), "GET secrets metadata.name=db") == 0);
}

BOOST_AUTO_TEST_CASE(what_is_immutable_is_watched_no_more_from_1_19_on) {
  for (const auto& [release, watched] : {std::pair("1.18.0", true), {"1.19.0", false}}) {
    Node node(release);
    node.make(node.shop + "secrets", R"({"metadata":{"name":"db"},"immutable":true})");
    node.make_plain_pod(R"("containers":[{"name":"c","image":"x","envFrom":[{"secretRef":{"name":"db"}}]}])");
    // Before 1.19 the API server may drop the field.
    node.run();
    node.taken();
    node.run(std::chrono::minutes(30));
    const Lines lines = node.taken();
    BOOST_TEST((std::count(lines.begin(), lines.end(), "GET secrets metadata.name=db watch") > 0) == watched, release);
  }
}

BOOST_AUTO_TEST_CASE(tokens_are_asked_for_with_their_audience_and_pod_and_again) {
  const std::string spec = R"("containers":[{"name":"c","image":"x"}],"volumes":[{"name":"t","projected":{"sources":[
      {"serviceAccountToken":{"path":"t","audience":"vault","expirationSeconds":3600}}]}}])";
  Node node("1.36.3");
  node.make_plain_pod(spec);
  node.run();
  check(node.taken(), {"POST serviceaccounts/token default", "GET pods web", "PATCH pods/status web"});
  const auto posted = std::find_if(node.requests.begin(), node.requests.end(),
                                   [](const HttpRequest& request) { return request.target.ends_with("/token"); });
  const Object request = Object::parse(posted->body);
  BOOST_TEST(request["spec"]["audiences"] == Object::array({"vault"}));
  BOOST_TEST(request["spec"]["boundObjectRef"]["name"] == "web");
  BOOST_TEST(request["spec"]["boundObjectRef"]["uid"] == node.get(node.shop + "pods/web")["metadata"]["uid"]);
  node.run(std::chrono::hours(2));
  const Lines lines = node.taken();
  BOOST_TEST(std::count(lines.begin(), lines.end(), "POST serviceaccounts/token default") == 2);
}

BOOST_AUTO_TEST_CASE(from_1_21_on_every_pod_gets_a_token) {
  for (const auto& [release, gets] : {std::pair("1.20.0", false), {"1.21.0", true}}) {
    Node node(release);
    node.make_pod(R"("containers":[{"name":"c","image":"x"}])");
    node.run();
    const Lines lines = node.taken();
    BOOST_TEST((std::count(lines.begin(), lines.end(), "POST serviceaccounts/token default") == 1) == gets, release);
    BOOST_TEST(node.kubelet.refusals().empty(), release);
  }
}

BOOST_AUTO_TEST_CASE(a_pod_waits_for_what_it_references) {
  Node node("1.36.3");
  node.make_plain_pod(references);
  node.run(std::chrono::minutes(1));
  BOOST_TEST(node.phase() == "Pending");
  make_references(node);
  node.run(std::chrono::minutes(3));
  BOOST_TEST(node.phase() == "Running");
}

BOOST_AUTO_TEST_CASE(but_not_for_what_is_optional) {
  Node node("1.36.3");
  node.make_plain_pod(R"("imagePullSecrets":[{"name":"none"}],"containers":[{"name":"c","image":"x",
      "envFrom":[{"secretRef":{"name":"none-either","optional":true}}]}])");
  node.run();
  BOOST_TEST(node.phase() == "Running");
}

BOOST_AUTO_TEST_CASE(a_refusal_keeps_a_pod_waiting_until_it_heals) {
  Node node("1.34.0");
  make_references(node);
  node.refused = "GET secrets metadata.name=db";
  node.make_plain_pod(references);
  node.run(std::chrono::minutes(1));
  BOOST_TEST(node.phase() == "Pending");
  BOOST_TEST_REQUIRE(node.kubelet.refusals().size() == 1U);
  BOOST_TEST(node.kubelet.refusals()[0].attributes.verb == "list");
  BOOST_TEST(node.kubelet.refusals()[0].count > 1U);
  BOOST_TEST(!node.kubelet.refusals()[0].healed);
  node.refused.clear();
  node.run(std::chrono::minutes(5));
  BOOST_TEST(node.phase() == "Running");
  BOOST_TEST(node.kubelet.refusals()[0].healed.has_value());
}

BOOST_AUTO_TEST_CASE(a_volume_leads_from_claim_to_attachment) {
  const auto sent = [](const char* release, bool attached) {
    Node node(release);
    const auto& traits = node.kubelet.traits();
    const std::string attachments = "/apis/storage.k8s.io/" + traits.volumeattachments_version + "/volumeattachments";
    node.make("/api/v1/persistentvolumes",
              R"({"metadata":{"name":"pv"},"spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],
                  "csi":{"driver":"csi.example.com","volumeHandle":"h"},"claimRef":{"namespace":"shop","name":"data"}}})");
    node.make(node.shop + "persistentvolumeclaims",
              R"({"metadata":{"name":"data"},"spec":{"volumeName":"pv","accessModes":["ReadWriteOnce"],
                  "resources":{"requests":{"storage":"1Gi"}}}})");
    const std::string name = attachment_name("h", "csi.example.com", "a");
    node.make(attachments,
              R"({"metadata":{"name":")" + name + R"("},"spec":{"attacher":"csi.example.com","nodeName":"a",
                                "source":{"persistentVolumeName":"pv"}}})");
    BOOST_TEST_REQUIRE(node.last.status == 201, node.last.body);
    if (attached) {
      node.call("PATCH", attachments + "/" + name + "/status", R"({"status":{"attached":true}})",
                "application/merge-patch+json");
    }
    node.make_plain_pod(R"("containers":[{"name":"c","image":"x"}],
                           "volumes":[{"name":"d","persistentVolumeClaim":{"claimName":"data"}}])");
    node.run();
    BOOST_TEST((node.phase() == "Running") == attached, release);
    Lines lines = node.taken();
    // The API server decides about the watch: the Node authorizer has never allowed it.
    BOOST_TEST(node.kubelet.refusals().size() == (lines.back().ends_with("watch") ? 1U : 0U));
    lines.resize(std::min<std::size_t>(lines.size(), 4));
    for (std::string& line : lines) line = line.substr(0, line.find(" csi-"));
    return lines;
  };
  const Lines reads = {"GET persistentvolumeclaims data", "GET persistentvolumes pv"};
  check(sent("1.36.3", true), {reads[0], reads[1], "GET storage.k8s.io/v1 volumeattachments", "GET pods web"});
  check(sent("1.36.3", false), {reads[0], reads[1], "GET storage.k8s.io/v1 volumeattachments"});
  const std::string selector = " metadata.name=" + attachment_name("h", "csi.example.com", "a") + " watch";
  check(sent("1.31.0", false), {reads[0], reads[1], "GET storage.k8s.io/v1 volumeattachments",
                                "GET storage.k8s.io/v1 volumeattachments" + selector});
}

BOOST_AUTO_TEST_CASE(resource_claims_are_read_where_the_feature_is_on) {
  const auto sent = [](const char* release, std::optional<bool> claims) {
    KubeletOptions options = quiet();
    options.claims = claims;
    Node node(release, options);
    node.make("/apis/resource.k8s.io/v1/namespaces/shop/resourceclaims", R"({"metadata":{"name":"gpu"},"spec":{}})");
    node.make_plain_pod(R"("containers":[{"name":"c","image":"x"}],
                           "resourceClaims":[{"name":"g","resourceClaimName":"gpu"}])");
    node.run();
    const Lines lines = node.taken();
    return std::count(lines.begin(), lines.end(), "GET resource.k8s.io/v1 resourceclaims gpu");
  };
  BOOST_TEST(sent("1.34.0", std::nullopt) == 1);
  BOOST_TEST(sent("1.34.0", false) == 0);
}

BOOST_AUTO_TEST_CASE(a_pod_ends_as_it_is_told) {
  Node node("1.36.3");
  node.make_plain_pod(R"("containers":[{"name":"c","image":"x"}],"restartPolicy":"Never")");
  BOOST_TEST(!node.kubelet.end_pod("shop", "web", PodPhase::failed));
  node.run();
  BOOST_TEST(node.kubelet.end_pod("shop", "web", PodPhase::failed));
  node.kubelets.look_again(0);
  node.run();
  BOOST_TEST(node.phase() == "Failed");
  BOOST_TEST(!node.kubelet.end_pod("shop", "web", PodPhase::succeeded));
}

BOOST_AUTO_TEST_CASE(a_pod_that_is_deleted_is_ended_and_let_go) {
  Node node("1.36.3");
  node.make_plain_pod(R"("containers":[{"name":"c","image":"x"}])");
  node.run();
  node.taken();
  node.call("DELETE", node.shop + "pods/web");
  BOOST_TEST(node.phase() == "Running");
  node.run();
  check(node.taken(), {"GET pods web", "PATCH pods/status web", "DELETE pods web"});
  const Object options = Object::parse(node.requests.back().body);
  BOOST_TEST(options["gracePeriodSeconds"] == 0);
  BOOST_TEST(options["preconditions"]["uid"].is_string());
  node.get(node.shop + "pods/web");
  BOOST_TEST(node.last.status == 404);
  BOOST_TEST(node.kubelet.pods().empty());
}

BOOST_AUTO_TEST_CASE(without_streams_it_lists_again) {
  KubeletCluster cluster("1.36.3");
  cluster.add("1.36.3", quiet(), "a", false);
  cluster.run();
  cluster.make_shop();
  cluster.make(cluster.shop + "pods", R"({"metadata":{"name":"web"},"spec":{"nodeName":"a"}})");
  cluster.run(std::chrono::seconds(20));
  BOOST_TEST(text(cluster.get(cluster.shop + "pods/web"), "status", "phase") == "Running");
  BOOST_TEST(cluster.kubelets[0].refusals().empty());
}

namespace {

KubeletOptions with_static_pod(const char* image = "x") {
  KubeletOptions options = quiet();
  options.static_pods = {{{"metadata", {{"name", "etcd"}, {"namespace", "kube-system"}}},
                          {"spec", {{"containers", {{{"name", "c"}, {"image", image}}}}}}}};
  return options;
}

const std::string mirror = "/api/v1/namespaces/kube-system/pods/etcd-a";

}  // namespace

BOOST_AUTO_TEST_CASE(mirror_pods_have_an_owner_from_1_17_on) {
  for (const auto& [release, owned] : {std::pair("1.16.0", false), {"1.17.0", true}, {"1.36.3", true}}) {
    KubeletCluster cluster(release);
    cluster.start(release, with_static_pod());
    const Lines lines = cluster.taken();
    check({lines.end() - 3, lines.end()}, {"POST pods", "GET pods etcd-a", "PATCH pods/status etcd-a"});
    const Object pod = cluster.get(mirror);
    BOOST_TEST(text(pod, "metadata", "annotations", "kubernetes.io/config.mirror").size() == 16U);
    const Object& owners = member(pod, "metadata", "ownerReferences");
    BOOST_TEST(owners.size() == (owned ? 1U : 0U), release);
    if (!owned) continue;
    BOOST_TEST(owners[0]["uid"] == cluster.get("/api/v1/nodes/a")["metadata"]["uid"]);
    BOOST_TEST(owners[0]["controller"] == true);
    BOOST_TEST(!owners[0].contains("blockOwnerDeletion"));
  }
}

BOOST_AUTO_TEST_CASE(a_mirror_pod_follows_its_static_pod) {
  KubeletCluster cluster("1.36.3");
  cluster.start("1.36.3", with_static_pod());
  cluster.taken();
  const auto restart = [&](const char* release, const KubeletOptions& options) {
    cluster.kubelets.replace(0,
                             {"a", KubeletTraitsTable::built_in().at(Version::parse(release).value()).value(),
                              std::make_shared<const KubeletOptions>(options)},
                             cluster.line("a"), cluster.time);
    cluster.run(std::chrono::seconds(15));
  };
  restart("1.36.3", with_static_pod("y"));
  BOOST_TEST(cluster.get(mirror)["spec"]["containers"][0]["image"] == "y");
  const Lines lines = cluster.taken();
  BOOST_TEST(std::count(lines.begin(), lines.end(), "DELETE pods etcd-a") == 1);
  BOOST_TEST(std::count(lines.begin(), lines.end(), "POST pods") == 1);
  restart("1.36.3", quiet());
  cluster.get(mirror);
  BOOST_TEST(cluster.last.status == 404);
  BOOST_TEST(cluster.kubelets[0].refusals().empty());
}

BOOST_AUTO_TEST_CASE(a_mirror_pod_that_is_deleted_comes_back) {
  KubeletCluster cluster("1.36.3");
  cluster.start("1.36.3", with_static_pod());
  const Object uid = cluster.get(mirror)["metadata"]["uid"];
  cluster.call("DELETE", mirror);
  cluster.run(std::chrono::seconds(15));
  BOOST_TEST(cluster.get(mirror)["metadata"]["uid"] != uid);
  BOOST_TEST(cluster.last.status == 200);
  const auto removed = std::find_if(cluster.requests.begin(), cluster.requests.end(), [](const HttpRequest& request) {
    return request.method == "DELETE" && request.target == mirror;
  });
  BOOST_TEST_REQUIRE((removed != cluster.requests.end()));
  BOOST_TEST(Object::parse(removed->body)["preconditions"]["uid"] == uid);
}

// A combination beyond the version skew policy.
BOOST_AUTO_TEST_CASE(mirror_pods_without_an_owner_are_refused_from_1_20_on) {
  KubeletCluster cluster("1.20.0");
  FakeKubelet& kubelet = cluster.start("1.16.0", with_static_pod());
  BOOST_TEST_REQUIRE(kubelet.refusals().size() == 1U);
  BOOST_TEST(kubelet.refusals()[0].reason.find("can only create pods with an owner reference set to itself") !=
             std::string::npos);
  BOOST_TEST(kubelet.refusals()[0].attributes.resource == "pods");
}

BOOST_AUTO_TEST_SUITE_END()
