#include <boost/test/unit_test.hpp>

#include "harness/simulate/findings/expectations.h"
#include "harness/simulate/simulation.h"

BOOST_AUTO_TEST_SUITE(simulate_servers)

using namespace nodebound;
using namespace nodebound::simulate;
using namespace std::chrono_literals;

namespace {

const Catalogue& catalogue = Catalogue::built_in();

// A plan with so many API servers and one agent on each node, followed by the given text.
std::string plan_text(const std::string& rest, const std::string& kubelet = "1.31.0", const char* servers = "2",
                      const std::string& requests = "\"GET /api/v1/nodes\"") {
  return "title = \"t\"\n[control-plane]\nrelease = \"1.31.0\"\nservers = " + std::string(servers) +
         "\n[[pool]]\nname = \"blue\"\nnodes = 4\npods = 1\nkubelet = \"" + kubelet +
         "\"\n[[agent]]\nname = \"a\"\npool = \"blue\"\nrequests = [" + requests + "]\n" + rest;
}

std::string step(const std::string& at, const std::string& control_plane) {
  return "[[step]]\nat = \"" + at + "\"\ncontrol-plane = { " + control_plane + " }\n";
}

Simulation simulated(const std::string& text) {
  const Result<Plan> plan = read_plan(text, "plan.toml", catalogue);
  if (!plan) BOOST_FAIL(plan.error().text());
  Result<Simulation> out = simulate_without_remedies(*plan, catalogue);
  if (!out) BOOST_FAIL(out.error().text());
  return std::move(*out);
}

std::string mistake_in(const std::string& text) {
  const Result<Plan> plan = read_plan(text, "plan.toml", catalogue);
  return plan ? "no mistake" : plan.error().text();
}

void expect_mistake(const std::string& text, const std::string& line, const std::string& what) {
  const std::string found = mistake_in(text);
  BOOST_TEST(found.starts_with("plan.toml:" + line + ":"), found);
  BOOST_TEST(found.find(what) != std::string::npos, found);
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_one_of_two_servers_refuses_is_one_finding_that_names_it) {
  const Simulation simulation = simulated(
      plan_text(step("+1h", "release = \"1.32.0\", only = [1]") + step("+6h", "release = \"1.32.0\", only = [2]")));
  BOOST_REQUIRE_EQUAL(simulation.steps[1].findings.size(), 1U);
  const Simulation::Finding& finding = simulation.steps[1].findings[0];
  BOOST_TEST(finding.rule == "node-read-not-all");
  BOOST_TEST(finding.nodes == 4U);
  BOOST_TEST(finding.refused_by == std::vector<std::string>{"1.32.0"}, boost::test_tools::per_element());
  BOOST_TEST(finding.allowed_by == std::vector<std::string>{"1.31.0"}, boost::test_tools::per_element());
  BOOST_TEST((finding.by_all == Simulation::Time(6h)));
  BOOST_TEST(!finding.healed.has_value());
  BOOST_TEST(simulation.steps[2].findings.empty());
}

BOOST_AUTO_TEST_CASE(it_heals_when_the_server_that_refuses_goes_back) {
  const Simulation simulation = simulated(plan_text(step("+1h", "release = \"1.32.0\", only = [1]") +
                                                    step("+6h", "release = \"1.31.0\", only = [1], downgrade = true")));
  BOOST_REQUIRE_EQUAL(simulation.steps[1].findings.size(), 1U);
  const Simulation::Finding& finding = simulation.steps[1].findings[0];
  BOOST_TEST(!finding.by_all.has_value());
  BOOST_REQUIRE(finding.healed.has_value());
  BOOST_TEST((*finding.healed >= 6h && *finding.healed <= 6h + 10min));
  BOOST_TEST(finding.healed_by_plan);
}

BOOST_AUTO_TEST_CASE(servers_of_one_version_are_named_by_their_flags) {
  const Simulation simulation =
      simulated(plan_text(step("+1h", "release = \"1.32.0\", feature-gates = { AuthorizeNodeWithSelectors = false }") +
                          step("+2h", "feature-gates = {}, only = [2]")));
  BOOST_TEST(simulation.steps[1].findings.empty());
  BOOST_REQUIRE_EQUAL(simulation.steps[2].findings.size(), 1U);
  const Simulation::Finding& finding = simulation.steps[2].findings[0];
  BOOST_TEST(finding.refused_by.at(0) == "1.32.0 with its defaults");
  BOOST_TEST(finding.allowed_by.at(0) == "1.32.0 with AuthorizeNodeWithSelectors=false");
}

BOOST_AUTO_TEST_CASE(expectations_say_which_servers_refuse) {
  const auto wrong_with = [](const std::string& refused_by) {
    const std::string expect =
        "[[expect]]\nstep = 1\nwho = \"agent a\"\nrequest = \"list nodes\"\nrule = "
        "\"node-read-not-all\"\n" +
        refused_by;
    const auto plan = read_plan(plan_text(step("+1h", "release = \"1.32.0\", only = [1]") + expect), "p", catalogue);
    BOOST_REQUIRE(plan);
    return unexpected(*plan, *simulate_without_remedies(*plan, catalogue)).size();
  };
  BOOST_TEST(wrong_with("refused-by = [\"1.32.0\"]\n") == 0U);
  BOOST_TEST(wrong_with("refused-by = [\"1.31.0\"]\n") == 2U);
  BOOST_TEST(wrong_with("") == 2U);
}

BOOST_AUTO_TEST_CASE(servers_are_replaced_one_after_the_other_and_counted_by_version) {
  const Simulation simulation =
      simulated(plan_text(step("+1h", "release = \"1.32.0\", at-once = 2, apart = \"30m\""), "1.31.0", "3"));
  std::vector<std::tuple<std::int64_t, std::string, std::size_t>> told;
  for (const auto& change : simulation.versions) {
    if (change.pool.empty()) told.emplace_back(change.at / 1min, change.version, change.members);
  }
  const std::vector<std::tuple<std::int64_t, std::string, std::size_t>> expected = {
      {0, "1.31.0", 3}, {60, "1.31.0", 1}, {60, "1.32.0", 2}, {90, "1.31.0", 0}, {90, "1.32.0", 3}};
  BOOST_TEST((told == expected));
  BOOST_TEST((simulation.length == 150min));
  BOOST_TEST(simulation.steps[1].what == "control plane 1.31.0 → 1.32.0");
}

BOOST_AUTO_TEST_CASE(several_servers_come_to_the_same_bytes_each_time) {
  const std::string text = plan_text(step("+1h", "release = \"1.32.0\", only = [1]"));
  BOOST_TEST(to_json(simulated(text)) == to_json(simulated(text)));
}

BOOST_AUTO_TEST_CASE(plans_outside_the_skew_policy_are_refused_with_their_line) {
  const auto pools = [](const std::string& at, const std::string& kubelet) {
    return "[[step]]\nat = \"" + at + "\"\npools = [{ name = \"blue\", kubelet = \"" + kubelet + "\" }]\n";
  };
  const std::string first = step("+1h", "release = \"1.32.0\", only = [1]");
  const std::string rolling = step("+1h", "release = \"1.32.0\", at-once = 1, apart = \"1h\"");
  expect_mistake(plan_text(first + pools("+2h", "1.32.0")), "19", "kubelets 1.32.0 at a control plane 1.31.0");
  expect_mistake(plan_text(rolling + pools("+1h30m", "1.32.0")), "19", "a kubelet is never newer");
  BOOST_TEST(mistake_in(plan_text(rolling + pools("+2h", "1.32.0"))) == "no mistake");
  expect_mistake(plan_text(first + step("+2h", "release = \"1.33.0\", only = [1]")), "19",
                 "these would be 1.31.0 and 1.33.0");
  expect_mistake(plan_text(rolling + step("+1h30m", "release = \"1.33.0\"")), "19", "not all replaced yet");
  // The newest of the coming servers does not support the oldest kubelets.
  expect_mistake(plan_text(first, "1.28.0"), "16", "the oldest is 1.29");
  expect_mistake(plan_text(rolling, "1.28.0"), "16", "the oldest is 1.29");
  expect_mistake(plan_text(first + step("+2h", "release = \"1.31.0\"")), "19", "downgrade = true");
  // Two of four kubelets are still of 1.28.
  const std::string kubelets =
      "[[step]]\nat = \"+1h\"\npools = [{ name = \"blue\", kubelet = \"1.29.0\", at-once = 2, apart = \"1h\" }]\n";
  expect_mistake(plan_text(kubelets + step("+1h30m", "release = \"1.32.0\", only = [1]"), "1.28.0"), "19",
                 "kubelets 1.28.0 at a control plane 1.32.0");
  BOOST_TEST(mistake_in(plan_text(kubelets + step("+2h", "release = \"1.32.0\""), "1.28.0")) == "no mistake");
}

BOOST_AUTO_TEST_CASE(changes_of_one_pool_do_not_overlap) {
  const auto roll = [](const std::string& at, const std::string& rest) {
    return "[[step]]\nat = \"" + at + "\"\npools = [{ name = \"blue\", at-once = 2, apart = \"1h\", " + rest + " }]\n";
  };
  // Four nodes, two at a time: complete after an hour.
  const std::string first = roll("+1h", "kubelet = \"1.31.1\"");
  expect_mistake(plan_text(first + roll("+1h30m", "kubelet = \"1.31.2\"")), "19",
                 "is still being changed by a step above");
  BOOST_TEST(mistake_in(plan_text(first + roll("+2h", "kubelet = \"1.31.2\""))) == "no mistake");
}

BOOST_AUTO_TEST_CASE(what_is_said_of_servers_is_checked) {
  expect_mistake(plan_text("", "1.31.0", "0"), "4", "from 1 to 9");
  expect_mistake(plan_text(step("+1h", "only = [3]")), "16", "each from 1 to 2");
  expect_mistake(plan_text(step("+1h", "only = [1, 1]")), "16", "is there already");
  expect_mistake(plan_text(step("+1h", "only = []")), "16", "a list of numbers");
  expect_mistake(plan_text(step("+1h", "servers = 3")), "16", "servers");
  expect_mistake(plan_text(step("+1h", "at-once = 0")), "16", "a number of API servers above 0");
}

BOOST_AUTO_TEST_CASE(two_requests_of_an_agent_do_not_heal_one_another) {
  // The first request is refused from 1.32 on; the second one asks for the agent's own object, with the same verb and
  // resource.
  const std::string requests = R"("GET /api/v1/pods", "GET /api/v1/pods?fieldSelector=spec.nodeName%3D{node}")";
  const Simulation simulation = simulated(
      plan_text(step("+1h", "release = \"1.32.0\"") + step("+3h", "release = \"1.32.1\""), "1.31.0", "1", requests));
  BOOST_REQUIRE_EQUAL(simulation.steps[1].findings.size(), 1U);
  BOOST_TEST(!simulation.steps[1].findings[0].healed.has_value());
  BOOST_TEST(simulation.steps[1].findings[0].refused_by.empty());
  BOOST_TEST(simulation.steps[2].findings.empty());
}

BOOST_AUTO_TEST_SUITE_END()
