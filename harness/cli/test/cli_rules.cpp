#include <boost/test/unit_test.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "harness/test/command_line.h"
#include "reference/test/project_paths.h"
#include "reports/test/schema.h"

BOOST_AUTO_TEST_SUITE(cli_rules)

using namespace command_line;
using Json = nlohmann::json;

namespace {

// The output of `nodebound rules … --format json`, validated against its schema.
Json printed(const std::string& arguments) {
  const Ended ended = output("rules " + arguments + " --format json");
  BOOST_TEST_REQUIRE(ended.code == 0, arguments);
  const Json document = Json::parse(ended.output);
  std::ifstream schema(project::file("harness/cli/rules/rules.schema.json"));
  const std::vector<std::string> found = nodebound::test::violations(Json::parse(schema), document);
  BOOST_TEST(found.empty(), arguments << ": " << (found.empty() ? "" : found.front()));
  return document;
}

std::set<std::string> ids(const Json& rules) {
  std::set<std::string> out;
  for (const Json& rule : rules) out.insert(rule["id"].get<std::string>());
  return out;
}

std::string when(const Json& rules, const std::string& id) {
  for (const Json& rule : rules) {
    if (rule["id"] == id) return rule["when"].get<std::string>();
  }
  return "not listed";
}

Ended rules(const std::string& arguments) {
  return command_line::nodebound("rules " + arguments);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_list_has_every_rule_and_a_release_those_in_force) {
  const std::set<std::string> all = ids(printed("")["rules"]);
  const std::set<std::string> at_1_31 = ids(printed("--release 1.31")["rules"]);
  BOOST_TEST(all.contains("pod-selector"));
  BOOST_TEST(!at_1_31.contains("pod-selector"));
  BOOST_TEST(at_1_31.contains("secret-through-pod"));
  BOOST_TEST(at_1_31.size() < all.size());
  const std::set<std::string> with_gate = ids(
      printed("--release 1.31 --feature-gates AuthorizeNodeWithSelectors=true,AuthorizeWithSelectors=true")["rules"]);
  BOOST_TEST(with_gate.contains("pod-selector"));
}

BOOST_AUTO_TEST_CASE(since_lists_what_came_with_its_back_ports_and_what_went) {
  const Json since = printed("--since 1.32");
  BOOST_TEST(when(since["rules"], "pod-references-resource-claims") == "1.32.6, 1.33.2");
  // A rule whose gate was off by default at first, and on later.
  BOOST_TEST(when(since["rules"], "service-account-through-pod") == "1.33 (gate), 1.34");
  BOOST_TEST(when(since["rules"], "pod-selector") == "1.32");
  BOOST_TEST(when(since["rules"], "secret-through-pod") == "not listed");
  BOOST_TEST(when(since["removed"], "token-one-audience") == "1.32.2 (gate)");
  // The back-port to 1.32 is older than the version asked for, that to 1.33 is not.
  const Json later = printed("--since 1.33");
  BOOST_TEST(when(later["rules"], "pod-references-resource-claims") == "1.33.2");
  BOOST_TEST(ids(printed("--since 1.99")["rules"]).empty());
}

BOOST_AUTO_TEST_CASE(a_profile_selects_the_rules_that_its_scenarios_exercise) {
  const std::set<std::string> mirror = ids(printed("--profile mirror-pods")["rules"]);
  BOOST_TEST(mirror.contains("mirror-pod-bound"));
  BOOST_TEST(!mirror.contains("secret-through-pod"));
}

BOOST_AUTO_TEST_CASE(one_rule_is_shown_with_history_gates_deviations_and_checks) {
  const Json rule = printed("graph-follows-extended-claims --release 1.34")["rules"][0];
  BOOST_TEST(rule["deviations"][0]["id"] == "extended-claim-not-followed");
  BOOST_TEST(rule["in_force_at_release"] == true);
  BOOST_TEST(!rule["scenarios"].empty());
  BOOST_TEST(rule["scenarios"][0]["checks"][0]["where"].get<std::string>().find(".toml:") != std::string::npos);
  const Json gated = printed("pod-selector");
  BOOST_TEST(gated["gates"][0]["name"] == "AuthorizeNodeWithSelectors");
  BOOST_TEST(gated["gates"][0]["stages"].back()["locked"] == true);

  const Ended page = rules("pod-selector");
  for (const char* part : {"since 1.31, before 1.37, with AuthorizeNodeWithSelectors", "on from 1.32",
                           "locked on from 1.34", "refusal", "node_authorizer.go", "conformance/pod-selectors[list]"}) {
    BOOST_TEST(says(page, part), part);
  }
}

BOOST_AUTO_TEST_CASE(gates_are_listed_with_their_rules) {
  const Json gates = printed("--gates")["gates"];
  BOOST_TEST(gates.size() > 5U);
  const Json at_1_31 = printed("--gates --release 1.31")["gates"];
  BOOST_TEST(at_1_31.size() < gates.size());
  BOOST_TEST(says(rules("--gates --release 1.31"), "AuthorizeNodeWithSelectors (off at 1.31.0)"));
}

BOOST_AUTO_TEST_CASE(the_table_cuts_nothing_where_nobody_looks) {
  const Ended table = rules("");
  BOOST_TEST(table.code == 0);
  BOOST_TEST(says(table, "Node identity\n"));
  BOOST_TEST(says(table,
                  "A caller in system:nodes named system:node: and nothing more is an unknown node, which may "
                  "do nothing.\n"));
}

BOOST_AUTO_TEST_CASE(markdown_is_a_table_for_each_group) {
  const Ended text = rules("--format markdown");
  BOOST_TEST(
      says(text, "## Node identity\n\n| rule | in force | layer | effect | what it says |\n|---|---|---|---|---|"));
  BOOST_TEST(says(rules("pod-selector --format markdown"), "* feature gate: `AuthorizeNodeWithSelectors`"));
  BOOST_TEST(says(rules("--gates --format markdown"), "| `PodCertificateRequest` | off from 1.34, on from 1.37 |"));
}

BOOST_AUTO_TEST_CASE(bad_usage_of_rules_ends_with_2_and_says_what_was_expected) {
  const std::pair<std::string, std::string> mistakes[] = {
      {"nosuch", "`nodebound rules` lists them all"},
      {"secret-trough-pod", "did you mean \"secret-through-pod\"?"},
      {"--format xml", "--format"},
      {"--since x", "give it like 1.36 or 1.36.3"},
      {"--release x", "give it like 1.36 or 1.36.3"},
      {"--feature-gates Nope=true", "no release has a feature gate Nope"},
      {"--profile mirror-pod", "did you mean \"mirror-pods\"?"},
      {"pod-selector --since 1.32", "--since"},
      {"pod-selector --scenarios /nonexistent", "/nonexistent/fixtures.toml"},
  };
  for (const auto& [arguments, expected] : mistakes) {
    const Ended ended = rules(arguments);
    BOOST_TEST(ended.code == 2, arguments << " ended with " << ended.code);
    BOOST_TEST(says(ended, expected), arguments << " said " << ended.output);
  }
}

BOOST_AUTO_TEST_SUITE_END()
