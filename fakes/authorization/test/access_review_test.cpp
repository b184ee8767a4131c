#include <boost/test/unit_test.hpp>
#include <deque>
#include <set>
#include <string>
#include <vector>

#include "fakes/authorization/access_review_webhook.h"
#include "reference/test/support.h"

// What kube-apiserver 1.36.3 sends and makes of the answers (ci/compare/authorization-webhook).
BOOST_AUTO_TEST_SUITE(access_review_webhook)

using namespace nodebound;
using namespace nodebound::authorization;
using namespace nodebound::webhook;
using std::chrono::milliseconds;

namespace {

const Subject jane{"jane", {"a<b>", "c"}, "7", {{"k", {"v"}}}};

/// A webhook whose answers are given, the last one again and again.
struct Asked {
  Asked() : rules(test::rules_of("1.36.3", {})) {}

  AccessReviewWebhook webhook(AccessReviewWebhook::Options options = {}) {
    options.version = ReviewVersion::v1;
    options.wait = [this](milliseconds pause) { pauses.push_back(pause); };
    return {[this](std::string_view body) { return post(body); }, rules.release(), std::move(options)};
  }

  tl::expected<HttpResponse, WebhookFailure> post(std::string_view body) {
    reviews.emplace_back(body);
    auto out = answers.front();
    if (answers.size() > 1) answers.pop_front();
    return out;
  }

  void answer(int status, std::string body) {
    answers.push_back(HttpResponse{status, "text/plain", std::move(body), {}});
  }
  void fail(WebhookFailure::Kind kind) { answers.push_back(tl::unexpected(WebhookFailure{kind, "EOF"})); }

  static std::string says(const std::string& status) { return R"({"status":)" + status + "}"; }

  RuleSet rules;
  std::deque<tl::expected<HttpResponse, WebhookFailure>> answers;
  std::vector<std::string> reviews;
  std::vector<milliseconds> pauses;
};

const Attributes list_pods = attributes_of("GET", "/api/v1/namespaces/n/pods?fieldSelector=spec.nodeName%3Da");

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_review_is_what_kube_apiserver_sends, Asked) {
  const std::string v1 =
      R"({"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v1","metadata":{},"spec":{"resourceAttributes":)"
      R"({"namespace":"n","verb":"list","version":"v1","resource":"pods","fieldSelector":{"requirements":[{"key":)"
      R"("spec.nodeName","operator":"In","values":["a"]}]}},"user":"jane","groups":["a\u003cb\u003e","c"],)"
      R"("extra":{"k":["v"]},"uid":"7"},"status":{"allowed":false}})"
      "\n";
  BOOST_TEST(access_review(jane, list_pods, ReviewVersion::v1, rules.release()) == v1);
  const RuleSet old = test::rules_of("1.25.0", {});
  const std::string v1beta1 =
      R"({"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/v1beta1","metadata":{"creationTimestamp":null},)"
      R"("spec":{"nonResourceAttributes":{"path":"/x","verb":"get"},"user":"jane","group":["a\u003cb\u003e","c"],)"
      R"("extra":{"k":["v"]},"uid":"7"},"status":{"allowed":false}})"
      "\n";
  BOOST_TEST(access_review(jane, attributes_of("GET", "/x"), ReviewVersion::v1beta1, old.release()) == v1beta1);
}

BOOST_FIXTURE_TEST_CASE(answers_are_used_again, Asked) {
  AccessReviewWebhook asked = webhook();
  answer(200, says(R"({"allowed":true,"reason":"r"})"));
  BOOST_TEST(asked.ask(jane, list_pods).allowed);
  BOOST_TEST(asked.ask(jane, list_pods).reason == "r");
  BOOST_TEST(reviews.size() == 1U);
  BOOST_TEST(asked.ask({"other", {}, "", {}}, list_pods).allowed);
  BOOST_TEST(reviews.size() == 2U);
}

BOOST_AUTO_TEST_CASE(an_answer_is_used_again_for_the_same_review_only) {
  const std::vector<Subject> subjects = {jane,
                                         {"jan", {"a<b>", "c"}, "7", {{"k", {"v"}}}},
                                         {"jane", {"a<b>c"}, "7", {{"k", {"v"}}}},
                                         {"jane", {"a<b>", "c", "k"}, "7", {}},
                                         {"jane", {"a<b>", "c"}, "", {{"7", {}}, {"k", {"v"}}}},
                                         {"jane", {"a<b>", "c"}, "7", {{"k", {"v", "v"}}}}};
  std::vector<Attributes> requests;
  for (const char* path :
       {"/api/v1/namespaces/n/pods?fieldSelector=spec.nodeName%3Da", "/api/v1/namespaces/n/pods",
        "/api/v1/namespaces/n/pods?fieldSelector=spec.nodeName%3Db",
        "/api/v1/namespaces/n/pods?fieldSelector=spec.nodeName%21%3Da", "/api/v1/namespaces/m/pods", "/api/v1/pods",
        "/api/v1/namespaces/n/pods/p", "/api/v1/namespaces/n/pods/p/log", "/apis/g/v1/namespaces/n/pods",
        "/apis/g/v2/namespaces/n/pods", "/api/v1/namespaces/n/secrets", "/pods", "/healthz"}) {
    for (const char* method : {"GET", "DELETE"}) requests.push_back(attributes_of(method, path));
  }
  for (const char* release : {"1.30.0", "1.36.3"}) {
    const RuleSet rules = test::rules_of(release, {});
    std::size_t asked = 0;
    AccessReviewWebhook webhook(
        [&](std::string_view) {
          ++asked;
          return HttpResponse{200, "text/plain", Asked::says(R"({"allowed":true})"), {}};
        },
        rules.release(), {.version = ReviewVersion::v1});
    std::set<std::string> reviews;
    for (int again = 0; again < 2; ++again) {
      for (const Subject& subject : subjects) {
        for (const Attributes& request : requests) {
          webhook.ask(subject, request);
          reviews.insert(access_review(subject, request, ReviewVersion::v1, rules.release()));
        }
      }
    }
    BOOST_TEST(asked == reviews.size());
    BOOST_TEST(reviews.size() > subjects.size() * 15);
  }
}

