#include "reports/simulation/simulation.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "reference/test/project_paths.h"
#include "reports/test/schema.h"
#include "reports/test/simulation_sample.h"

BOOST_AUTO_TEST_SUITE(reports_simulation)

using namespace nodebound;
using namespace std::chrono_literals;
using Json = nlohmann::json;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string last_line(const Simulation& simulation) {
  const std::string text = to_terminal(simulation, {});
  return text.substr(text.rfind('\n', text.size() - 2) + 1);
}

std::vector<std::string> against_schema(const Simulation& simulation) {
  std::ifstream schema(project::file("reports/simulation/simulation.schema.json"));
  return test::violations(Json::parse(schema), Json::parse(to_json(simulation)));
}

}  // namespace

BOOST_AUTO_TEST_CASE(times_are_short_and_exact) {
  BOOST_TEST(to_text(0s) == "+0s");
  BOOST_TEST(to_text(90min) == "+1h30m");
  BOOST_TEST(to_text(48h) == "+2d");
  BOOST_TEST(to_text(25h + 61s + 7ms) == "+1d1h1m1s7ms");
  BOOST_TEST(to_text(-90min) == "-1h30m");
  BOOST_TEST(to_text(Simulation::Time::min()) == "-106751991167d7h12m55s808ms");
}

BOOST_AUTO_TEST_CASE(what_was_refused_before_is_not_broken_by_the_plan) {
  Simulation before = test::simulation();
  before.steps.resize(1);
  before.steps[0].health.nodes_not_ready = 2;
  before.steps[0].health.pods_lost = {"daemonset logging: 1 of 4 nodes"};
  BOOST_TEST(!breaks_something(before));
  BOOST_TEST(begins_broken(before));
  BOOST_TEST(!breaks_something(Simulation()));
  BOOST_TEST(!begins_broken(Simulation()));
  BOOST_TEST(breaks_something(test::simulation()));
}

BOOST_AUTO_TEST_CASE(a_plan_begins_broken_by_nodes_pods_and_agents_that_are_refused_until_its_first_step) {
  Simulation begin;
  begin.steps = {test::step(0, "", 0s)};
  begin.steps[0].findings = {test::finding("pool blue", "watch volumeattachments", "object-get-only")};
  BOOST_TEST(!begins_broken(begin));
  begin.steps[0].findings[0].who = "agent a";
  BOOST_TEST(begins_broken(begin));
  begin.steps[0].findings[0].healed = 30min;
  BOOST_TEST(!begins_broken(begin));
  begin.steps[0].findings[0].healed = 2h;
  BOOST_TEST(begins_broken(begin));
  begin.steps[0].findings.clear();
  begin.steps[0].health.nodes_not_ready = 1;
  BOOST_TEST(begins_broken(begin));
  begin.steps[0].health = {12, 0, 360, 1, {}};
  BOOST_TEST(begins_broken(begin));
  BOOST_TEST(last_line(begin) == "✗ begins broken\n");
  begin.steps.push_back(test::step(1, "one", 1h));
  begin.steps[1].findings = {test::finding("agent a", "list nodes", "node-read-own")};
  BOOST_TEST(last_line(begin) == "✗ begins broken, and breaks 1 step of 1\n");
}

BOOST_AUTO_TEST_CASE(a_step_breaks_what_it_costs_and_not_what_is_lost_already) {
  Simulation lost;
  lost.steps = {test::step(0, "", 0s), test::step(1, "one", 1h), test::step(2, "two", 2h)};
  BOOST_TEST(!breaks_something(lost));
  for (Simulation::Step& step : lost.steps) step.health.nodes_not_ready = 2;
  BOOST_TEST(!breaks_something(lost));
  lost.steps[2].health.nodes_not_ready = 3;
  BOOST_TEST(breaks_something(lost));
  lost.steps[2].health.nodes_not_ready = 1;
  BOOST_TEST(!breaks_something(lost));
  lost.steps[1].health.pods_waiting = 1;
  BOOST_TEST(breaks_something(lost));
  BOOST_TEST(last_line(lost) == "✗ begins broken, and breaks 1 step of 2\n");
  lost.steps[0].health.nodes_not_ready = 0;
  BOOST_TEST(last_line(lost) == "✗ breaks 1 step of 2\n");
}

