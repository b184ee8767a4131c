#include <boost/test/unit_test.hpp>

#include "reference/authorizer/abac_authorizer.h"

using namespace nodebound;

// What a policy covers: pkg/auth/authorizer/abac/abac.go.
BOOST_AUTO_TEST_SUITE(abac)

namespace {

AbacPolicy reader_of_pods() {
  return {"reader", "", true, "", "pods", "shop", ""};
}

Decision decide(std::vector<AbacPolicy> of, const Subject& subject, const char* method, const char* target) {
  const AbacPolicies policies(std::move(of));
  return AbacAuthorizer(policies).authorize(subject, attributes_of(method, target));
}

const Subject reader{"reader", {"readers", "system:authenticated"}, "", {}};

}  // namespace

BOOST_AUTO_TEST_CASE(a_policy_covers_its_namespace_resource_and_group) {
  BOOST_TEST(decide({reader_of_pods()}, reader, "GET", "/api/v1/namespaces/shop/pods").allowed());
  BOOST_TEST(!decide({reader_of_pods()}, reader, "GET", "/api/v1/namespaces/other/pods").allowed());
  BOOST_TEST(!decide({reader_of_pods()}, reader, "GET", "/api/v1/pods").allowed());
  BOOST_TEST(!decide({reader_of_pods()}, reader, "GET", "/api/v1/namespaces/shop/secrets").allowed());
  BOOST_TEST(!decide({reader_of_pods()}, reader, "GET", "/apis/x/v1/namespaces/shop/pods").allowed());
}

BOOST_AUTO_TEST_CASE(a_subresource_is_covered_with_its_resource) {
  BOOST_TEST(decide({reader_of_pods()}, reader, "GET", "/api/v1/namespaces/shop/pods/web/log").allowed());
}

BOOST_AUTO_TEST_CASE(a_readonly_policy_covers_get_list_and_watch) {
  BOOST_TEST(decide({reader_of_pods()}, reader, "GET", "/api/v1/namespaces/shop/pods?watch=1").allowed());
  const Decision write = decide({reader_of_pods()}, reader, "DELETE", "/api/v1/namespaces/shop/pods/web");
  BOOST_TEST((write.outcome == Decision::Outcome::no_opinion));
  BOOST_TEST(write.reason == "No policy matched.");
}

BOOST_AUTO_TEST_CASE(a_policy_with_user_and_group_asks_for_both) {
  AbacPolicy both = reader_of_pods();
  both.group = "readers";
  BOOST_TEST(decide({both}, reader, "GET", "/api/v1/namespaces/shop/pods").allowed());
  BOOST_TEST(!decide({both}, {"reader", {}, "", {}}, "GET", "/api/v1/namespaces/shop/pods").allowed());
  BOOST_TEST(!decide({both}, {"x", {"readers"}, "", {}}, "GET", "/api/v1/namespaces/shop/pods").allowed());
}

BOOST_AUTO_TEST_CASE(a_policy_of_a_group_is_not_one_of_a_user_of_that_name) {
  AbacPolicy group{"", "readers", false, "*", "*", "*", ""};
  BOOST_TEST(decide({group}, reader, "POST", "/api/v1/namespaces/shop/pods").allowed());
  BOOST_TEST(!decide({group}, {"readers", {}, "", {}}, "POST", "/api/v1/namespaces/shop/pods").allowed());
}

BOOST_AUTO_TEST_CASE(paths_end_with_any_number_of_asterisks) {
  const auto reads = [](const std::string& pattern, const char* path) {
    return decide({{"reader", "", false, "", "", "", pattern}}, reader, "GET", path).allowed();
  };
  BOOST_TEST(reads("/version", "/version"));
  BOOST_TEST(!reads("/version", "/version/x"));
  BOOST_TEST(reads("/logs/*", "/logs/a/b"));
  BOOST_TEST(reads("/logs**", "/logs"));
  BOOST_TEST(reads("*", "/anything"));
  BOOST_TEST(!reads("/lo*gs", "/lo*gsx"));
  BOOST_TEST(!reads("", "/version"));
}

BOOST_AUTO_TEST_CASE(a_rules_review_lists_the_policies_of_the_subject_and_namespace) {
  const AbacPolicies policies({{"", "readers", true, "", "pods", "*", "/logs"},
                               {"reader", "", false, "apps", "*", "shop", ""},
                               {"reader", "", false, "", "secrets", "other", ""}});
  const SubjectRules told = AbacAuthorizer(policies).rules_for(reader, "shop");
  BOOST_REQUIRE(told.rules.size() == 3U);
  BOOST_TEST(told.rules[0].resources.front() == "pods");
  BOOST_TEST(told.rules[0].verbs.size() == 3U);
  BOOST_TEST(told.rules[1].urls.front() == "/logs");
  BOOST_TEST(told.rules[2].groups.front() == "apps");
  BOOST_TEST(!told.incomplete);
}

BOOST_AUTO_TEST_SUITE_END()
