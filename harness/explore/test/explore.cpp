#include <boost/test/unit_test.hpp>
#include <set>

#include "harness/endpoint/reference_endpoint.h"
#include "harness/explore/random_comparison.h"
#include "harness/explore/request_source.h"

BOOST_AUTO_TEST_SUITE(random_requests)

using namespace nodebound;
using namespace nodebound::explore;
using namespace nodebound::journal;

namespace {

RuleSet rules_at(const char* version) {
  const Catalogue& catalogue = Catalogue::built_in();
  return {catalogue, *Release::make(catalogue, *Version::parse(version), {})};
}

std::string shown(const DrawnRequest& request) {
  return request.subject.name + " " + request.method + " " + request.target + " " + request.body.dump() +
         request.raw_body;
}

RandomComparison compared(const char* a, const char* b, std::size_t requests) {
  const RuleSet rules_a = rules_at(a);
  const RuleSet rules_b = rules_at(b);
  const std::unique_ptr<Endpoint> endpoint_a = make_reference_endpoint(rules_a, {});
  const std::unique_ptr<Endpoint> endpoint_b = make_reference_endpoint(rules_b, {});
  RandomComparisonOptions options;
  options.seed = 7;
  options.requests = requests;
  Journal journal;
  ComparedServer a_server{*endpoint_a, journal, "test"};
  ComparedServer b_server{*endpoint_b, journal, "test"};
  return *compare_at_random(a_server, b_server, ApiResources(rules_b.release()), options);
}

Said said(const HttpResponse& response, const Object& body = {}) {
  DrawnRequest request{{}, "POST", "/api/v1/namespaces/shop/pods"};
  request.body = body;
  return Said::by(request, response);
}

HttpResponse answer(int status, const Object& body) {
  HttpResponse response;
  response.status = status;
  response.body = body.dump();
  return response;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_same_seed_draws_the_same) {
  const RuleSet rules = rules_at("1.36.3");
  const ApiResources resources(rules.release());
  RequestSource one(3, resources);
  RequestSource same(3, resources);
  RequestSource other(4, resources);
  std::set<std::string> drawn;
  std::size_t like_other = 0;
  for (int count = 0; count < 500; ++count) {
    const std::string request = shown(one.next());
    BOOST_TEST(request == shown(same.next()));
    like_other += request == shown(other.next()) ? 1 : 0;
    drawn.insert(request);
  }
  BOOST_TEST(drawn.size() > 450U);
  BOOST_TEST(like_other < 10U);
}

BOOST_AUTO_TEST_CASE(a_release_is_like_itself) {
  const RandomComparison comparison = compared("1.36.3", "1.36.3", 1500);
  BOOST_TEST(comparison.requests == 1500U);
  BOOST_TEST(comparison.differences.empty(), to_terminal(comparison, 3));
}

BOOST_AUTO_TEST_CASE(releases_that_differ_are_found_to) {
  const RandomComparison comparison = compared("1.25.0", "1.36.3", 1500);
  BOOST_TEST(comparison.count(Agreement::other_decision) > 10U);
  BOOST_TEST(comparison.differs_in(Agreement::other_decision));
  const Object report = Object::parse(to_json(comparison));
  BOOST_TEST(report["differences"].size() == comparison.differences.size());
  BOOST_TEST(to_terminal(comparison, 1).find("1500 requests, seed 7") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_servers_cannot_have_in_common_is_no_difference) {
  const auto refusal = [](const char* message) {
    return answer(409, {{"kind", "Status"}, {"status", "Failure"}, {"message", message}});
  };
  const Said a = said(refusal("UID 11111111-1111-1111-1111-111111111111, current: 7"));
  const Said b = said(refusal("UID 22222222-2222-2222-2222-222222222222, current: 12"));
  BOOST_TEST((agreement(a, b) == Agreement::same));
  const Object generated = {{"metadata", {{"generateName", "x-"}}}};
  BOOST_TEST(said(refusal("x-bcdfg exists"), generated).message == "x-{suffix} exists");
  BOOST_TEST(said(refusal("\"x-\" is forbidden"), generated).message == "\"x-\" is forbidden");
}

BOOST_AUTO_TEST_CASE(a_difference_is_as_bad_as_what_differs_first) {
  const auto review = [](bool allowed, bool denied) {
    return answer(201, {{"kind", "SubjectAccessReview"}, {"status", {{"allowed", allowed}, {"denied", denied}}}});
  };
  BOOST_TEST((agreement(said(review(true, false)), said(review(false, false))) == Agreement::other_decision));
  BOOST_TEST((agreement(said(review(false, true)), said(review(false, false))) == Agreement::other_decision));
  BOOST_TEST((agreement(said(answer(404, {})), said(answer(400, {}))) == Agreement::other_status));
  const auto status = [](const char* message) { return answer(404, {{"kind", "Status"}, {"message", message}}); };
  BOOST_TEST((agreement(said(status("a")), said(status("b"))) == Agreement::other_message));
  const auto pod = [](const char* name) { return answer(200, {{"kind", "Pod"}, {"metadata", {{"name", name}}}}); };
  BOOST_TEST((agreement(said(pod("a")), said(pod("b"))) == Agreement::other_object));
  const auto list = [](const char* app) {
    const Object item = {{"metadata", {{"name", "a"}, {"uid", app}, {"labels", {{"app", app}}}}}};
    return answer(200, {{"kind", "PodList"}, {"items", {item}}});
  };
  BOOST_TEST((agreement(said(list("web")), said(list("web"))) == Agreement::same));
  BOOST_TEST((agreement(said(list("web")), said(list("shop"))) == Agreement::other_object));
}

BOOST_AUTO_TEST_SUITE_END()
