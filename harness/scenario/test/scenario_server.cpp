#include <boost/test/unit_test.hpp>

#include "harness/scenario/loader.h"

// The table [server]: how an API server is started.
BOOST_AUTO_TEST_SUITE(scenario_server)

using namespace nodebound;

namespace {

Result<std::vector<Scenario>> scenario_with(const std::string& server) {
  const Result<Fixtures> fixtures = Fixtures::parse("[secret]\nresource = \"secrets\"\n", "fixtures.toml");
  const Result<Profiles> profiles = parse_profiles("[p]\nabout = \"a\"\n", "profiles.toml");
  return parse_scenarios("title = \"t\"\nprofile = \"p\"\n" + server +
                             "\n[[steps]]\nas = \"admin\"\nrequest = \"list secrets\"\nallow = \"masters-group\"\n",
                         "x.toml", "x", *fixtures, *profiles, Catalogue::built_in());
}

std::string mistake_of(const std::string& server) {
  const auto read = scenario_with(server);
  return read ? "no mistake" : read.error().text();
}

void expect_mistake(const std::string& server, const std::string& begin) {
  const std::string said = mistake_of(server);
  BOOST_TEST(said.starts_with(begin), said);
}

const std::string abac = "[server]\nauthorization-modes = [\"ABAC\"]\n";

}  // namespace

BOOST_AUTO_TEST_CASE(a_scenario_without_it_takes_the_target_as_it_is) {
  BOOST_TEST(!scenario_with("").value().front().server.has_value());
}

BOOST_AUTO_TEST_CASE(modes_keep_their_order) {
  const auto read = scenario_with("[server]\nauthorization-modes = [\"RBAC\", \"Node\"]");
  const ServerSettings& settings = read.value().front().server.value();
  BOOST_TEST(to_text(settings.authorization_modes) == "RBAC,Node");
  BOOST_TEST(settings.abac_policy_file().empty());
}

BOOST_AUTO_TEST_CASE(plugins_are_turned_on_and_off_beside_node_and_rbac) {
  const auto read = scenario_with(
      "[server]\nenable-admission-plugins = [\"PodNodeSelector\"]\ndisable-admission-plugins = \"NodeRestriction\"\n"
      "admission-configuration.PodNodeSelector.podNodeSelectorPluginConfig = { shop = \"env=prod\" }");
  const ServerSettings& settings = read.value().front().server.value();
  BOOST_TEST(to_text(settings.authorization_modes) == "Node,RBAC");
  BOOST_TEST(settings.enabled_plugins == std::vector<std::string>{"PodNodeSelector"}, boost::test_tools::per_element());
  BOOST_TEST(settings.disabled_plugins == std::vector<std::string>{"NodeRestriction"},
             boost::test_tools::per_element());
  BOOST_TEST(
      settings.admission_configuration ==
      R"({"apiVersion":"apiserver.config.k8s.io/v1","kind":"AdmissionConfiguration","plugins":[{"configuration":)"
      R"({"podNodeSelectorPluginConfig":{"shop":"env=prod"}},"name":"PodNodeSelector"}]})");
  const auto modes =
      scenario_with("[server]\nauthorization-modes = [\"RBAC\"]\nenable-admission-plugins = [\"PodNodeSelector\"]");
  BOOST_TEST(to_text(modes.value().front().server->authorization_modes) == "RBAC");
}

BOOST_AUTO_TEST_CASE(a_plugin_that_cannot_be_chosen_is_a_mistake) {
  expect_mistake("[server]\nenable-admission-plugins = [\"PodNodeSelect\"]",
                 "x.toml:4:28: \"PodNodeSelect\" is no plugin that enable-admission-plugins can name");
  expect_mistake("[server]\ndisable-admission-plugins = [\"PodNodeSelector\"]",
                 "x.toml:4:29: \"PodNodeSelector\" is no plugin that disable-admission-plugins can name");
  expect_mistake(
      "[server]\nenable-admission-plugins = [\"PodNodeSelector\"]\n"
      "admission-configuration.PodTolerationRestriction = { default = [] }",
      "x.toml:5:52: \"PodTolerationRestriction\" is configured, and enable-admission-plugins does not name it");
}

BOOST_AUTO_TEST_CASE(a_policy_is_a_line_of_the_file) {
  const auto read = scenario_with(abac + R"(abac-policy = [{ user = "a", readonly = true }, { group = "g" }])");
  BOOST_TEST(read.value().front().server->abac_policy_file() ==
             "{\"readonly\":true,\"user\":\"a\"}\n{\"group\":\"g\"}\n");
}