BOOST_AUTO_TEST_CASE(what_somebody_accepts_breaks_nothing) {
  Simulation plan;
  plan.steps = {test::step(0, "", 0s), test::step(1, "one", 1h)};
  plan.steps[0].findings = {test::finding("agent a", "list nodes", "node-read-own")};
  plan.steps[1].findings = {test::finding("agent b", "list nodes", "node-read-own")};
  plan.steps[1].losses.resize(2);
  plan.steps[1].losses[0].who = "pool blue";
  plan.steps[1].losses[1].who = "pool red";
  plan.steps[1].health.nodes_not_ready = 2;
  const auto accept = [&](const std::vector<std::string>& whom) {
    accept_findings(plan, [&](const Finding& finding) {
      return std::ranges::find(whom, finding.who) == whom.end() ? "" : finding.id + " is known <b>";
    });
  };
  accept({"agent b", "pool blue", "pool red"});
  BOOST_TEST(begins_broken(plan));
  BOOST_TEST(last_line(plan) == "✗ begins broken\n");
  accept({"agent a", "agent b", "pool blue"});
  BOOST_TEST(!begins_broken(plan));
  BOOST_TEST(last_line(plan) == "✗ breaks 1 step of 1\n");
  accept({"agent a", "pool blue", "pool red"});
  BOOST_TEST(breaks_something(plan));

  accept({"agent a", "agent b", "pool blue", "pool red"});
  BOOST_TEST(!breaks_something(plan));
  const std::string text = to_terminal(plan, {});
  BOOST_TEST(contains(text, "accepted  node-read-own is known <b>"), text);
  BOOST_TEST(contains(text, "accepted  nodes-not-ready is known <b>"), text);
  BOOST_TEST(contains(text, "4 findings accepted\n✓ breaks nothing but what is accepted\n"), text);
  const std::string page = to_html(plan);
  BOOST_TEST(contains(page, "Accepted: node-read-own is known &lt;b&gt;"));
  BOOST_TEST(!contains(page, "class=\"bad\""));
  BOOST_TEST(contains(to_markdown(plan), "- Accepted: nodes-not-ready is known \\<b\\>\n"));
  const Json json = Json::parse(to_json(plan));
  BOOST_TEST(json["summary"]["accepted"] == 4);
  BOOST_TEST(json["summary"]["breaks"] == false);
  BOOST_TEST(json["steps"][1]["losses"][1]["accepted"] == "nodes-not-ready is known <b>");
  BOOST_TEST(json["findings"][0]["accepted"] == "node-read-own is known <b>");
  BOOST_TEST(against_schema(plan).empty());
}

BOOST_AUTO_TEST_CASE(the_last_line_is_the_verdict) {
  BOOST_TEST(last_line(test::simulation()) == "✗ begins broken, and breaks 2 steps of 2\n");
  Simulation fine = test::simulation();
  fine.steps.resize(2);
  fine.steps[0].findings.clear();
  fine.steps[1].findings.clear();
  BOOST_TEST(last_line(fine) == "✓ breaks nothing\n");
  BOOST_TEST(last_line({}) == "✓ breaks nothing: the plan has no step\n");
}

BOOST_AUTO_TEST_CASE(a_person_reads_each_step_and_what_it_breaks) {
  BOOST_TEST(to_terminal(test::simulation(), {}) ==
             R"(Shop to 1.32
plan      plan.toml
target    reference
lasts     3h, 5000 requests, seed 7

✗ The plan begins broken
    What does not work before its first step, no step can be seen to break.
    agent inventory: list secrets
      refused   HTTP 403, rule rbac-role
      request   GET /api/v1/nodes
      told      nodes is forbidden
      touches   12 nodes with 1 pod, 48 requests from +1h5m to +2h
      heals     not before the plan ends

✗ 1  +1h  control plane 1.31.0 → 1.32.0: breaks
    plan.toml:10
    agent monitoring: list nodes
      refused   HTTP 403, rule node-read-own: A node lists and watches no Nodes
                but its own.
      request   GET /api/v1/nodes
      told      nodes is forbidden
      touches   12 nodes with 1 pod, 48 requests from +1h5m to +2h
      heals     not before the plan ends
      avoided   by giving the agent a ServiceAccount
                or by leaving out step 1
      advice    Agents need an identity of their own.
    pool blue: get pods
      refused   HTTP 403, no rule is known
      request   GET /api/v1/nodes
      told      nodes is forbidden
      touches   12 nodes with 1 pod, 48 requests at +1h5m
      heals     by itself at +1h20m, after 15m

✗ 2  +2h  pool blue 1.31.0 → 1.32.0: breaks
    plan.toml:20
    3 of 12 nodes not ready
    90 of 360 pods waiting on a node that does not run them
    pods lost: daemonset logging: 3 of 12 nodes

- Notes
  The policy allows kubelets of 1.29.

- Not simulated
  Admission webhooks.

2 kinds of requests newly refused, 1 for good
✗ begins broken, and breaks 2 steps of 2
)");
}

