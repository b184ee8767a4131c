#include <atomic>
#include <boost/test/unit_test.hpp>
#include <condition_variable>
#include <thread>

#include "fakes/kubelet_api/review_client.h"
#include "fakes/kubelet_api/test/support.h"
#include "fakes/wire/go/json.h"
#include "fakes/wire/protobuf/protobuf.h"

BOOST_AUTO_TEST_SUITE(kubelet_api_reviews)

using namespace nodebound;
using namespace nodebound::kubelet_api;
using test::rules_of;

namespace {

/// Gives the answers that the test sets, and keeps what it was sent.
class ScriptedTransport final : public ReviewTransport {
 public:
  Reply post(const HttpRequest& request) override {
    const std::lock_guard lock(mutex_);
    sent.push_back(request);
    return reply;
  }

  void says(const Object& status) {
    reply = {};
    reply.response.status = 201;
    reply.response.content_type = "application/json";
    reply.response.body = Object{{"status", status}}.dump();
  }
  void fails(int status, const char* retry_after = nullptr) {
    reply = {};
    reply.response.status = status;
    if (retry_after != nullptr) reply.response.headers["retry-after"] = retry_after;
  }

  Reply reply;
  std::vector<HttpRequest> sent;

 private:
  std::mutex mutex_;
};

struct Asking {
  explicit Asking(const std::string& version, const std::string& content_type = "application/json")
      : rules(rules_of(version)),
        client(rules, KubeletSettings::of_file(rules), transport,
               {content_type, [this] { return now; }, [this](std::int64_t time) { slept.push_back(time); },
                [] { return 0.0; }}) {}

  /// How many requests it takes to authenticate that often.
  std::size_t posts_for_token(int times) {
    transport.sent.clear();
    for (int i = 0; i < times; ++i) last_token = client.review_token("secret");
    return transport.sent.size();
  }
  std::size_t posts_for_access(int times, const std::string& path = "/pods") {
    transport.sent.clear();
    const Attributes asked = kubelet_attributes("GET", path, "node-a", rules).front();
    for (int i = 0; i < times; ++i) last_access = client.review_access({"jane", {"dev"}, "7", {}}, asked);
    return transport.sent.size();
  }

  RuleSet rules;
  ScriptedTransport transport;
  std::int64_t now = 1'000;
  std::vector<std::int64_t> slept;
  ReviewClient client;
  std::optional<TokenVerdict> last_token;
  std::optional<AccessVerdict> last_access;
};

const Object jane = {{"authenticated", true}, {"user", {{"username", "jane"}}}};
const Object unknown = {{"authenticated", false}, {"error", "no such token"}};

}  // namespace

BOOST_AUTO_TEST_CASE(a_token_is_remembered_for_its_time) {
  Asking asking("1.36.3");
  asking.transport.says(jane);
  BOOST_TEST(asking.posts_for_token(3) == 1U);
  BOOST_TEST(asking.last_token->subject->name == "jane");
  asking.now += 119'999;
  BOOST_TEST(asking.posts_for_token(1) == 0U);
  asking.now += 1;
  BOOST_TEST(asking.posts_for_token(1) == 1U);
}

BOOST_AUTO_TEST_CASE(a_bad_token_is_asked_about_again_since_1_14) {
  Asking now("1.14.0");
  now.transport.says(unknown);
  BOOST_TEST(now.posts_for_token(3) == 3U);
  Asking before("1.13.0");
  before.transport.says(unknown);
  BOOST_TEST(before.posts_for_token(3) == 1U);
}

BOOST_AUTO_TEST_CASE(access_is_remembered_longer_where_it_is_allowed) {
  Asking asking("1.36.3");
  asking.transport.says({{"allowed", true}});
  BOOST_TEST(asking.posts_for_access(3) == 1U);
  asking.now += 299'999;
  BOOST_TEST(asking.posts_for_access(1) == 0U);
  asking.now += 1;
  asking.transport.says({{"allowed", false}});
  BOOST_TEST(asking.posts_for_access(2) == 1U);
  asking.now += 30'000;
  BOOST_TEST(asking.posts_for_access(1) == 1U);
}

