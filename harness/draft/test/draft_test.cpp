#include "harness/draft/draft.h"

#include <boost/test/unit_test.hpp>

#include "harness/draft/upgrade_steps.h"
#include "harness/inspect/inspect.h"
#include "harness/inspect/manifest_reader.h"
#include "harness/simulate/plan/plan.h"

BOOST_AUTO_TEST_SUITE(drafts)

using namespace nodebound;
using namespace nodebound::draft;
using namespace nodebound::inspect;
using namespace nodebound::replay;
using namespace nodebound::simulate;

namespace {

constexpr const char* cluster_text = R"(apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Node
  metadata:
    name: cp-1
    labels: {node-role.kubernetes.io/control-plane: ""}
  status: {nodeInfo: {kubeletVersion: v1.31.4}}
- apiVersion: v1
  kind: Node
  metadata:
    name: a-1
    labels: {eks.amazonaws.com/nodegroup: Blue_Nodes, team: shop, rack: "1"}
  status: {nodeInfo: {kubeletVersion: v1.31.4-eks-1}}
- apiVersion: v1
  kind: Node
  metadata:
    name: a-2
    labels: {eks.amazonaws.com/nodegroup: Blue_Nodes, team: shop, rack: "2"}
  status: {nodeInfo: {kubeletVersion: v1.31.4}}
- apiVersion: v1
  kind: Node
  metadata:
    name: b-1
    labels: {eks.amazonaws.com/nodegroup: Blue_Nodes}
  status: {nodeInfo: {kubeletVersion: v1.29.3}}
- apiVersion: v1
  kind: Node
  metadata: {name: silent}
- apiVersion: rbac.authorization.k8s.io/v1
  kind: ClusterRoleBinding
  metadata: {name: nodes-view, uid: "7"}
  roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: lists-nodes}
  subjects:
  - {apiGroup: rbac.authorization.k8s.io, kind: Group, name: "system:nodes"}
- apiVersion: rbac.authorization.k8s.io/v1
  kind: ClusterRole
  metadata: {name: lists-nodes}
  rules:
  - {apiGroups: [""], resources: [nodes], verbs: [list]}
)";

DraftQuestion sample_question() {
  DraftQuestion out;
  BOOST_REQUIRE(add_manifest({"dump.yaml", cluster_text}, out.cluster).has_value());
  out.name = "dump.yaml";
  out.from = *Version::parse("1.31.4");
  out.to = *Version::parse("1.33.1");
  AgentOfNodes agent;
  agent.user_agent = "flanneld/v0.26 \"x\"";
  agent.requests = {"GET /api/v1/nodes", "GET /api/v1/pods?fieldSelector=spec.nodeName={node}",
                    R"(PATCH /api/v1/nodes/{node} {"metadata":{"labels":{"example.com/a":""}}})"};
  out.agents.push_back(agent);
  return out;
}