BOOST_AUTO_TEST_CASE(many_findings_are_cut_unless_all_are_wanted) {
  Simulation many = test::simulation();
  many.steps[1].findings.assign(50, many.steps[1].findings[1]);
  for (std::size_t i = 0; i < 50; ++i) many.steps[1].findings[i].request = "get pods/" + std::to_string(i);
  BOOST_TEST(contains(to_terminal(many, {}), "    and 30 more (--verbose, or --out DIR)\n"));
  BOOST_TEST(!contains(to_terminal(many, {.verbose = true}), "more (--verbose"));
}

BOOST_AUTO_TEST_CASE(a_finding_of_some_servers_names_them) {
  Simulation simulation = test::simulation();
  BOOST_TEST(!contains(to_terminal(simulation, {}), "API servers"));
  Simulation::Finding& finding = simulation.steps[1].findings[0];
  finding.refused_by = {"1.32.0", "1.32.1"};
  finding.allowed_by = {"1.31.0"};
  const std::string servers = "by the API servers of 1.32.0 and 1.32.1, not by those of 1.31.0";
  BOOST_TEST(contains(to_terminal(simulation, {}), "                " + servers + "\n"));
  finding.by_all = 2h;
  BOOST_TEST(contains(to_terminal(simulation, {}), "by all from +2h on\n"));
  BOOST_TEST(contains(to_html(simulation), servers + "; by all from +2h on"));
  for (const std::string& wrong : against_schema(simulation)) BOOST_ERROR(wrong);
  const Json written = Json::parse(to_json(simulation))["steps"][1]["findings"][0];
  BOOST_TEST(written["refused_by"] == Json::parse(R"(["1.32.0","1.32.1"])"));
  BOOST_TEST(written["by_all_ms"] == 7'200'000);
}

BOOST_AUTO_TEST_CASE(a_finding_says_what_follows) {
  Simulation simulation = test::simulation();
  simulation.steps[1].findings[0].follows = "3 pods evicted from 2 nodes after 5m40s";
  BOOST_TEST(contains(to_terminal(simulation, {}), "follows   3 pods evicted from 2 nodes after 5m40s\n"));
  BOOST_TEST(contains(to_html(simulation), "3 pods evicted from 2 nodes after 5m40s"));
  for (const std::string& wrong : against_schema(simulation)) BOOST_ERROR(wrong);
  BOOST_TEST(Json::parse(to_json(simulation))["steps"][1]["findings"][0].contains("follows"));
}

BOOST_AUTO_TEST_CASE(a_finding_of_kubelets_says_which) {
  Simulation simulation = test::simulation();
  simulation.steps[1].findings[0].kubelets = {"1.30.0", "1.31.2"};
  BOOST_TEST(contains(to_terminal(simulation, {}), "                by kubelets of 1.30.0 and 1.31.2\n"));
  BOOST_TEST(contains(to_html(simulation), "by kubelets of 1.30.0 and 1.31.2"));
  for (const std::string& wrong : against_schema(simulation)) BOOST_ERROR(wrong);
  const Json written = Json::parse(to_json(simulation))["steps"][1]["findings"][0];
  BOOST_TEST(written["kubelets"] == Json::parse(R"(["1.30.0","1.31.2"])"));
}

BOOST_AUTO_TEST_CASE(findings_that_differ_in_who_alone_are_one) {
  Simulation simulation = test::simulation();
  std::vector<Simulation::Finding>& findings = simulation.steps[1].findings;
  const Simulation::Finding one = findings[0];
  findings.clear();
  for (int i = 0; i < 20; ++i) {
    findings.push_back(one);
    findings.back().who = "agent a" + std::to_string(i);
    findings.back().nodes = static_cast<std::size_t>(i);
  }
  findings.push_back(one);
  findings.back().rule = "another-rule";
  const std::string text = to_terminal(simulation, {});
  BOOST_TEST(contains(text, "    agents a0, a1, a2, a3 and 16 more: list nodes\n"));
  BOOST_TEST(contains(text, "touches   each at most 19 nodes with 1 pod, 960 requests from +1h5m to +2h\n"));
  BOOST_TEST(contains(text, "    agent monitoring: list nodes\n"));
  // Advice for one finding is not repeated for another.
  BOOST_TEST(contains(text, "advice    as for agents a0, a1, a2, a3 and 16 more, above\n"));
  BOOST_TEST(Json::parse(to_json(simulation))["steps"][1]["findings"].size() == 21U);
}