BOOST_AUTO_TEST_CASE(long_paths_are_asked_about_each_time) {
  Asking asking("1.36.3");
  asking.transport.says({{"allowed", true}});
  BOOST_TEST(asking.posts_for_access(3, "/pods/" + std::string(10'000, 'x')) == 3U);
}

BOOST_AUTO_TEST_CASE(a_failed_review_is_sent_again_as_often_as_a_kubelet_sends_it) {
  Asking asking("1.36.3");
  const std::tuple<int, const char*, std::size_t> failures[] = {{500, nullptr, 5}, {504, nullptr, 5}, {429, nullptr, 5},
                                                                {503, nullptr, 1}, {403, nullptr, 1}, {0, nullptr, 1},
                                                                {429, "1", 55},    {503, "1", 55}};
  for (const auto& [status, retry_after, posts] : failures) {
    asking.transport.fails(status, retry_after);
    BOOST_TEST(asking.posts_for_access(1) == posts, "status " << status);
    BOOST_TEST(!asking.last_access.has_value());
    BOOST_TEST(asking.posts_for_token(1) == posts, "status " << status);
  }
  // The failed review is not cached.
  asking.transport.fails(500);
  BOOST_TEST(asking.posts_for_access(3) == 15U);
}

BOOST_AUTO_TEST_CASE(delays_grow_by_half) {
  Asking asking("1.36.3");
  asking.transport.fails(500);
  asking.posts_for_access(1);
  BOOST_TEST((asking.slept == std::vector<std::int64_t>{500, 750, 1125, 1687}));
}

BOOST_AUTO_TEST_CASE(a_reset_connection_is_tried_again_since_1_9) {
  Asking now("1.9.0");
  now.transport.reply.reset = true;
  BOOST_TEST(now.posts_for_access(1) == 5U);
  Asking before("1.8.0");
  before.transport.reply.reset = true;
  BOOST_TEST(before.posts_for_access(1) == 1U);
}

BOOST_AUTO_TEST_CASE(what_is_sent_says_who_asks_for_what) {
  Asking asking("1.36.3");
  asking.transport.says({{"allowed", true}});
  asking.posts_for_access(1);
  const HttpRequest& request = asking.transport.sent.front();
  BOOST_TEST(request.target == "/apis/authorization.k8s.io/v1/subjectaccessreviews");
  const Object review = read_json(request.body).value();
  BOOST_TEST(review["kind"] == "SubjectAccessReview");
  BOOST_TEST((
      review["spec"] ==
      Object{
          {"user", "jane"},
          {"uid", "7"},
          {"groups", {"dev"}},
          {"resourceAttributes",
           {{"verb", "get"}, {"version", "v1"}, {"resource", "nodes"}, {"subresource", "pods"}, {"name", "node-a"}}}}));
  Asking old("1.16.0");
  old.transport.says(jane);
  old.posts_for_token(1);
  BOOST_TEST(old.transport.sent.front().target == "/apis/authentication.k8s.io/v1beta1/tokenreviews");
}

BOOST_AUTO_TEST_CASE(reviews_go_and_come_in_protobuf) {
  for (const char* version : {"1.36.3", "1.16.0"}) {
    Asking asking(version, "application/vnd.kubernetes.protobuf");
    const std::string group_version =
        std::string("authorization.k8s.io/") + (asking.rules.in_force(Rule::kubelet_review_v1) ? "v1" : "v1beta1");
    asking.transport.reply.response.status = 201;
    asking.transport.reply.response.content_type = "application/vnd.kubernetes.protobuf";
    asking.transport.reply.response.body =
        write_protobuf(
            {{"kind", "SubjectAccessReview"}, {"apiVersion", group_version}, {"status", {{"allowed", true}}}})
            .value();
    BOOST_TEST(asking.posts_for_access(1) == 1U);
    BOOST_TEST_REQUIRE(asking.last_access.has_value());
    BOOST_TEST(asking.last_access->allowed);
    const auto sent = read_envelope(asking.transport.sent.front().body);
    BOOST_TEST_REQUIRE(sent.has_value());
    BOOST_TEST(sent->kind == "SubjectAccessReview");
    BOOST_TEST(asking.transport.sent.front().content_type == "application/vnd.kubernetes.protobuf");
  }
}

BOOST_AUTO_TEST_CASE(answers_that_make_no_sense_are_no_reviews) {
  Asking asking("1.36.3");
  asking.transport.says({{"allowed", true}});
  for (const char* body : {"", "null", "[]", "{", "\xff"}) {
    asking.transport.reply.response.body = body;
    asking.posts_for_access(1);
    BOOST_TEST(!asking.last_access.has_value(), body);
  }
  asking.transport.reply.response.body = R"({"status":{"allowed":"yes"}})";
  asking.posts_for_access(1);
  BOOST_TEST(!asking.last_access->allowed);
}

namespace {

/// Holds its answer back until everybody who waits for it has come.
class SlowTransport final : public ReviewTransport {
 public:
  Reply post(const HttpRequest& /*request*/) override {
    std::unique_lock lock(mutex_);
    ++posts;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
    Reply out;
    out.response.status = 201;
    out.response.body = Object{{"status", jane}}.dump();
    return out;
  }
  void wait_for(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return posts >= count; });
  }
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

  int posts = 0;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
};

/// How many requests are sent for two simultaneous lookups of one token.
int posts_together(const std::string& version, int expected) {
  const RuleSet rules = rules_of(version);
  SlowTransport transport;
  std::atomic<int> asked = 0;
  ReviewClient client(rules, KubeletSettings::of_file(rules), transport,
                      {"application/json",
                       [&] {
                         ++asked;
                         return std::int64_t{0};
                       },
                       [](std::int64_t) {}, [] { return 0.0; }});
  std::thread first([&] { client.review_token("secret"); });
  transport.wait_for(1);
  std::thread second([&] { client.review_token("secret"); });
  // Both lookups have missed the cache; the next step is to send, or to wait for the first.
  while (asked < 2) std::this_thread::yield();
  if (expected == 2) transport.wait_for(2);
  transport.open();
  first.join();
  second.join();
  return transport.posts;
}

}  // namespace

BOOST_AUTO_TEST_CASE(requests_with_one_token_that_come_together_are_one_review_since_1_18) {
  BOOST_TEST(posts_together("1.18.0", 1) == 1);
  BOOST_TEST(posts_together("1.17.0", 2) == 2);
}

BOOST_AUTO_TEST_SUITE_END()
