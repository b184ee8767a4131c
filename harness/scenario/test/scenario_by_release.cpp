#include <boost/test/unit_test.hpp>

#include "harness/check/probe.h"
#include "harness/scenario/by_release.h"
#include "harness/scenario/loader.h"

BOOST_AUTO_TEST_SUITE(scenario_by_release)

using namespace nodebound;

namespace {

const Catalogue& catalogue() {
  return Catalogue::built_in();
}

RuleSet rules_at(std::string_view version) {
  return {catalogue(), *Release::make(catalogue(), *Version::parse(version), {})};
}

Result<std::vector<Scenario>> parse(const std::string& text) {
  const Fixtures fixtures = *Fixtures::parse("[pod]\nresource = \"pods\"\n", "fixtures.toml");
  const Profiles profiles = *parse_profiles("[p]\nabout = \"a\"\nsince = \"1.7\"\n", "profiles.toml");
  return parse_scenarios("title = \"t\"\nprofile = \"p\"\n" + text, "x.toml", "x", fixtures, profiles, catalogue());
}

Scenario scenario(const std::string& text) {
  Result<std::vector<Scenario>> parsed = parse(text);
  if (!parsed) BOOST_FAIL(parsed.error().text());
  return parsed->front();
}

Scenario at(const std::string& text, std::string_view version) {
  return at_version(scenario(text), *Version::parse(version));
}

std::string mistake_in(const std::string& text) {
  const Result<std::vector<Scenario>> parsed = parse(text);
  return parsed ? "no mistake" : parsed.error().text();
}

std::vector<std::string> ids(const std::vector<Probe>& probes) {
  std::vector<std::string> out;
  for (const Probe& probe : probes) out.push_back(probe.id + (probe.expectation.allow ? " allow" : " deny"));
  return out;
}

const std::string delete_node = R"(
steps = [{ as = "node a", request = "delete nodes/a", name = "d", review = true, expect = [{ until = "1.13", allow = "node-rule-node-deletes" }, { deny = "node-no-delete" }] }]
)";

const std::string change_status = R"(
steps = [{ as = "node a", request = "change nodes/a/status", name = "c", ways = ["put", "apply"], way_rules = { apply = "apply-status-whole" }, body = { spec = { taints = [] } }, deny = "node-taints" }]
)";

}  // namespace

BOOST_AUTO_TEST_CASE(a_scenario_holds_where_it_and_its_profile_do) {
  const Scenario read = scenario(
      "since = \"1.6\"\nuntil = \"1.26\"\nsteps = [{ as = \"admin\", request = \"get nodes/a\", allow = "
      "\"masters-group\" }]");
  BOOST_TEST(!read.holds.contains(*Version::parse("1.6.13")));
  BOOST_TEST(read.holds.contains(*Version::parse("1.7")));
  BOOST_TEST(read.holds.contains(*Version::parse("1.25.16")));
  BOOST_TEST(!read.holds.contains(*Version::parse("1.26")));
  BOOST_TEST(read.holds.text() == "from 1.7.0 to before 1.26.0");
}

BOOST_AUTO_TEST_CASE(steps_of_other_releases_are_left_out) {
  const std::string text = R"(steps = [
    { as = "admin", request = "get nodes/a", allow = "masters-group", name = "always" },
    { as = "admin", request = "get nodes/b", allow = "masters-group", name = "new", since = "1.32.6" },
    { as = "admin", request = "get nodes/c", allow = "masters-group", name = "old", until = "1.32.6" },
  ])";
  BOOST_REQUIRE_EQUAL(at(text, "1.32.5").steps.size(), 2U);
  BOOST_TEST(at(text, "1.32.5").steps[1].name == "old");
  BOOST_REQUIRE_EQUAL(at(text, "1.32.6").steps.size(), 2U);
  BOOST_TEST(at(text, "1.32.6").steps[1].name == "new");
}

BOOST_AUTO_TEST_CASE(one_step_expects_different_answers_of_different_releases) {
  const Check old_check = *at(delete_node, "1.12.10").steps.front().check;
  BOOST_TEST(old_check.allow);
  BOOST_TEST((old_check.rules == std::vector{Rule::node_rule_node_deletes}));
  const Check new_check = *at(delete_node, "1.13").steps.front().check;
  BOOST_TEST(!new_check.allow);
  BOOST_TEST((new_check.rules == std::vector{Rule::node_no_delete}));
}