std::string in_short(const std::vector<UpgradeStep>& steps) {
  std::string out;
  for (const UpgradeStep& step : steps) {
    out += (out.empty() ? "" : ", ") + (step.pool.empty() ? "servers" : step.pool) + " " + step.to.text();
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(nodes_of_one_pool_and_version_are_counted_together) {
  const DraftQuestion question = sample_question();
  const Census census = take_census(question.cluster, "");
  BOOST_TEST(census.servers == 1U);
  BOOST_REQUIRE(census.pools.size() == 3U);
  BOOST_TEST(census.pools[0].name == "blue-nodes-1-29-3");
  BOOST_TEST(census.pools[0].nodes == 1U);
  BOOST_TEST(census.pools[1].name == "blue-nodes-1-31-4");
  BOOST_TEST(census.pools[1].nodes == 2U);
  BOOST_TEST(census.pools[1].labels.at("team") == "shop");
  BOOST_TEST(!census.pools[1].labels.contains("rack"));
  BOOST_TEST(census.pools[2].name == "control-plane");
  BOOST_TEST(census.notes == std::vector<std::string>{"Node silent does not say the version of its kubelet"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_draft_is_a_plan) {
  const DraftQuestion question = sample_question();
  const auto draft = draft_plan(Catalogue::built_in(), question, "");
  BOOST_REQUIRE(draft.has_value());
  BOOST_TEST(draft->objects.find("name: lists-nodes") != std::string::npos, draft->objects);
  BOOST_TEST(draft->objects.find("uid") == std::string::npos);
  const Result<Plan> plan = read_plan(draft->plan, "draft.plan.toml", Catalogue::built_in());
  BOOST_REQUIRE_MESSAGE(plan.has_value(), (plan ? "" : plan.error().text()) + "\n" + draft->plan);
  BOOST_TEST(plan->pools.size() == 3U);
  BOOST_REQUIRE(plan->agents.size() == 1U);
  BOOST_REQUIRE(plan->agents[0].requests.size() == 3U);
  BOOST_TEST(plan->agents[0].requests[2].target == "/api/v1/nodes/{node}");
  BOOST_TEST(plan->agents[0].requests[2].body == R"({"metadata":{"labels":{"example.com/a":""}}})");
  BOOST_TEST(plan->agents[0].pools.size() == 3U);
  BOOST_TEST(plan->control_plane.version.text() == "1.31.4");
}

namespace {

constexpr const char* nodes_text = R"(apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Node
  metadata: {name: cp-1, labels: {node-role.kubernetes.io/control-plane: "", kubernetes.io/os: linux}}
  spec: {taints: [{key: node-role.kubernetes.io/control-plane, effect: NoSchedule}]}
  status: {nodeInfo: {kubeletVersion: v1.31.4}}
- apiVersion: v1
  kind: Node
  metadata: {name: a-1, labels: {eks.amazonaws.com/nodegroup: blue, kubernetes.io/os: linux, disk: ssd}}
  status: {nodeInfo: {kubeletVersion: v1.31.4}}
- apiVersion: v1
  kind: Node
  metadata: {name: a-2, labels: {eks.amazonaws.com/nodegroup: blue, kubernetes.io/os: linux}}
  spec: {taints: [{key: node.kubernetes.io/unschedulable, effect: NoSchedule}]}
  status: {nodeInfo: {kubeletVersion: v1.31.4}}
- apiVersion: v1
  kind: Node
  metadata: {name: w-1, labels: {eks.amazonaws.com/nodegroup: windows, kubernetes.io/os: windows}}
  status: {nodeInfo: {kubeletVersion: v1.31.4}}
)";

// A DaemonSet that mounts the kubelet's kubeconfig; `placing` are fields of its pods' spec.
std::string daemon_set(const std::string& name, const std::string& image, const std::string& placing) {
  return "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: " + name +
         ", namespace: kube-system}\nspec:\n  template:\n    spec:\n      containers: [{name: main, image: " + image +
         "}]\n      volumes: [{name: k, hostPath: {path: /etc/kubernetes/kubelet.conf}}]\n" + placing;
}

DraftQuestion question_with(const std::vector<std::string>& daemon_sets) {
  DraftQuestion out;
  BOOST_REQUIRE(add_manifest({"dump.yaml", nodes_text}, out.cluster).has_value());
  for (const std::string& each : daemon_sets) BOOST_REQUIRE(add_manifest({"ds.yaml", each}, out.cluster).has_value());
  out.name = "dump.yaml";
  out.from = *Version::parse("1.31.4");
  out.to = *Version::parse("1.33.1");
  const Release to = *Release::make(Catalogue::built_in(), out.to, {});
  for (Finding& finding :
       inspect::inspect(out.cluster, Upgrade(Catalogue::built_in(), std::nullopt, to, {})).findings) {
    if (finding.id == "kubelet-credentials") out.with_credentials.push_back(std::move(finding));
  }
  return out;
}

Plan plan_of(const DraftedPlan& draft) {
  Result<Plan> plan = read_plan(draft.plan, "draft.plan.toml", Catalogue::built_in());
  BOOST_REQUIRE_MESSAGE(plan.has_value(), (plan ? "" : plan.error().text()) + "\n" + draft.plan);
  return std::move(*plan);
}

std::string pools_of(const Plan& plan, const Plan::Agent& agent) {
  std::string out;
  for (const std::size_t pool : agent.pools) out += (out.empty() ? "" : " ") + plan.pools[pool].name;
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(daemon_sets_with_the_kubelets_credentials_are_agents_of_their_pools) {
  DraftQuestion question = question_with(
      {daemon_set("flannel", "docker.io/flannel/flannel:v0.26",
                  "      nodeSelector: {kubernetes.io/os: linux}\n      tolerations: [{operator: Exists}]\n"),
       daemon_set("reader", "registry.example/log-reader@sha256:1",
                  "      affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
                  "[{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}]}}}\n"),
       daemon_set("silent", "registry.example/silent", "      nodeSelector: {kubernetes.io/os: windows}\n"),
       daemon_set("nowhere", "registry.example/nowhere", "      nodeSelector: {kubernetes.io/os: plan9}\n")});
  question.agents = {{.user_agent = "log-reader/v1", .rights = {}, .requests = {"GET /api/v1/pods"}},
                     {.user_agent = "other/v1", .rights = {}, .requests = {"GET /api/v1/services"}}};
  const auto draft = draft_plan(Catalogue::built_in(), question, "");
  BOOST_REQUIRE(draft.has_value());
  const Plan plan = plan_of(*draft);
  BOOST_REQUIRE_EQUAL(plan.agents.size(), 3U);
  BOOST_TEST(plan.agents[0].name == "flannel");
  BOOST_TEST(pools_of(plan, plan.agents[0]) == "blue control-plane");
  BOOST_REQUIRE_EQUAL(plan.agents[0].requests.size(), 2U);
  BOOST_TEST(plan.agents[0].requests[0].target == "/api/v1/nodes");
  // The log knows better than its name.
  BOOST_TEST(plan.agents[1].name == "reader");
  BOOST_TEST(pools_of(plan, plan.agents[1]) == "blue");
  BOOST_REQUIRE_EQUAL(plan.agents[1].requests.size(), 1U);
  BOOST_TEST(plan.agents[1].requests[0].target == "/api/v1/pods");
  BOOST_TEST(plan.agents[2].name == "other");
  BOOST_TEST(pools_of(plan, plan.agents[2]) == "blue control-plane windows");
  for (const char* told :
       {"# Its pods fit 1 of 2 nodes of pool blue",
        "# DaemonSet kube-system/silent, with the credentials of nodes. What", "# pool = [\"windows\"]",
        "# DaemonSet kube-system/nowhere, with the credentials of nodes: its pods fit no Node."}) {
    BOOST_TEST(draft->plan.find(told) != std::string::npos, told << " is not in\n" << draft->plan);
  }
}

BOOST_AUTO_TEST_CASE(a_daemon_set_fits_nodes_with_the_taints_that_its_controller_lets_it_tolerate) {
  const DraftQuestion question =
      question_with({daemon_set("flannel", "flannel", "      nodeSelector: {kubernetes.io/os: linux}\n")});
  const auto draft = draft_plan(Catalogue::built_in(), question, "");
  BOOST_REQUIRE(draft.has_value());
  const Plan plan = plan_of(*draft);
  BOOST_REQUIRE_EQUAL(plan.agents.size(), 1U);
  // The node that takes no new pods is one of them; the control plane's is not.
  BOOST_TEST(pools_of(plan, plan.agents[0]) == "blue");
  BOOST_TEST(draft->plan.find("Its pods fit") == std::string::npos, draft->plan);
}

BOOST_AUTO_TEST_CASE(the_control_plane_goes_first_and_pools_that_are_too_old_before_it) {
  const std::vector<CountedPool> pools = {{"new", 2, *Version::parse("1.31.4"), {}},
                                          {"old", 2, *Version::parse("1.28.0"), {}}};
  const auto steps = upgrade_steps(Catalogue::built_in(), pools, *Version::parse("1.31.4"), *Version::parse("1.33.1"));
  BOOST_REQUIRE(steps.has_value());
  BOOST_TEST(in_short(*steps) ==
             "old 1.31.4, servers 1.32.0, new 1.32.0, old 1.32.0, servers 1.33.1, new 1.33.1, old 1.33.1");
}

BOOST_AUTO_TEST_CASE(a_pool_outside_the_skew_policy_is_an_error) {
  const std::vector<CountedPool> pools = {{"ancient", 1, *Version::parse("1.25.0"), {}}};
  BOOST_TEST(
      !upgrade_steps(Catalogue::built_in(), pools, *Version::parse("1.31.4"), *Version::parse("1.33.1")).has_value());
  BOOST_TEST(
      !upgrade_steps(Catalogue::built_in(), {}, *Version::parse("1.33.1"), *Version::parse("1.33.1")).has_value());
}

BOOST_AUTO_TEST_CASE(a_cluster_without_nodes_gives_no_plan) {
  DraftQuestion question = sample_question();
  question.cluster.objects.clear();
  BOOST_TEST(!draft_plan(Catalogue::built_in(), question, "").has_value());
}

BOOST_AUTO_TEST_SUITE_END()
