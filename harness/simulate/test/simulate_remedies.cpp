#include <boost/test/unit_test.hpp>
#include <string_view>

#include "harness/simulate/findings/trial_plan.h"
#include "harness/simulate/plan/plan_size.h"
#include "harness/simulate/plan/representatives.h"
#include "harness/simulate/test/simulated_plan.h"
#include "harness/test/sanitizers.h"

BOOST_AUTO_TEST_SUITE(simulate_remedies)

using namespace nodebound;
using namespace nodebound::simulate;
using test::begin_at;
using test::plan_of;
using test::simulated;

namespace {

std::string agent(const std::string& name, const std::string& request, const std::string& pool = "blue") {
  return "[[agent]]\nname = \"" + name + "\"\npool = \"" + pool + "\"\nrequests = [\"" + request + "\"]\n";
}

std::string pool(const std::string& name, const std::string& release, int nodes = 2) {
  return "[[pool]]\nname = \"" + name + "\"\nkubelet = \"" + release + "\"\nnodes = " + std::to_string(nodes) + "\n";
}

const std::string upgrade = "[[step]]\nat = \"+1h\"\ncontrol-plane = { release = \"1.32.0\" }\n";

}  // namespace

BOOST_AUTO_TEST_CASE(the_obvious_selector_is_tried_and_offered_first) {
  const Simulation simulation = simulated(begin_at("1.31.0") + agent("nodes", "GET /api/v1/nodes") +
                                          agent("pods", "GET /api/v1/pods?limit=500") + upgrade);
  BOOST_REQUIRE_EQUAL(simulation.steps[1].findings.size(), 2U);
  BOOST_TEST(simulation.steps[1].findings[0].avoided_by.front() ==
             "fieldSelector=metadata.name=<node> in the request, at every release of the plan");
  BOOST_TEST(simulation.steps[1].findings[1].avoided_by.front() ==
             "fieldSelector=spec.nodeName=<node> in the request, at every release of the plan");
  BOOST_TEST(simulation.steps[1].findings[1].advice.find("fieldSelector=spec.nodeName=NODE") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_gate_says_until_which_release_it_puts_off) {
  // A request that names the Node of another node cannot be narrowed.
  const Simulation simulation = simulated(begin_at("1.31.0") + agent("reader", "GET /api/v1/nodes/other") + upgrade);
  BOOST_REQUIRE_EQUAL(simulation.steps[1].findings.size(), 1U);
  BOOST_REQUIRE_EQUAL(simulation.steps[1].findings[0].avoided_by.size(), 1U);
  BOOST_TEST(simulation.steps[1].findings[0].avoided_by[0] ==
             "feature gate AuthorizeNodeWithSelectors off from step 1 on, until 1.34");
}

BOOST_AUTO_TEST_CASE(findings_of_one_rule_share_their_trials) {
  const auto trials_of = [](int agents) {
    std::string text = begin_at("1.31.0");
    for (int i = 0; i < agents; ++i) text += agent("agent-" + std::to_string(i), "GET /api/v1/nodes");
    std::size_t trials = 0;
    const auto count = [&](const SimulationState& state) { trials = state.remedies ? state.trials + 1 : trials; };
    const Simulation simulation = *simulate_on_reference(plan_of(text + upgrade), Catalogue::built_in(), count);
    for (const Simulation::Finding& finding : simulation.steps[1].findings) BOOST_TEST(finding.avoided_by.size() == 1U);
    BOOST_TEST(simulation.steps[1].findings.size() == static_cast<std::size_t>(agents));
    return trials;
  };
  BOOST_TEST(trials_of(1) == trials_of(12));
}

BOOST_AUTO_TEST_CASE(a_trial_has_those_alone_that_are_touched_and_little_time) {
  const Plan plan =
      plan_of(begin_at("1.31.0", "nodes = 300\npods = 20\n") + pool("green", "1.31.0", 300) +
              agent("a", "GET /api/v1/nodes", "green") + agent("b", "GET /api/v1/nodes") + upgrade +
              "[[step]]\nat = \"+2d\"\npools = [{ name = \"green\", kubelet = \"1.32.0\", at-once = 1, "
              "apart = \"1h\" }]\n[[step]]\nat = \"+40d\"\npools = [{ name = \"blue\", kubelet = \"1.32.0\" }]\n");
  TrialScope scope;
  scope.add(plan, "agent a");
  const Plan trial = trial_of(plan, scope);
  BOOST_REQUIRE_EQUAL(trial.pools.size(), 1U);
  BOOST_TEST(trial.pools[0].name == "green");
  BOOST_TEST(trial.pools[0].nodes.size() == 2U);
  BOOST_REQUIRE_EQUAL(trial.agents.size(), 1U);
  BOOST_TEST(trial.agents[0].pools == std::vector<std::size_t>{0}, boost::test_tools::per_element());
  BOOST_REQUIRE_EQUAL(trial.steps.size(), 3U);
  BOOST_TEST(std::get<Plan::ChangePool>(trial.steps[1].actions.at(0)).pool == 0U);
  BOOST_TEST(trial.steps[2].actions.empty());
  BOOST_TEST((end_of_last_change(trial) < std::chrono::hours(1)));
  BOOST_TEST(matters(plan.steps[0], scope));
  BOOST_TEST(matters(plan.steps[1], scope));
  BOOST_TEST(!matters(plan.steps[2], scope));
}

BOOST_AUTO_TEST_CASE(time_stays_where_credentials_run_out) {
  const Plan plan = plan_of(begin_at("1.31.0") +
                            "[certificates]\nclient-ca-ends = \"+90d\"\n[[step]]\nat = \"+40d\"\n"
                            "control-plane = { release = \"1.32.0\" }\n");
  BOOST_TEST((trial_of(plan, TrialScope::all_of(plan)).steps[0].at == std::chrono::hours(24 * 40)));
}

BOOST_AUTO_TEST_CASE(no_plan_is_begun_that_would_not_come_to_its_end) {
  const auto error_of = [](const std::string& text) {
    const Result<Simulation> out = simulate_without_remedies(plan_of(text), Catalogue::built_in());
    return out ? "none" : out.error().text();
  };
  const std::string slow =
      "[[step]]\nat = \"+1h\"\ncontrol-plane = { release = \"1.32.0\" }\n[[step]]\nat = \"+2h\"\n"
      "pools = [{ name = \"blue\", kubelet = \"1.32.0\", at-once = 1, apart = \"400d\" }]\n";
  const std::string long_one = error_of(begin_at("1.31.0", "nodes = 9\n") + slow);
  BOOST_TEST(long_one.starts_with("plan.toml:11: the plan lasts 3200d3h and takes about "), long_one);
  BOOST_TEST(long_one.find("this step goes on for 3200d: expected a shorter `apart`") != std::string::npos, long_one);
  const std::string busy = error_of(begin_at("1.31.0", "nodes = 300\n") +
                                    "[[agent]]\nname = \"a\"\npool = \"blue\"\nevery = \"1s\"\nrequests = [\"GET "
                                    "/api/v1/nodes\"]\n[[step]]\nat = \"+20d\"\ndelete = [\"nodes/blue-1\"]\n");
  BOOST_TEST(busy.find("most are of agent a, every 1s") != std::string::npos, busy);
  const Result<Plan> for_ever =
      read_plan(begin_at("1.31.0", "nodes = 300\n") + slow, "plan.toml", Catalogue::built_in());
  BOOST_REQUIRE(!for_ever);
  BOOST_TEST(for_ever.error().text().starts_with("plan.toml:13:"), for_ever.error().text());
  BOOST_TEST(for_ever.error().text().find("longer than the ten years") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(where_there_are_many_pools_fewer_nodes_of_each_are_simulated) {
  BOOST_TEST(most_nodes_of_a_pool(1) == 32U);
  BOOST_TEST(most_nodes_of_a_pool(5) == 32U);
  BOOST_TEST(most_nodes_of_a_pool(20) == 8U);
  BOOST_TEST(most_nodes_of_a_pool(1000) == 4U);
}

BOOST_AUTO_TEST_CASE(slices_are_round_and_whole_rounds_of_heartbeats) {
  for (const char* at : {"+1h", "+19h", "+77h", "+13d", "+40d"}) {
    if (sanitized && std::string_view(at).ends_with("d")) continue;
    const Plan plan =
        plan_of(begin_at("1.31.0", "nodes = 1\n") + "[[step]]\nat = \"" + at + "\"\ndelete = [\"nodes/x\"]\n");
    const Simulation simulation = *simulate_without_remedies(plan, Catalogue::built_in());
    BOOST_TEST(simulation.slice % std::chrono::minutes(5) == Plan::Time(0), at);
    BOOST_TEST(simulation.length / simulation.slice <= 240, at);
  }
}

BOOST_AUTO_TEST_SUITE_END()
