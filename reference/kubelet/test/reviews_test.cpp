#include "reference/kubelet/reviews.h"

#include <boost/test/unit_test.hpp>

#include "reference/kubelet/attributes.h"
#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(kubelet_reviews)

using namespace nodebound;
using test::rules_of;

namespace {

const TokenVerdict good{Subject{"jane", {}, "", {}}, ""};
const TokenVerdict bad{std::nullopt, "token has expired"};
const TokenVerdict unknown{std::nullopt, ""};

Attributes asking_for(const RuleSet& rules, const std::string& path) {
  return kubelet_attributes("GET", path, "node-a", rules).front();
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_token_is_known_until_its_time_is_over) {
  const RuleSet rules = rules_of("1.36.3");
  ReviewCache cache(KubeletSettings::of_file(rules), rules);
  cache.put_token("good", good, 1000);
  cache.put_token("unknown", unknown, 1000);
  for (const char* token : {"good", "unknown"}) {
    BOOST_TEST(cache.find_token(token, 120'999).has_value(), token);
    BOOST_TEST(!cache.find_token(token, 121'000).has_value(), token);
  }
  BOOST_TEST(!cache.find_token("other", 1000).has_value());
}

BOOST_AUTO_TEST_CASE(a_bad_token_is_asked_about_again_from_1_14_on) {
  for (const auto& [version, known] : {std::pair("1.13.0", true), std::pair("1.14.0", false)}) {
    const RuleSet rules = rules_of(version);
    ReviewCache cache(KubeletSettings::of_file(rules), rules);
    cache.put_token("bad", bad, 0);
    BOOST_TEST(cache.find_token("bad", 1).has_value() == known, version);
  }
}

BOOST_AUTO_TEST_CASE(what_is_allowed_is_known_longer_than_what_is_not) {
  const RuleSet rules = rules_of("1.36.3");
  ReviewCache cache(KubeletSettings::of_file(rules), rules);
  cache.put_access("a", asking_for(rules, "/pods"), {true, false}, 0);
  cache.put_access("b", asking_for(rules, "/pods"), {false, false}, 0);
  cache.put_access("c", asking_for(rules, "/pods"), {false, true}, 0);
  for (const char* denied : {"b", "c"}) {
    BOOST_TEST(cache.find_access(denied, 29'999).has_value());
    BOOST_TEST(!cache.find_access(denied, 30'000).has_value());
  }
  BOOST_TEST(cache.find_access("a", 299'999).has_value());
  BOOST_TEST(!cache.find_access("a", 300'000).has_value());
}

BOOST_AUTO_TEST_CASE(without_a_time_nothing_is_known) {
  const RuleSet rules = rules_of("1.36.3");
  KubeletSettings settings = KubeletSettings::of_file(rules);
  settings.token_ttl = settings.allowed_ttl = settings.denied_ttl = 0;
  ReviewCache cache(settings, rules);
  cache.put_token("good", good, 0);
  cache.put_access("a", asking_for(rules, "/pods"), {true, false}, 0);
  BOOST_TEST(!cache.find_token("good", 0).has_value());
  BOOST_TEST(!cache.find_access("a", 0).has_value());
}

BOOST_AUTO_TEST_CASE(what_is_asked_at_length_is_not_known_from_1_14_on) {
  for (const auto& [version, known] : {std::pair("1.13.0", true), std::pair("1.14.0", false)}) {
    const RuleSet rules = rules_of(version);
    ReviewCache cache(KubeletSettings::of_file(rules), rules);
    const std::size_t rest = std::string("getv1nodesproxynode-a").size();
    cache.put_access("long", asking_for(rules, "/" + std::string(10'000 - rest - 1, 'x')), {true, false}, 0);
    cache.put_access("short", asking_for(rules, "/" + std::string(10'000 - rest - 2, 'x')), {true, false}, 0);
    BOOST_TEST(cache.find_access("long", 1).has_value() == known, version);
    BOOST_TEST(cache.find_access("short", 1).has_value(), version);
  }
}

BOOST_AUTO_TEST_CASE(the_least_recently_used_is_forgotten_first) {
  ExpiringCache<int> cache(2);
  cache.put("a", 1, 10);
  cache.put("b", 2, 10);
  BOOST_TEST(cache.find("a", 0).value() == 1);
  cache.put("c", 3, 10);
  BOOST_TEST(!cache.find("b", 0).has_value());
  BOOST_TEST(cache.find("a", 0).has_value());
  cache.put("a", 4, 10);
  BOOST_TEST(cache.find("a", 0).value() == 4);
  BOOST_TEST(cache.find("c", 0).has_value());
}

BOOST_AUTO_TEST_CASE(a_review_says_who_asks_and_for_what) {
  const Subject jane{"jane", {"dev"}, "7", {{"k", {"v"}}}};
  const RuleSet rules = rules_of("1.36.3");
  BOOST_TEST(access_review_spec(jane, asking_for(rules, "/pods"), rules) ==
             Object::parse(R"({"user":"jane","uid":"7","groups":["dev"],"extra":{"k":["v"]},"resourceAttributes":
               {"verb":"get","version":"v1","resource":"nodes","subresource":"pods","name":"node-a"}})"));
  const RuleSet old = rules_of("1.7.0");
  BOOST_TEST(!access_review_spec(jane, asking_for(old, "/pods"), old).contains("uid"));
}

BOOST_AUTO_TEST_CASE(a_status_is_read_as_it_is_sent) {
  const TokenVerdict token = token_verdict(Object::parse(
      R"({"authenticated":true,"user":{"username":"jane","uid":"7","groups":["dev"],"extra":{"k":["v"]}}})"));
  BOOST_TEST((token.subject == Subject{"jane", {"dev"}, "7", {{"k", {"v"}}}}));
  BOOST_TEST(token_verdict(Object::parse(R"({"error":"expired"})")).error == "expired");
  for (const char* odd : {"null", "[]", "{}", R"({"authenticated":"true"})", R"({"user":{"username":"jane"}})"}) {
    BOOST_TEST(!token_verdict(Object::parse(odd)).subject.has_value(), odd);
    BOOST_TEST(!access_verdict(Object::parse(odd)).allowed, odd);
  }
  BOOST_TEST(access_verdict(Object::parse(R"({"allowed":true,"denied":true})")).denied);
}

BOOST_AUTO_TEST_CASE(a_review_is_sent_again_as_the_release_does) {
  struct Row {
    ReviewFailure failure;
    const char* since;  ///< null: never
  };
  for (const Row& row :
       {Row{{500, false, false}, "1.6.0"}, Row{{503, true, false}, "1.6.0"}, Row{{504, false, false}, "1.8.0"},
        Row{{429, false, false}, "1.8.0"}, Row{{0, false, true}, "1.9.0"}, Row{{503, false, false}, ""},
        Row{{403, false, false}, ""}, Row{{0, false, false}, ""}}) {
    for (const char* version : {"1.6.0", "1.7.0", "1.8.0", "1.9.0", "1.36.3"}) {
      const bool expected = *row.since != 0 && Version::parse(version).value() >= Version::parse(row.since).value();
      BOOST_TEST(ReviewRetries::again(row.failure, rules_of(version)) == expected,
                 version << " " << row.failure.status);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
