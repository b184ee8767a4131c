#include "fakes/kubelet_api/hosted_pods.h"

#include <boost/test/unit_test.hpp>

#include "fakes/kubelet_api/test/support.h"

BOOST_AUTO_TEST_SUITE(hosted_pods)

using namespace nodebound;
using namespace nodebound::kubelet_api;
using namespace nodebound::test;

namespace {

Object running_pod(const std::string& name, const std::string& uid) {
  return {{"apiVersion", "v1"},
          {"kind", "Pod"},
          {"metadata", {{"name", name}, {"namespace", "shop"}, {"uid", uid}}},
          {"spec", {{"containers", {{{"name", "main"}, {"image", "example.com/main"}}, {{"name", "late"}}}}}},
          {"status",
           {{"phase", "Running"},
            {"containerStatuses",
             {{{"name", "main"},
               {"image", "example.com/main"},
               {"state", {{"running", {{"startedAt", "2026-01-01T00:00:00Z"}}}}}}}}}}};
}

Object ended_pod(const std::string& name, const std::string& uid) {
  Object out = running_pod(name, uid);
  out["status"]["containerStatuses"][0]["state"] = {
      {"terminated",
       {{"startedAt", "2026-01-01T00:00:00Z"}, {"finishedAt", "2026-01-01T00:01:00Z"}, {"reason", "Completed"}}}};
  return out;
}

/// Options, of which the change sets some.
template <typename Change>
LogOptions options_with(const Change& change) {
  LogOptions out;
  change(out);
  return out;
}

std::string log_of(const HostedPods& pods, const LogOptions& options) {
  return pods.log("shop", "web", "main", options).value_or("none");
}

/// A kubelet that shows these pods.
struct Kubelet {
  RuleSet rules = rules_of("1.36.3");
  KubeletConfiguration configuration = KubeletConfiguration::of_file({}, rules);
  HostedPods pods;
  KubeletAnswers answers{
      rules, configuration, "node-a", KubeletAnswers::Flags{}, [] { return std::int64_t{1'767'225'660}; }, &pods};
  KubeletHandler handler{rules, KubeletRoutes(rules, configuration.settings), answers, nullptr};

  std::string get(const std::string& target) {
    MemoryConnection connection(handler);
    return connection.send("GET " + target + " HTTP/1.1\r\nHost: node-a\r\n\r\n");
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_pod_is_known_until_it_is_gone) {
  HostedPods pods;
  pods.show(running_pod("web", "1"));
  const auto found = pods.pod("shop", "web");
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST(found->runs("", "main"));
  BOOST_TEST(found->runs("1", "main"));
  BOOST_TEST(!found->runs("2", "main"));
  BOOST_TEST(found->has("late"));
  BOOST_TEST(!found->runs("", "late"));
  BOOST_TEST(!pods.pod("other", "web").has_value());
  pods.show(ended_pod("web", "1"));
  BOOST_TEST(!pods.pod("shop", "web")->runs("", "main"));
  pods.forget("1");
  BOOST_TEST(!pods.pod("shop", "web").has_value());
}

BOOST_AUTO_TEST_CASE(a_log_heeds_its_options) {
  HostedPods pods;
  pods.show(running_pod("web", "1"));
  BOOST_TEST(log_of(pods, {}) == "main has started\n");
  BOOST_TEST(!pods.log("shop", "web", "late", {}).has_value());
  pods.show(ended_pod("web", "1"));
  BOOST_TEST(log_of(pods, {}) == "main has started\nmain has ended: Completed\n");
  BOOST_TEST(log_of(pods, options_with([](LogOptions& o) { o.tail = 1; })) == "main has ended: Completed\n");
  BOOST_TEST(log_of(pods, options_with([](LogOptions& o) { o.tail = 0; })) == "");
  BOOST_TEST(log_of(pods, options_with([](LogOptions& o) { o.limit = 4; })) == "main");
  BOOST_TEST(log_of(pods, options_with([](LogOptions& o) { o.since = 1'767'225'601; })) ==
             "main has ended: Completed\n");
  BOOST_TEST(log_of(pods, options_with([](LogOptions& o) {
                      o.tail = 1;
                      o.timestamps = true;
                    })) == "2026-01-01T00:01:00Z main has ended: Completed\n");
  BOOST_TEST(log_of(pods, options_with([](LogOptions& o) { o.errors_only = true; })) == "");
}

BOOST_AUTO_TEST_CASE(a_log_that_is_followed_ends_with_its_container) {
  HostedPods pods;
  pods.show(running_pod("web", "1"));
  const auto followed = pods.followed("shop", "web", "main", {});
  BOOST_TEST_REQUIRE(followed != nullptr);
  int rung = 0;
  followed->on_ready([&] { ++rung; });
  std::string text;
  BOOST_TEST(followed->take(text));
  BOOST_TEST(text == "main has started\n");
  BOOST_TEST(rung == 0);
  pods.show(ended_pod("web", "1"));
  BOOST_TEST(rung == 1);
  BOOST_TEST(!followed->take(text));
  BOOST_TEST(text == "main has started\nmain has ended: Completed\n");
  BOOST_TEST(pods.followed("shop", "web", "main", {}) == nullptr);
}

BOOST_AUTO_TEST_CASE(a_log_that_is_followed_ends_with_its_pod_and_within_its_limit) {
  HostedPods pods;
  pods.show(running_pod("web", "1"));
  const auto limited = pods.followed("shop", "web", "main", options_with([](LogOptions& o) { o.limit = 20; }));
  pods.show(ended_pod("web", "1"));
  std::string text;
  BOOST_TEST(!limited->take(text));
  BOOST_TEST(text == "main has started\nmai");
  pods.show(running_pod("other", "2"));
  const auto abandoned = pods.followed("shop", "other", "main", {});
  pods.forget("2");
  BOOST_TEST(!abandoned->take(text));
}

BOOST_AUTO_TEST_CASE(a_kubelet_answers_from_its_pods) {
  Kubelet kubelet;
  BOOST_TEST(status_of(kubelet.get("/containerLogs/shop/web/main")) == 404);
  kubelet.pods.show(running_pod("web", "1"));
  BOOST_TEST(kubelet.get("/containerLogs/shop/web/main").find("main has started\n") != std::string::npos);
  BOOST_TEST(status_of(kubelet.get("/containerLogs/shop/web/none")) == 404);
  BOOST_TEST(status_of(kubelet.get("/containerLogs/default/web/web")) == 404);
  const std::string late = kubelet.get("/containerLogs/shop/web/late");
  BOOST_TEST(status_of(late) == 400);
  BOOST_TEST(late.find("container \"late\" in pod \"web\" is not available") != std::string::npos);
  const std::string before = kubelet.get("/containerLogs/shop/web/main?previous=true");
  BOOST_TEST(status_of(before) == 400);
  BOOST_TEST(before.find("previous terminated container \"main\" in pod \"web\" not found") != std::string::npos);
  const Object list = Object::parse(body_of(kubelet.get("/pods")));
  BOOST_TEST_REQUIRE(list["items"].size() == 1U);
  BOOST_TEST(list["items"][0]["metadata"]["uid"] == "1");
  const Object running = Object::parse(body_of(kubelet.get("/runningpods/")));
  BOOST_TEST(running["items"][0]["spec"]["containers"].size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
