#include <boost/test/unit_test.hpp>

#include "harness/endpoint/https_client.h"
#include "harness/endpoint/webhook/webhook_server.h"
#include "reference/cluster/object.h"
#include "reference/encoding/base64.h"

// The suite's own authorization webhook.
BOOST_AUTO_TEST_SUITE(endpoint_webhook)

using namespace nodebound;

namespace {

const WebhookScript script = {
    {"a", "", "get", "secrets", "", ScriptedAnswer::Kind::allow, "first"},
    {"", "g", "", "secrets", "", ScriptedAnswer::Kind::deny, "second"},
    {"", "g", "", "", "/version", ScriptedAnswer::Kind::rubbish, ""},
    {"", "g", "", "pods", "", ScriptedAnswer::Kind::allow_and_deny, ""},
    {"b", "", "", "", "", ScriptedAnswer::Kind::refusal, ""},
};

Object review_of(const std::string& user, const std::string& verb, const std::string& resource) {
  return {
      {"apiVersion", "authorization.k8s.io/v1beta1"},
      {"kind", "SubjectAccessReview"},
      {"spec", {{"user", user}, {"group", {"g"}}, {"resourceAttributes", {{"verb", verb}, {"resource", resource}}}}}};
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_first_entry_that_is_for_a_review_answers_it) {
  const auto kind = [](const Subject& subject, const char* method, const char* target) {
    return to_string(answer_of(script, subject, attributes_of(method, target)).kind);
  };
  const char* const secret = "/api/v1/namespaces/shop/secrets/db";
  BOOST_TEST(kind({"a", {"g"}, "", {}}, "GET", secret) == "allow");
  BOOST_TEST(kind({"a", {"g"}, "", {}}, "DELETE", secret) == "deny");
  BOOST_TEST(kind({"a", {}, "", {}}, "DELETE", secret) == "no-opinion");
  BOOST_TEST(kind({"a", {"g"}, "", {}}, "GET", "/version") == "rubbish");
  BOOST_TEST(kind({"b", {"g"}, "", {}}, "GET", "/api") == "refusal");
}

BOOST_AUTO_TEST_CASE(it_answers_reviews_of_whom_trusts_the_authority_of_its_kubeconfig) {
  const auto server = WebhookServer::start(script);
  BOOST_REQUIRE(server);
  const Object config = Object::parse((*server)->kubeconfig());
  const Object& cluster = config["clusters"][0]["cluster"];
  const std::string url = cluster["server"];
  ServerAddress address;
  address.host = "127.0.0.1";
  address.port = static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
  address.ca_pem = base64_decode(cluster["certificate-authority-data"].get<std::string>()).value();
  const auto client = make_http_client(address, {}, {});
  BOOST_REQUIRE(client);
  const auto ask = [&](const Object& review) {
    return (*client)->send({"POST", "/authorize", "application/json", review.dump(), false}).value();
  };
  const HttpResponse allowed = ask(review_of("a", "get", "secrets"));
  BOOST_TEST(allowed.status == 200);
  const Object answer = Object::parse(allowed.body);
  BOOST_TEST(answer["status"] == (Object{{"allowed", true}, {"reason", "first"}}));
  BOOST_TEST(answer["apiVersion"] == "authorization.k8s.io/v1beta1");
  BOOST_TEST(Object::parse(ask(review_of("c", "list", "secrets")).body)["status"] ==
             (Object{{"allowed", false}, {"denied", true}, {"reason", "second"}}));
  BOOST_TEST(Object::parse(ask(review_of("c", "list", "pods")).body)["status"] ==
             (Object{{"allowed", true}, {"denied", true}}));
  BOOST_TEST(ask(review_of("b", "get", "nodes")).status == 403);
  BOOST_TEST(ask(Object::array()).status == 400);
}

BOOST_AUTO_TEST_SUITE_END()
