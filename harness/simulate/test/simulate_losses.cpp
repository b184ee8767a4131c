#include <boost/test/unit_test.hpp>

#include "harness/simulate/control_plane/os_labels.h"
#include "harness/simulate/test/simulated_plan.h"

BOOST_AUTO_TEST_SUITE(simulate_losses)

using namespace nodebound;
using namespace nodebound::simulate;
using test::begin_at;
using test::simulated;
using What = Simulation::Loss::What;

namespace {

const std::string agent = "[[agent]]\nname = \"monitoring\"\npool = \"blue\"\nrequests = [\"GET /api/v1/nodes\"]\n";

std::string step(int hour, const std::string& body) {
  return "[[step]]\nat = \"+" + std::to_string(hour) + "h\"\n" + body + "\n";
}

std::string logging(const std::string& selector) {
  return "[[daemonset]]\nname = \"logging\"\nnamespace = \"kube-system\"\nnode-selector = { " + selector +
         " }\ntolerations = [{ operator = \"Exists\" }]\n";
}

Release at(const char* version) {
  return Release::make(Catalogue::built_in(), *Version::parse(version), {}).value();
}

Object node_with(const Object& labels) {
  return {{"metadata", {{"labels", labels}}}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_plan_that_begins_with_dead_nodes_says_so_and_why) {
  const Simulation simulation = simulated(
      begin_at("1.31.0", "nodes = 40\npods = 2\nnode-labels = { \"node-role.kubernetes.io/worker\" = \"\" }\n") +
      step(1, "control-plane = { release = \"1.32.0\" }"));
  BOOST_TEST(begins_broken(simulation));
  BOOST_TEST(!breaks_something(simulation));
  BOOST_REQUIRE_EQUAL(simulation.steps[0].losses.size(), 1U);
  const Simulation::Loss& loss = simulation.steps[0].losses[0];
  BOOST_TEST((loss.what == What::nodes_not_ready));
  BOOST_TEST(loss.who == "pool blue");
  BOOST_TEST(loss.count == 40U);
  BOOST_TEST(loss.of == 40U);
  BOOST_TEST(loss.pods == 80U);
  BOOST_TEST(loss.cause.starts_with("kubelet 1.31.0 exits: unknown 'kubernetes.io'"), loss.cause);
  BOOST_TEST(loss.advice.starts_with("Take the labels that it names out of --node-labels"));
  BOOST_TEST(!loss.healed.has_value());
  BOOST_REQUIRE(!simulation.not_ready.empty());
  BOOST_TEST((simulation.not_ready[0].at == Plan::Time(0)));
  BOOST_TEST(simulation.not_ready[0].nodes == 40U);
}

BOOST_AUTO_TEST_CASE(a_plan_begins_broken_where_an_agent_is_refused_all_along) {
  BOOST_TEST(begins_broken(simulated(begin_at("1.34.0") + agent)));
  BOOST_TEST(!begins_broken(simulated(begin_at("1.31.0") + agent)));
}

BOOST_AUTO_TEST_CASE(nodes_that_go_not_ready_have_cause_remedy_and_time_of_healing) {
  const std::string bad = "pools = [{ name = \"blue\", kubelet = \"1.16.0\" }]";
  const std::string good =
      "pools = [{ name = \"blue\", kubelet = \"1.16.0\", node-labels = { \"example.com/a\" = \"b\" } }]";
  const Simulation simulation = simulated(
      begin_at("1.15.0", "nodes = 4\npods = 1\nnode-labels = { \"node-role.kubernetes.io/worker\" = \"\" }\n") +
      step(1, "control-plane = { release = \"1.16.0\" }") + step(2, bad) + step(4, good));
  BOOST_TEST(!begins_broken(simulation));
  BOOST_REQUIRE_EQUAL(simulation.steps[2].losses.size(), 1U);
  const Simulation::Loss& loss = simulation.steps[2].losses[0];
  BOOST_TEST(loss.count == 4U);
  BOOST_TEST(loss.cause.starts_with("kubelet 1.16.0 exits"), loss.cause);
  BOOST_REQUIRE(loss.healed.has_value());
  BOOST_TEST(loss.healed_by_plan);
  BOOST_TEST((*loss.healed >= std::chrono::hours(4) && *loss.healed <= std::chrono::minutes(250)));
  BOOST_TEST((loss.first >= std::chrono::minutes(110) && loss.first <= std::chrono::hours(2)));
  // The later step restarts the kubelets with those labels, whenever it happens.
  BOOST_TEST(loss.avoided_by.empty());
  BOOST_TEST(!loss.advice.empty());
}

BOOST_AUTO_TEST_CASE(nodes_whose_heartbeats_are_refused_have_that_as_their_cause) {
  const Simulation simulation = simulated(
      begin_at("1.31.0", "nodes = 2\nuser = \"kubelet-{node}\"\ngroups = [\"outsiders\"]\n") +
      "[[object]]\napiVersion = \"rbac.authorization.k8s.io/v1\"\nkind = \"ClusterRoleBinding\"\nmetadata = { name = "
      "\"outsiders\" }\nroleRef = { apiGroup = \"rbac.authorization.k8s.io\", kind = \"ClusterRole\", name = "
      "\"cluster-admin\" }\nsubjects = [{ apiGroup = \"rbac.authorization.k8s.io\", kind = \"Group\", name = "
      "\"outsiders\" }]\n" +
      step(1, "delete = [\"clusterrolebindings/outsiders\"]"));
  BOOST_REQUIRE_EQUAL(simulation.steps[1].losses.size(), 1U);
  const Simulation::Loss& loss = simulation.steps[1].losses[0];
  BOOST_TEST(loss.cause.find("is refused, HTTP 403 by rule rbac-resource") != std::string::npos, loss.cause);
  BOOST_TEST(!loss.advice.empty());
}

BOOST_AUTO_TEST_CASE(a_daemon_set_that_loses_nodes_says_what_keeps_it_off) {
  const Simulation simulation = simulated(
      begin_at("1.31.0", "nodes = 4\n") + logging("\"kubernetes.io/os\" = \"linux\"") +
      step(1, "daemonsets = [{ name = \"logging\", node-selector = { \"example.com/logging\" = \"yes\" } }]") +
      step(3, "label-nodes = [{ pool = \"blue\", labels = { \"example.com/logging\" = \"yes\" } }]"));
  BOOST_TEST(simulation.steps[1].health.pods_lost == std::vector<std::string>{"daemonset logging: 0 of 4 nodes"},
             boost::test_tools::per_element());
  BOOST_REQUIRE_EQUAL(simulation.steps[1].losses.size(), 1U);
  const Simulation::Loss& loss = simulation.steps[1].losses[0];
  BOOST_TEST(loss.who == "daemonset logging");
  BOOST_TEST(loss.count == 4U);
  BOOST_TEST(loss.cause == "its node has no label example.com/logging=yes", loss.cause);
  BOOST_REQUIRE(loss.healed.has_value());
  BOOST_TEST((*loss.healed >= std::chrono::hours(3) && *loss.healed <= std::chrono::minutes(190)));
  BOOST_REQUIRE_EQUAL(loss.avoided_by.size(), 1U);
  BOOST_TEST(loss.avoided_by[0].starts_with("step 1 (daemonset logging: other node selector) after step 2"));
}

BOOST_AUTO_TEST_CASE(labels_of_os_and_arch_are_copied_by_the_controller_of_the_release) {
  const Object beta = {{"beta.kubernetes.io/os", "linux"}, {"beta.kubernetes.io/arch", "amd64"}};
  const Object stable = {{"kubernetes.io/os", "linux"}, {"kubernetes.io/arch", "amd64"}};
  BOOST_TEST(copied_os_labels(at("1.13.12"), node_with(beta)).is_null());
  BOOST_TEST(copied_os_labels(at("1.14.0"), node_with(beta)) == stable);
  BOOST_TEST(copied_os_labels(at("1.18.20"), node_with(stable)).is_null());
  BOOST_TEST(copied_os_labels(at("1.19.0"), node_with(stable)) == beta);
  BOOST_TEST(copied_os_labels(at("1.37.0"), node_with(beta)).is_null());
  Object both = beta;
  both.update(stable);
  BOOST_TEST(copied_os_labels(at("1.30.0"), node_with(both)).is_null());
  both["kubernetes.io/os"] = "windows";
  const Object to_stable = {{"kubernetes.io/os", "linux"}};
  const Object to_beta = {{"beta.kubernetes.io/os", "windows"}};
  BOOST_TEST(copied_os_labels(at("1.18.0"), node_with(both)) == to_stable);
  BOOST_TEST(copied_os_labels(at("1.19.0"), node_with(both)) == to_beta);
}

BOOST_AUTO_TEST_CASE(a_daemon_set_keeps_its_nodes_where_a_controller_copies_the_label) {
  // Kubelets of 1.13 set only the beta label.
  const std::string plan = begin_at("1.13.0", "nodes = 4\n") + logging("\"beta.kubernetes.io/os\" = \"linux\"");
  const std::string stable =
      "daemonsets = [{ name = \"logging\", node-selector = { \"kubernetes.io/os\" = \"linux\" } }]";
  const Simulation with = simulated(plan + step(1, "control-plane = { release = \"1.14.0\" }\n" + stable));
  BOOST_TEST(with.steps[1].health.pods_lost.empty());
  BOOST_TEST(with.steps[1].losses.empty());
  const Simulation without = simulated(plan + step(1, stable));
  BOOST_REQUIRE_EQUAL(without.steps[1].health.pods_lost.size(), 1U);
}

BOOST_AUTO_TEST_CASE(a_simulation_says_what_it_leaves_out) {
  BOOST_TEST(!simulated(begin_at("1.31.0")).not_simulated.empty());
}

BOOST_AUTO_TEST_SUITE_END()