BOOST_FIXTURE_TEST_CASE(what_may_not_be_kept_is_asked_again, Asked) {
  AccessReviewWebhook::Options options;
  options.unauthorized_ttl = std::chrono::nanoseconds(0);
  AccessReviewWebhook asked = webhook(options);
  answer(200, says(R"({"allowed":false})"));
  BOOST_TEST(!asked.ask(jane, list_pods).allowed);
  BOOST_TEST(!asked.ask(jane, list_pods).allowed);
  BOOST_TEST(reviews.size() == 2U);
  answers = {HttpResponse{200, "", says(R"({"allowed":true})"), {}}};
  Attributes large = list_pods;
  large.name = std::string(10000, 'x');
  asked.ask(jane, large);
  asked.ask(jane, large);
  BOOST_TEST(reviews.size() == 4U);
}

BOOST_FIXTURE_TEST_CASE(failures_that_may_pass_are_tried_again, Asked) {
  AccessReviewWebhook asked = webhook();
  answer(500, "boom");
  fail(WebhookFailure::Kind::reset);
  answer(429, "");
  answer(200, says(R"({"allowed":true})"));
  BOOST_TEST(asked.ask(jane, list_pods).allowed);
  BOOST_REQUIRE(pauses.size() == 3U);
  BOOST_TEST((pauses[0] >= milliseconds(500) && pauses[0] <= milliseconds(600)));
  BOOST_TEST((pauses[2] >= milliseconds(1125) && pauses[2] <= milliseconds(1350)));
}

BOOST_FIXTURE_TEST_CASE(after_five_tries_the_error_stands, Asked) {
  AccessReviewWebhook asked = webhook();
  answer(500, "boom\n");
  BOOST_TEST(asked.ask(jane, list_pods).error ==
             "an error on the server (\"boom\") has prevented the request from succeeding");
  BOOST_TEST(reviews.size() == 5U);
  // Errors are not kept.
  asked.ask(jane, list_pods);
  BOOST_TEST(reviews.size() == 10U);
}

BOOST_FIXTURE_TEST_CASE(other_failures_stand_at_once, Asked) {
  AccessReviewWebhook asked = webhook();
  for (const int status : {400, 401, 403, 404, 503}) {
    answers.clear();
    reviews.clear();
    answer(status, "no");
    BOOST_TEST(!asked.ask(jane, list_pods).error.empty());
    BOOST_TEST(reviews.size() == 1U);
  }
  for (const char* body : {"", "<html>", "[]", R"({"status":[]})", R"({"status":{"allowed":"yes"}})"}) {
    answers.clear();
    answer(200, body);
    const WebhookAnswer got = asked.ask(jane, list_pods);
    BOOST_TEST(!got.error.empty());
    BOOST_TEST(!got.allowed);
  }
}

BOOST_AUTO_TEST_CASE(an_answer_that_is_nested_deep_does_no_harm) {
  const auto read = [](std::size_t depth) {
    return read_access_review(R"({"status":{"allowed":true},"more":)" + std::string(depth, '[') +
                              std::string(depth, ']') + "}");
  };
  BOOST_TEST(read(5000)->allowed);
  BOOST_TEST(read(1000000).error() ==
             "couldn't get version/kind; json parse error: invalid character '[' exceeded max depth");
}

BOOST_AUTO_TEST_CASE(the_last_used_answers_are_kept) {
  AnswerCache cache(2);
  const auto now = AnswerCache::Clock::now();
  const auto later = now + std::chrono::hours(1);
  cache.add("a", {true, false, "a", ""}, later);
  cache.add("b", {true, false, "b", ""}, later);
  BOOST_TEST(cache.find("a", now)->reason == "a");
  cache.add("c", {true, false, "c", ""}, later);
  BOOST_TEST(!cache.find("b", now));
  BOOST_TEST(cache.find("a", now)->reason == "a");
  BOOST_TEST(!cache.find("a", later));
  BOOST_TEST(!cache.find("a", now));
}

BOOST_AUTO_TEST_SUITE_END()
