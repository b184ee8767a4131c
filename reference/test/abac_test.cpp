#include <boost/test/unit_test.hpp>

#include "reference/authorizer/abac_authorizer.h"
#include "reference/test/support.h"

using namespace nodebound;

// What a policy covers: pkg/auth/authorizer/abac/abac.go.
BOOST_AUTO_TEST_SUITE(abac)

namespace {

const RuleSet rules = test::rules_of("1.36.3");

AbacPolicy reader_of_pods() {
  return {"reader", "", true, "", "pods", "shop", ""};
}

Decision decide(std::vector<AbacPolicy> of, const Subject& subject, const char* method, const char* target) {
  const AbacPolicies policies(std::move(of));
  return AbacAuthorizer(rules, policies).authorize(subject, attributes_of(method, target));
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

BOOST_AUTO_TEST_CASE(a_decision_names_its_rule) {
  const auto rule = [](const AbacPolicy& policy, const char* target) {
    return decide({policy}, reader, "GET", target).rule;
  };
  const char* const pods = "/api/v1/namespaces/shop/pods";
  BOOST_TEST((rule(reader_of_pods(), pods) == Rule::abac_user));
  BOOST_TEST((rule({"", "readers", false, "", "pods", "*", ""}, pods) == Rule::abac_group));
  AbacPolicy any{"", "system:authenticated", false, "", "pods", "*", ""};
  any.subjects = AbacPolicy::Subjects::any;
  BOOST_TEST((rule(any, pods) == Rule::abac_any_subject));
  any.subjects = AbacPolicy::Subjects::left_out;
  BOOST_TEST((rule(any, pods) == Rule::abac_unversioned_subject));
  BOOST_TEST((rule(any, "/version") == Rule::abac_abstains));
}

BOOST_AUTO_TEST_CASE(a_rule_that_is_off_is_not_asked) {
  const auto allowed = [](Rule off, const AbacPolicy& policy, const char* method, const char* target) {
    const RuleSet without = rules.with_flipped(off);
    const AbacPolicies policies({policy});
    return AbacAuthorizer(without, policies).authorize(reader, attributes_of(method, target)).allowed();
  };
  const char* const pods = "/api/v1/namespaces/shop/pods";
  BOOST_TEST(!allowed(Rule::abac_user, reader_of_pods(), "GET", pods));
  BOOST_TEST(allowed(Rule::abac_readonly, reader_of_pods(), "POST", pods));
  BOOST_TEST(allowed(Rule::abac_namespace, reader_of_pods(), "GET", "/api/v1/pods"));
  BOOST_TEST(allowed(Rule::abac_resource, reader_of_pods(), "GET", "/api/v1/namespaces/shop/secrets"));
  BOOST_TEST(allowed(Rule::abac_api_group, reader_of_pods(), "GET", "/apis/x/v1/namespaces/shop/pods"));
  BOOST_TEST(allowed(Rule::abac_non_resource_path, reader_of_pods(), "GET", "/version"));
  BOOST_TEST(!allowed(Rule::abac_subresource, reader_of_pods(), "GET", "/api/v1/namespaces/shop/pods/web/log"));
  BOOST_TEST(allowed(Rule::abac_no_subject, {"", "", false, "", "pods", "*", ""}, "GET", pods));
  BOOST_TEST(allowed(Rule::abac_user_and_group, {"other", "readers", false, "", "pods", "*", ""}, "GET", pods));
  BOOST_TEST(!allowed(Rule::abac_group, {"", "readers", false, "", "pods", "*", ""}, "GET", pods));
}

BOOST_AUTO_TEST_CASE(a_policy_of_a_group_is_not_one_of_a_user_of_that_name) {
  const AbacPolicy group{"", "readers", false, "*", "*", "*", ""};
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
  const SubjectRules told = AbacAuthorizer(rules, policies).rules_for(reader, "shop");
  BOOST_REQUIRE(told.rules.size() == 3U);
  BOOST_TEST(told.rules[0].resources.front() == "pods");
  BOOST_TEST(told.rules[0].verbs.size() == 3U);
  BOOST_TEST(told.rules[1].urls.front() == "/logs");
  BOOST_TEST(told.rules[2].groups.front() == "apps");
  BOOST_TEST(!told.incomplete);
}

BOOST_AUTO_TEST_SUITE_END()
