#include <boost/test/unit_test.hpp>
#include <map>
#include <set>

#include "fakes/kubelet/test/kubelet_cluster.h"
#include "reference/release/kubelet_trait_ids.h"

BOOST_AUTO_TEST_SUITE(kubelet_skew)

using namespace nodebound;
using namespace nodebound::fake_kubelet;
using namespace nodebound::test;

namespace {

constexpr int first_minor = 7;
constexpr int last_minor = 37;

std::string release_of(int minor) {
  return "1." + std::to_string(minor) + ".0";
}

// The oldest kubelet that an API server supports (Kubernetes' version skew policy).
int oldest_kubelet(int server) {
  const int three_back = server - 3;
  return std::max(first_minor, three_back >= 25 && server >= 28 ? three_back : server - 2);
}

KubeletOptions whole_options() {
  KubeletOptions options;
  options.csi_drivers = {{"csi.example.com", {{"topology.csi.example.com/zone", "z"}}}};
  options.static_pods = {Object::parse(R"({"metadata":{"name":"etcd","namespace":"kube-system"},
                                           "spec":{"containers":[{"name":"c","image":"x"}]}})")};
  options.serving_csr = true;
  options.node_labels = {{"node.kubernetes.io/pool", "blue"}, {"example.com/rack", "7"}};
  options.register_with_taints = {Object::parse(R"({"key":"dedicated","value":"x","effect":"NoSchedule"})")};
  return options;
}

std::string attachments_of(const KubeletTraits& traits) {
  return "/apis/storage.k8s.io/" + traits.volumeattachments_version + "/volumeattachments";
}

// All that a pod may reference in any release, and a volume.
void make_workload(KubeletCluster& cluster, const KubeletTraits& traits) {
  cluster.make_shop();
  cluster.make(cluster.shop + "secrets", R"({"metadata":{"name":"db"}})");
  cluster.make(cluster.shop + "configmaps", R"({"metadata":{"name":"settings"}})");
  // API servers that know no VolumeAttachments know no CSI volumes.
  const std::string source = traits.volumeattachments_version.empty()
                                 ? R"("hostPath":{"path":"/data"})"
                                 : R"("csi":{"driver":"csi.example.com","volumeHandle":"h"})";
  cluster.make("/api/v1/persistentvolumes",
               R"({"metadata":{"name":"pv"},"spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],)" +
                   source + R"(,"claimRef":{"namespace":"shop","name":"data"}}})");
  cluster.make(cluster.shop + "persistentvolumeclaims",
               R"({"metadata":{"name":"data"},"spec":{"volumeName":"pv","accessModes":["ReadWriteOnce"],
                   "resources":{"requests":{"storage":"1Gi"}}}})");
  if (!traits.volumeattachments_version.empty()) {
    const std::string name = attachment_name("h", "csi.example.com", "a");
    cluster.make(attachments_of(traits),
                 R"({"metadata":{"name":")" + name + R"("},"spec":{"attacher":"csi.example.com","nodeName":"a",
                             "source":{"persistentVolumeName":"pv"}}})");
  }
  cluster.make(cluster.shop + "pods",
               R"({"metadata":{"name":"web"},"spec":{"nodeName":"a","serviceAccountName":"default",
      "containers":[{"name":"c","image":"x","envFrom":[{"secretRef":{"name":"db"}}]}],
      "volumes":[{"name":"s","configMap":{"name":"settings"}},
                 {"name":"d","persistentVolumeClaim":{"claimName":"data"}}]}})");
}

void attach_volume(KubeletCluster& cluster, const KubeletTraits& traits) {
  const std::string target = attachments_of(traits) + "/" + attachment_name("h", "csi.example.com", "a");
  // Some versions have a status subresource.
  for (const char* at : {"", "/status"}) {
    cluster.call("PATCH", target + at, R"({"status":{"attached":true}})", "application/merge-patch+json");
  }
}

// The only refusal of a kubelet within the skew policy: the watch of a VolumeAttachment that is not attached yet, which
// the Node authorizer has never allowed. Kubelets then get the object again.
bool is_known(const KubeletTraits& traits, const KubeletRefusal& refusal) {
  return traits.has(KubeletTrait::volumeattachments_watch) && refusal.attributes.verb == "watch" &&
         refusal.attributes.resource == "volumeattachments" && refusal.status == 403;
}

void check_pair(int kubelet, int server) {
  KubeletCluster cluster(release_of(server));
  FakeKubelet& node = cluster.start(release_of(kubelet), whole_options());
  const std::string pair = "kubelet " + release_of(kubelet) + " at " + release_of(server) + ": ";
  make_workload(cluster, node.traits());
  cluster.run(std::chrono::seconds(5));
  attach_volume(cluster, node.traits());
  cluster.run(std::chrono::minutes(20));
  const std::string phase(text(cluster.get(cluster.shop + "pods/web"), "status", "phase"));
  BOOST_TEST(phase == "Running", pair << "the pod is " << phase);
  BOOST_TEST(cluster.kubelets[0].end_pod("shop", "web", PodPhase::succeeded), pair);
  cluster.kubelets.look_again(0);
  cluster.run(std::chrono::seconds(30));
  cluster.call("DELETE", cluster.shop + "pods/web");
  cluster.run(std::chrono::seconds(30));
  cluster.get(cluster.shop + "pods/web");
  BOOST_TEST(cluster.last.status == 404, pair << "the pod is still there");
  cluster.get("/api/v1/namespaces/kube-system/pods/etcd-a");
  BOOST_TEST(cluster.last.status == 200, pair << "there is no mirror pod");
  bool watch_refused = false;
  for (const KubeletRefusal& refusal : node.refusals()) {
    watch_refused = watch_refused || is_known(node.traits(), refusal);
    if (is_known(node.traits(), refusal)) continue;
    BOOST_ERROR(pair << refusal.attributes.verb << " " << refusal.attributes.api_version << " "
                     << refusal.attributes.full_resource() << ": " << refusal.status << " " << refusal.reason << " ("
                     << refusal.rule << ", " << refusal.count << " times)");
  }
  BOOST_TEST(watch_refused == node.traits().has(KubeletTrait::volumeattachments_watch),
             pair << "the watch of its VolumeAttachment");
}

}  // namespace

BOOST_AUTO_TEST_CASE(no_supported_kubelet_is_refused_anything) {
  for (int server = first_minor; server <= last_minor; ++server) {
    for (int kubelet = oldest_kubelet(server); kubelet <= server; ++kubelet) check_pair(kubelet, server);
  }
}

BOOST_AUTO_TEST_SUITE_END()