BOOST_AUTO_TEST_CASE(a_loss_has_cause_time_and_remedy_like_a_finding) {
  Simulation simulation = test::simulation();
  simulation.steps[2].losses = {test::loss()};
  simulation.not_ready = {{2h, 3}};
  const std::string text = to_terminal(simulation, {});
  BOOST_TEST(contains(text, R"(    pool blue: 3 of 12 nodes not ready, with 90 pods
      cause     kubelet 1.32.0 exits: unknown labels
      since     +1h55m
      heals     with a later step at +2h30m, after 35m
      avoided   by step 2 after step 3
      advice    Take the labels out.
)"),
             text);
  for (const std::string& wrong : against_schema(simulation)) BOOST_ERROR(wrong);
  const Json written = Json::parse(to_json(simulation));
  BOOST_TEST(written["steps"][2]["losses"][0]["what"] == "nodes_not_ready");
  BOOST_TEST(written["not_ready"] == Json::parse(R"([{"at_ms":7200000,"nodes":3}])"));
  Simulation alone;
  alone.steps = {test::step(0, "", 0s), test::step(1, "one", 1h)};
  BOOST_TEST(!breaks_something(alone));
  alone.steps[1].losses = {test::loss()};
  BOOST_TEST(breaks_something(alone));
}

BOOST_AUTO_TEST_CASE(dates_are_shown_where_the_begin_is_known) {
  Simulation simulation = test::simulation();
  using namespace std::chrono;
  simulation.start = sys_days(2026y / December / 31) + 23h + 30min;
  BOOST_TEST(when_text(simulation, 1h) == "+1h, 2027-01-01 00:30Z");
  BOOST_TEST(contains(to_terminal(simulation, {}), "starts    2026-12-31 23:30Z\n"));
  BOOST_TEST(contains(to_terminal(simulation, {}), "    2027-01-01 00:30Z, plan.toml:10\n"));
  for (const std::string& wrong : against_schema(simulation)) BOOST_ERROR(wrong);
  BOOST_TEST(Json::parse(to_json(simulation))["steps"][2]["at"] == "2027-01-01 01:30Z");
}

BOOST_AUTO_TEST_CASE(a_target_cannot_write_into_a_change_request) {
  Simulation hostile = test::simulation();
  const std::string bad = "\n```\n# <script>| \x1b[2J";
  hostile.steps[1].what = hostile.steps[1].findings[0].reason = hostile.steps[1].findings[0].who = bad;
  hostile.steps[1].checks = hostile.steps[1].rollback = {bad};
  const std::string text = to_markdown(hostile);
  BOOST_TEST(!contains(text, "\n# <"));
  BOOST_TEST(!contains(text, "\x1b"));
  BOOST_TEST(!contains(text, "\n```\n#"));
}

BOOST_AUTO_TEST_CASE(a_target_cannot_drive_the_terminal_of_a_simulation) {
  Simulation hostile = test::simulation();
  const std::string bad = "\x1b[2J\r\xff";
  hostile.title = hostile.steps[1].what = hostile.steps[1].findings[0].who = hostile.steps[1].findings[0].reason = bad;
  hostile.steps[2].health.pods_lost = hostile.notes = hostile.not_simulated = {bad};
  hostile.steps[2].losses = {test::loss()};
  hostile.steps[2].losses[0].who = hostile.steps[2].losses[0].cause = hostile.steps[2].losses[0].advice = bad;
  hostile.steps[1].findings[0].other_reasons = {{bad, bad}};
  const std::string text = to_terminal(hostile, {});
  for (const char forbidden : {'\x1b', '\r', '\xff'}) BOOST_TEST(!contains(text, std::string(1, forbidden)));
  BOOST_TEST(
      contains(to_terminal(hostile, {.colour = true}), "\x1b[31m✗ begins broken, and breaks 2 steps of 2\x1b[0m\n"));
}