BOOST_AUTO_TEST_CASE(each_case_has_a_server_of_its_own) {
  const auto read = scenario_with(
      "cases = [{ id = \"x\", modes = [\"Node\"] }, { id = \"y\", modes = [\"RBAC\"] }]\n"
      "[server]\nauthorization-modes = \"{modes}\"");
  BOOST_TEST(to_text(read.value().at(0).server->authorization_modes) == "Node");
  BOOST_TEST(to_text(read.value().at(1).server->authorization_modes) == "RBAC");
}

BOOST_AUTO_TEST_CASE(a_webhook_answers_as_written) {
  const auto read = scenario_with(
      "[server]\nauthorization-modes = [\"Webhook\"]\nauthorization-webhook = ["
      "{ group = \"g\", verb = \"get\", resource = \"pods\", answer = \"allow-and-deny\" }]");
  const ScriptedAnswer& answer = read.value().front().server->authorization_webhook.at(0);
  BOOST_TEST((answer == ScriptedAnswer{"", "g", "get", "pods", "", ScriptedAnswer::Kind::allow_and_deny, ""}));
}

BOOST_AUTO_TEST_CASE(a_configuration_has_conditions_and_a_failure_policy) {
  const std::string webhook =
      "[server]\nauthorization-modes = [\"Webhook\"]\nauthorization-webhook = [{ answer = \"deny\" }]\n";
  BOOST_TEST(!scenario_with(webhook).value().front().server->webhook_configuration);
  const auto read = scenario_with(
      webhook + R"(authorization-configuration = { failure-policy = "Deny", match-conditions = ["true"] })");
  BOOST_TEST((read.value().front().server->webhook_configuration == WebhookConfiguration{true, {"true"}}));
  expect_mistake(webhook + "authorization-configuration = { failure-policy = \"Ignore\" }",
                 "x.toml:6:50: \"Ignore\" is no failure policy; expected Deny or NoOpinion");
  expect_mistake("[server]\nauthorization-modes = [\"Node\"]\nauthorization-configuration = {}",
                 "x.toml:5:31: authorization-configuration is about the mode Webhook");
}

BOOST_AUTO_TEST_CASE(what_no_webhook_answers_is_a_mistake_at_its_place) {
  const std::string webhook = "[server]\nauthorization-modes = [\"Webhook\"]\n";
  expect_mistake(webhook, "x.toml:3:1: the mode Webhook needs authorization-webhook");
  expect_mistake("[server]\nauthorization-modes = [\"Node\"]\nauthorization-webhook = [{ answer = \"allow\" }]",
                 "x.toml:3:1: authorization-webhook is for the mode Webhook");
  expect_mistake(webhook + "authorization-webhook = [{ answer = \"denied\" }]",
                 "x.toml:5:37: a webhook cannot answer \"denied\"; did you mean \"deny\"?");
  expect_mistake(webhook + "authorization-webhook = [{ answer = \"deny\", path = \"/x\", resource = \"pods\" }]",
                 "x.toml:5:26: a review has a path or a resource");
  expect_mistake(webhook + "authorization-webhook = [{ answer = \"deny\", name = \"x\" }]", "x.toml:5:");
}

BOOST_AUTO_TEST_CASE(what_no_server_starts_with_is_a_mistake_at_its_place) {
  expect_mistake("[server]", "x.toml:3:1: ");
  expect_mistake("[server]\nauthorization-modes = []", "x.toml:4:23: expected a list like");
  expect_mistake("[server]\nauthorization-modes = [\"Node\", \"Nod\"]",
                 "x.toml:4:32: \"Nod\" is not a valid mode; there are Node, RBAC, ABAC");
  expect_mistake("[server]\nauthorization-modes = [\"Node\", \"Node\"]", "x.toml:4:32: \"Node\" is given twice");
  expect_mistake(abac, "x.toml:3:1: the mode ABAC needs abac-policy");
  expect_mistake("[server]\nauthorization-modes = [\"Node\"]\nabac-policy = [{ user = \"a\" }]",
                 "x.toml:3:1: abac-policy is for the mode ABAC");
  expect_mistake(abac + "abac-policy = [\n  { user = \"a\" },\n  { user = 5 },\n]",
                 "x.toml:7:3: kube-apiserver refuses this policy: ");
  expect_mistake(abac + "abac-policy = [{ user = \"a\" }]\nabac = 1", "x.toml:6:");
}

BOOST_AUTO_TEST_SUITE_END()
