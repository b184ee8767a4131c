#include <boost/test/unit_test.hpp>
#include <functional>

#include "fakes/test/whole_cluster.h"

// An authorization webhook that takes its time must not hold up the server.
BOOST_AUTO_TEST_SUITE(waiting_webhook)

using namespace nodebound;
using namespace nodebound::apiserver;

namespace {

struct Waiting {
  Waiting() : rules(test::rules_of("1.36.3", {})), server(rules, options()) {}

  ApiServer::Options options() {
    ApiServer::Options out;
    out.authorization_modes = {AuthorizationMode::rbac, AuthorizationMode::webhook};
    out.webhook_waits = true;
    AuthorizationWebhook webhook;
    webhook.ask = [this](const Subject& subject, const Attributes& attributes) {
      ++asked;
      if (meanwhile) meanwhile();
      WebhookAnswer answer;
      answer.allowed = subject.name == "jane" && attributes.resource == "configmaps";
      return answer;
    };
    out.authorization_webhooks = {std::make_shared<const AuthorizationWebhook>(std::move(webhook))};
    return out;
  }

  int send(const Subject& subject, const char* method, const std::string& target, const std::string& body = {}) {
    return server.handle(subject, {method, target, "application/json", body}).status;
  }

  const Subject jane{"jane", {}, "", {}};
  const std::string maps = "/api/v1/namespaces/shop/configmaps";
  int asked = 0;
  std::function<void()> meanwhile;
  RuleSet rules;
  ApiServer server;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(others_write_while_it_thinks, Waiting) {
  int written = 0;
  meanwhile = [&] {
    written += send(admin, "POST", maps, R"({"metadata":{"name":"m)" + std::to_string(asked) + R"("}})") == 201 ? 1 : 0;
  };
  BOOST_TEST(send(jane, "GET", maps + "/m1") == 200);
  BOOST_TEST(asked == 1);
  BOOST_TEST(written == 1);
  BOOST_TEST(send(jane, "POST", "/api/v1/namespaces/shop/secrets", R"({"metadata":{"name":"s"}})") == 403);
  BOOST_TEST(asked == 2);
}

BOOST_FIXTURE_TEST_CASE(handlers_that_ask_authorizers_wait_for_it, Waiting) {
  meanwhile = [&] { send(admin, "POST", maps, R"({"metadata":{"name":"m"}})"); };
  const std::string spec = R"({"user":"jane","resourceAttributes":{"verb":"get","resource":"configmaps"}})";
  const HttpResponse review = server.handle(admin, {"POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews",
                                                    "application/json", R"({"spec":)" + spec + "}"});
  BOOST_REQUIRE(review.status == 201);
  BOOST_TEST(Object::parse(review.body)["status"]["allowed"] == true);
  BOOST_TEST(asked == 1);
}

BOOST_FIXTURE_TEST_CASE(several_are_asked_in_turn, Waiting) {
  std::vector<std::string> order;
  const auto webhook = [&](const std::string& name, bool allows) {
    AuthorizationWebhook out;
    out.name = name;
    out.ask = [&order, name, allows](const Subject&, const Attributes&) {
      order.push_back(name);
      WebhookAnswer answer;
      answer.allowed = allows;
      return answer;
    };
    return std::make_shared<const AuthorizationWebhook>(std::move(out));
  };
  using Mode = AuthorizationMode;
  server.authorize_by({Mode::webhook, Mode::rbac, Mode::webhook, Mode::webhook},
                      {webhook("a", false), webhook("b", true), webhook("c", false)});
  BOOST_TEST(send(jane, "GET", maps + "/m") == 404);
  BOOST_TEST(order == (std::vector<std::string>{"a", "b"}), boost::test_tools::per_element());
  server.authorize_by({Mode::rbac}, {});
  BOOST_TEST(send(jane, "GET", maps + "/m") == 403);
  BOOST_TEST(order.size() == 2U);
}

BOOST_FIXTURE_TEST_CASE(a_connection_that_nobody_can_decide_is_an_internal_error, Waiting) {
  AuthorizationWebhook webhook;
  webhook.ask = [](const Subject&, const Attributes& attributes) {
    WebhookAnswer answer;
    answer.allowed = attributes.verb == "get";
    if (!answer.allowed) answer.error = "the webhook is away";
    return answer;
  };
  server.authorize_by({AuthorizationMode::webhook}, {std::make_shared<const AuthorizationWebhook>(std::move(webhook))});
  // A WebSocket is opened with GET, and is asked about as a create, too.
  const HttpResponse refused = server.handle(jane, {"GET", "/api/v1/namespaces/shop/pods/p/portforward", "", ""});
  BOOST_TEST(refused.status == 500);
  BOOST_TEST(text(Object::parse(refused.body), "message") == "the webhook is away");
}

BOOST_AUTO_TEST_SUITE_END()