BOOST_AUTO_TEST_CASE(findings_and_losses_are_told_as_those_of_other_sources) {
  Simulation simulation = test::simulation();
  simulation.steps[1].findings[0].since = "1.32";
  simulation.steps[1].findings[0].put_off_by = {"AuthorizeNodeWithSelectors=false"};
  simulation.steps[2].losses = {test::loss()};
  for (const std::string& wrong : against_schema(simulation)) BOOST_ERROR(wrong);
  const std::vector<Finding> findings = findings_of(simulation);
  BOOST_REQUIRE_EQUAL(findings.size(), 4U);
  BOOST_TEST((findings[0].level == Finding::Level::note));
  BOOST_TEST(findings[0].place.object == "before the plan");
  const Finding& agent = findings[1];
  BOOST_TEST((agent.level == Finding::Level::error));
  BOOST_TEST(agent.id == "node-read-own");
  BOOST_TEST(agent.rules == std::vector<std::string>{"node-read-own"}, boost::test_tools::per_element());
  BOOST_TEST(agent.who == "agent monitoring");
  BOOST_TEST(agent.what == "newly refused: list nodes");
  BOOST_TEST(agent.place.text() == "plan.toml:10");
  BOOST_TEST(agent.place.object == "step 1");
  BOOST_TEST(agent.since == "1.32");
  BOOST_TEST(agent.put_off_by == std::vector<std::string>{"AuthorizeNodeWithSelectors=false"},
             boost::test_tools::per_element());
  BOOST_TEST(agent.advice ==
             "Avoided by giving the agent a ServiceAccount, or by leaving out step 1. Agents need an identity of their "
             "own.");
  BOOST_TEST(agent.count == 48U);
  BOOST_TEST(agent.first == "+1h5m");
  BOOST_TEST(agent.last == "+2h");
  // It heals by itself, and no rule is known.
  BOOST_TEST((findings[2].level == Finding::Level::warning));
  BOOST_TEST(findings[2].id == "http-403");
  BOOST_TEST(findings[2].rules.empty());
  BOOST_TEST(findings[3].id == "nodes-not-ready");
  BOOST_TEST(findings[3].what == "3 of 12 nodes not ready, with 90 pods: kubelet 1.32.0 exits: unknown labels");
  const auto told = Json::parse(to_json(simulation))["findings"];
  BOOST_TEST(told.size() == 4U);
  BOOST_TEST(told[1]["since"] == "1.32");
  const std::string when = "1.32 on; put off by --feature-gates=AuthorizeNodeWithSelectors=false";
  TerminalStyle wide;
  wide.width = 200;
  for (const std::string& text : {to_terminal(simulation, wide), to_markdown(simulation), to_html(simulation)}) {
    BOOST_TEST(text.find(when) != std::string::npos, text);
  }
}

BOOST_AUTO_TEST_CASE(the_json_is_as_its_schema_says) {
  for (const std::string& wrong : against_schema(test::simulation())) BOOST_ERROR(wrong);
  for (const std::string& wrong : against_schema({})) BOOST_ERROR(wrong);
  const Json written = Json::parse(to_json(test::simulation()));
  BOOST_TEST(
      written["summary"] ==
      Json::parse(
          R"({"breaks":true,"begins_broken":true,"breaking_steps":[1,2],"steps":2,"findings":2,"findings_for_good":1,"accepted":0})"));
  BOOST_TEST(written["steps"][0]["breaks"] == false);
  BOOST_TEST(written["steps"][1]["findings"][1]["healed_ms"] == 4'800'000);
  BOOST_TEST(!written["steps"][1]["findings"][0].contains("healed_ms"));
  BOOST_TEST(!written["versions"][1].contains("pool"));
}

BOOST_AUTO_TEST_CASE(numbers_that_are_none_and_bytes_that_are_no_text_do_not_spoil_the_json) {
  Simulation hostile = test::simulation();
  hostile.run.seconds = std::numeric_limits<double>::infinity();
  hostile.length = hostile.steps[1].at = Simulation::Time::max();
  hostile.title = "\xff\x00<script>";
  for (const std::string& wrong : against_schema(hostile)) BOOST_ERROR(wrong);
  BOOST_TEST(!Json::parse(to_json(hostile))["run"].contains("seconds"));
}

BOOST_AUTO_TEST_SUITE_END()
