#include <boost/test/unit_test.hpp>

#include "fakes/kubelet/test/kubelet_cluster.h"

BOOST_AUTO_TEST_SUITE(kubelet_node_labels)

using namespace nodebound;
using namespace nodebound::fake_kubelet;
using namespace nodebound::test;

namespace {

KubeletOptions labelled(const std::string& label, const std::string& value = "x") {
  KubeletOptions options;
  options.node_labels = {{label, value}};
  return options;
}

NodeLabelsVerdict verdict(const char* release, const std::string& label, const std::string& value = "x") {
  const auto traits = KubeletTraitsTable::built_in().at(Version::parse(release).value()).value();
  return check_node_labels(*traits, labelled(label, value));
}

constexpr const char* role = "node-role.kubernetes.io/x";

}  // namespace

BOOST_AUTO_TEST_CASE(labels_of_kubernetes_were_free_then_warned_of_then_fatal) {
  BOOST_TEST(verdict("1.12.0", role).warning == "");
  BOOST_TEST(verdict("1.12.0", role).exit == "");
  for (const char* release : {"1.13.0", "1.15.12"}) {
    BOOST_TEST(verdict(release, role).warning ==
               "unknown 'kubernetes.io' or 'k8s.io' labels specified with --node-labels: [node-role.kubernetes.io/x]");
    BOOST_TEST(verdict(release, role).exit == "");
  }
  const std::string exit = verdict("1.16.0", role).exit;
  BOOST_TEST(
      exit.starts_with("unknown 'kubernetes.io' or 'k8s.io' labels specified with --node-labels: "
                       "[node-role.kubernetes.io/x]\n"));
  BOOST_TEST(exit.find("(kubelet.kubernetes.io, node.kubernetes.io)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(some_labels_of_kubernetes_are_allowed) {
  for (const char* label : {"kubernetes.io/hostname", "node.kubernetes.io/pool", "sub.kubelet.kubernetes.io/x",
                            "example.com/x", "plain", "notkubernetes.io/x"}) {
    BOOST_TEST(verdict("1.36.3", label).exit == "", label);
  }
  for (const char* label : {"node-restriction.kubernetes.io/x", "x.k8s.io/y", "k8s.io/y", "xnode.kubernetes.io/y"}) {
    BOOST_TEST(verdict("1.36.3", label).exit != "", label);
  }
  // In 1.17 the list lost three labels and gained three.
  BOOST_TEST(verdict("1.16.0", "kubernetes.io/instance-type").exit == "");
  BOOST_TEST(verdict("1.17.0", "kubernetes.io/instance-type").exit != "");
  BOOST_TEST(verdict("1.16.0", "topology.kubernetes.io/zone").exit != "");
  BOOST_TEST(verdict("1.17.0", "topology.kubernetes.io/zone").exit == "");
}

BOOST_AUTO_TEST_CASE(labels_that_are_none_are_fatal_from_1_25_on) {
  BOOST_TEST(verdict("1.24.0", "a b").exit == "");
  BOOST_TEST(verdict("1.25.0", "a b").exit.starts_with("invalid node labels: "));
  BOOST_TEST(verdict("1.25.0", "a", "-").exit.starts_with("invalid node labels: "));
  BOOST_TEST(verdict("1.25.0", "a", "b").exit == "");
}

BOOST_AUTO_TEST_CASE(a_kubelet_that_exits_asks_for_nothing) {
  KubeletCluster cluster("1.16.0");
  FakeKubelet& kubelet = cluster.start("1.16.0", labelled(role));
  BOOST_TEST(!kubelet.labels_verdict().exit.empty());
  cluster.run(std::chrono::hours(1));
  BOOST_TEST(cluster.sent.empty());
}

BOOST_AUTO_TEST_CASE(a_kubelet_of_1_15_makes_such_a_node_until_1_18) {
  for (const char* server : {"1.15.0", "1.16.0", "1.17.0", "1.18.0"}) {
    KubeletCluster cluster(server);
    FakeKubelet& kubelet = cluster.start("1.15.0", labelled(role, ""));
    BOOST_TEST(kubelet.registered(), server);
    BOOST_TEST(kubelet.refusals().empty(), server);
  }
}

BOOST_AUTO_TEST_CASE(from_1_19_on_it_is_refused_by_the_rule_of_labels) {
  KubeletCluster cluster("1.19.0");
  FakeKubelet& kubelet = cluster.start("1.15.0", labelled(role, ""));
  cluster.run(std::chrono::minutes(1));
  BOOST_TEST(!kubelet.registered());
  const auto found = std::find_if(kubelet.refusals().begin(), kubelet.refusals().end(), [](const auto& refusal) {
    return refusal.attributes.verb == "create" && refusal.attributes.resource == "nodes";
  });
  BOOST_TEST_REQUIRE((found != kubelet.refusals().end()));
  BOOST_TEST(found->rule == "node-kubernetes-labels-create");
  BOOST_TEST(found->reason.find("is not allowed to set the following labels: node-role.kubernetes.io/x") !=
             std::string::npos);
  BOOST_TEST(found->status == 403);
}

BOOST_AUTO_TEST_SUITE_END()