BOOST_AUTO_TEST_CASE(a_body_says_things_by_release) {
  const std::string text = R"(
given = { make = "pod web", body = { spec = { "since 1.31" = { a = 1 }, "until 1.31" = { a = 2, b = { c = 3 } }, list = [{ name = "x", "since 1.28 until 1.31" = { d = 4 } }] } } }
steps = [{ as = "admin", request = "get nodes/a", allow = "masters-group" }])";
  BOOST_TEST(at(text, "1.31").given.front().body == Object::parse(R"({"spec":{"a":1,"list":[{"name":"x"}]}})"));
  BOOST_TEST(at(text, "1.30.9").given.front().body ==
             Object::parse(R"({"spec":{"a":2,"b":{"c":3},"list":[{"d":4,"name":"x"}]}})"));
  BOOST_TEST(at(text, "1.27").given.front().body ==
             Object::parse(R"({"spec":{"a":2,"b":{"c":3},"list":[{"name":"x"}]}})"));
}

BOOST_AUTO_TEST_CASE(mistakes_about_releases_are_told) {
  const auto step = [](const std::string& keys) {
    return "steps = [{ as = \"admin\", request = \"get nodes/a\", " + keys + " }]";
  };
  const auto says = [&](const std::string& keys, const std::string& what) {
    const std::string mistake = mistake_in(step(keys));
    BOOST_TEST(mistake.find(what) != std::string::npos, mistake);
  };
  says("since = \"soon\", allow = \"masters-group\"", "expected a version");
  says("expect = [{ until = \"1.9\", allow = \"masters-group\" }]",
       "the last of expect must hold in all other releases");
  says("allow = \"masters-group\", expect = [{ deny = \"masters-group\" }]",
       "expected either expect, or allow or deny");
  says("expect = [{ since = \"1.9\" }]", "expected either allow or deny");
  says("allow = \"masters-group\", body = { \"since then\" = { a = 1 } }",
       "expected \"since VERSION\" or \"until VERSION\"");
  says("allow = \"masters-group\", body = { \"since 1.9\" = 1 }", "expected a table under \"since 1.9\"");
}

BOOST_AUTO_TEST_CASE(a_way_may_meet_another_answer_while_its_rule_is_not_in_force) {
  const Check check = *scenario(change_status).steps.front().check;
  BOOST_TEST(ids(probes_of(check, "x", rules_at("1.29"))) ==
                 (std::vector<std::string>{"x@authorizer allow", "x[put] deny", "x[put]@admission deny",
                                           "x[apply] deny", "x[apply]@admission deny"}),
             boost::test_tools::per_element());
  BOOST_TEST(ids(probes_of(check, "x", rules_at("1.28"))) ==
                 (std::vector<std::string>{"x@authorizer allow", "x[put] deny", "x[put]@admission deny",
                                           "x[apply] allow", "x[apply]@admission allow"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(before_server_side_apply_nothing_is_applied) {
  const Check check = *scenario(change_status).steps.front().check;
  BOOST_TEST(ids(probes_of(check, "x", rules_at("1.15"))) ==
                 (std::vector<std::string>{"x@authorizer allow", "x[put] deny", "x[put]@admission deny"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_patch_that_the_authorizer_does_not_know_yet_is_refused_there_and_admitted_alone) {
  const Check check = *scenario(R"(
way_rules = { patch = "pod-status-patch" }
steps = [{ as = "node a", request = "change pods/web/status", ways = ["put", "merge"], body = { status = { phase = "Running" } }, allow = "pod-status-own" }]
)")
                           .steps.front()
                           .check;
  const std::vector<Probe> probes = probes_of(check, "x", rules_at("1.10"));
  BOOST_TEST(ids(probes) == (std::vector<std::string>{"x@authorizer allow", "x[put] allow", "x[put]@admission allow",
                                                      "x[merge] deny", "x[merge]@admission allow"}),
             boost::test_tools::per_element());
  BOOST_TEST((probes[3].expectation.layer == Layer::authorizer));
  BOOST_TEST((probes[3].expectation.rule == Rule::pod_status_patch));
}

BOOST_AUTO_TEST_CASE(what_is_not_valid_is_left_to_the_authorizers_where_no_rule_refuses_it) {
  const Check check =
      *scenario(R"(steps = [{ as = "node a", request = "get nodes/c", invalid = true, deny = "node-read-own" }])")
           .steps.front()
           .check;
  BOOST_TEST(ids(probes_of(check, "x", rules_at("1.36"))) == (std::vector<std::string>{"x@authorizer deny", "x deny"}),
             boost::test_tools::per_element());
  BOOST_TEST(ids(probes_of(check, "x", rules_at("1.30"))) == (std::vector<std::string>{"x@authorizer allow"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
