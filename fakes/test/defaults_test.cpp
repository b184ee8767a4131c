#include "fakes/apiserver/write/defaults.h"

#include <boost/test/unit_test.hpp>

#include "fakes/apiserver/discovery/bootstrap_roles.h"
#include "reference/release/behaviour_ids.h"
#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(defaults)

using namespace nodebound;
using namespace nodebound::apiserver;
using nodebound::test::rules_of;

namespace {

using By = Defaults::By;

constexpr const char* table = R"(
[[set]]
name = "item"
fields = { "mode" = 420, "inner.kind" = "x" }

[[object]]
resource = "things"
include = { "spec.items[]" = "item" }
fields = { "spec.type" = "Plain", "spec.list" = ["a"], "when" = { json = "null" } }

[[object]]
resource = "things"
when = { "spec.type" = ["Other", ""] }
fields = { "spec.only" = true }

[[object]]
resource = "things"
on_create = true
since = "1.20"
until = "1.30"
fields = { "status.phase" = "New" }

[[object]]
resource = "things"
on_create = true
when = { "status.phase" = ["Old"] }
fields = { "metadata.generation" = 1 }
)";

Object filled(const char* object, const char* version = "1.25.0", By by = By::decoder) {
  const auto parsed = DefaultsTable::parse(table);
  BOOST_REQUIRE(parsed);
  Object out = Object::parse(object);
  Defaults(rules_of(version, {}).release(), {}, *parsed).apply("", "things", by, out);
  return out;
}

bool does(Behaviour behaviour, const char* version, const std::set<std::string>& disabled = {}) {
  return Defaults(rules_of(version, {}).release(), disabled).does(behaviour);
}

std::string mistake(const char* text) {
  const auto parsed = DefaultsTable::parse(text);
  return parsed ? "" : parsed.error().text();
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_not_said_is_filled_in_and_what_is_said_stays) {
  BOOST_TEST(filled(R"({})") == Object::parse(R"({"spec":{"type":"Plain","list":["a"]},"when":null})"));
  BOOST_TEST(filled(R"({"spec":{"type":"T","list":[]},"when":1})") ==
             Object::parse(R"({"spec":{"type":"T","list":[]},"when":1})"));
  // As for a decoder, null counts as missing.
  BOOST_TEST(filled(R"({"spec":{"type":null}})")["spec"]["type"] == "Plain");
}

BOOST_AUTO_TEST_CASE(items_are_filled_in_but_what_holds_the_field_must_be_there) {
  BOOST_TEST(filled(R"({"spec":{"items":[{},{"mode":1,"inner":{}}]}})")["spec"]["items"] ==
             Object::parse(R"([{"mode":420},{"mode":1,"inner":{"kind":"x"}}])"));
  BOOST_TEST(!filled(R"({})")["spec"].contains("items"));
  // A value of the wrong type stays, for validation to report.
  BOOST_TEST(filled(R"({"spec":{"items":7}})")["spec"]["items"] == 7);
  BOOST_TEST(filled(R"({"spec":"x"})")["spec"] == "x");
}

BOOST_AUTO_TEST_CASE(a_condition_sees_what_was_filled_in_before) {
  BOOST_TEST(!filled(R"({})")["spec"].contains("only"));
  BOOST_TEST(filled(R"({"spec":{"type":"Other"}})")["spec"]["only"] == true);
}

BOOST_AUTO_TEST_CASE(entries_hold_for_their_releases_and_for_who_fills_in) {
  BOOST_TEST(filled(R"({})", "1.25.0", By::strategy) == Object::parse(R"({"status":{"phase":"New"}})"));
  BOOST_TEST(filled(R"({})", "1.19.0", By::strategy) == Object::object());
  BOOST_TEST(filled(R"({})", "1.30.0", By::strategy) == Object::object());
}

BOOST_AUTO_TEST_CASE(a_create_replaces_what_the_client_says_in_the_metadata_alone) {
  const Object made = filled(R"({"metadata":{"generation":7},"status":{"phase":"Old"}})", "1.25.0", By::strategy);
  BOOST_TEST(made == Object::parse(R"({"metadata":{"generation":1},"status":{"phase":"Old"}})"));
}

BOOST_AUTO_TEST_CASE(a_behaviour_needs_its_release_and_its_plugin) {
  BOOST_TEST(does(Behaviour::resize_within_node, "1.36.0"));
  BOOST_TEST(!does(Behaviour::resize_within_node, "1.35.0"));
  BOOST_TEST(!does(Behaviour::resize_within_node, "1.36.0", {"PodResizeValidator"}));
  BOOST_TEST(does(Behaviour::namespace_label, "1.36.0", {"PodResizeValidator"}));
}

BOOST_AUTO_TEST_CASE(mistakes_in_the_table_have_their_place) {
  BOOST_TEST(mistake("[[object]]\nresource = \"a\"\ninclude = { \"spec\" = \"none\" }") ==
             "fakes/apiserver/write/defaults.toml:3:22: there is no such set before this");
  BOOST_TEST(mistake("[[object]]\nresource = \"a\"\nfields = { \"x\" = { json = \"{\" } }").find("expected JSON") !=
             std::string::npos);
  BOOST_TEST(mistake("[[object]]\nfields = {}").find("resource") != std::string::npos);
  BOOST_TEST(mistake("[[object]]\nresource = \"a\"\nfield = {}").find("field") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(bootstrap_roles_are_those_of_the_release) {
  const auto role = [](const char* version, const std::string& resource, const std::string& name) {
    for (const auto& [key, object] : bootstrap_roles(rules_of(version).release())) {
      if (key.resource == resource && key.name == name) return object;
    }
    return Object();
  };
  const Object dns = role("1.36.3", "clusterroles", "system:kube-dns");
  BOOST_TEST(text(dns, "metadata", "labels", "kubernetes.io/bootstrapping") == "rbac-defaults");
  BOOST_TEST(dns["rules"] ==
             Object::parse(R"([{"verbs":["list","watch"],"apiGroups":[""],"resources":["endpoints","services"]}])"));
  BOOST_TEST(role("1.36.3", "clusterroles", "view")["rules"].is_null());
  BOOST_TEST(role("1.36.3", "clusterroles", "view")["aggregationRule"]["clusterRoleSelectors"].size() == 1U);
  const Object scheduler = role("1.36.3", "clusterrolebindings", "system:kube-scheduler");
  BOOST_TEST(
      scheduler["subjects"] ==
      Object::parse(R"([{"kind":"User","apiGroup":"rbac.authorization.k8s.io","name":"system:kube-scheduler"}])"));
  BOOST_TEST(role("1.36.3", "clusterroles", "system:service-account-issuer-discovery").is_object());
  BOOST_TEST(role("1.25.0", "clusterroles", "system:controller:service-cidrs-controller").is_null());
  BOOST_TEST(role("1.36.3", "clusterroles", "system:controller:service-cidrs-controller").is_object());
  BOOST_TEST(role("1.24.0", "clusterroles", "view").is_null());
}

BOOST_AUTO_TEST_SUITE_END()
