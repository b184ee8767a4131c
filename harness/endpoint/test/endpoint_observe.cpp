#include <boost/test/unit_test.hpp>

#include "harness/endpoint/observe.h"

BOOST_AUTO_TEST_SUITE(endpoint_observe)

using namespace nodebound;

namespace {

HttpResponse json(std::string body, int status = 200) {
  return {status, "application/json", std::move(body), {}};
}

/// Answers from a table of paths; 404 for any other path.
struct TableClient : HttpClient {
  std::map<std::string, HttpResponse> answers;
  Result<HttpResponse> send(const HttpRequest& request) override {
    const auto found = answers.find(request.method + " " + request.target);
    return found == answers.end() ? json("{}", 404) : found->second;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(feature_gates_are_read_from_metrics) {
  const auto gates = parse_feature_gates(
      "# HELP kubernetes_feature_enabled [BETA] This metric records the data about the stage and enablement.\n"
      "# TYPE kubernetes_feature_enabled gauge\n"
      "kubernetes_feature_enabled{name=\"A\",stage=\"\"} 1\n"
      "kubernetes_feature_enabled{stage=\"ALPHA\",name=\"B\"} 0\n"
      "kubernetes_feature_enabled_total{name=\"C\"} 1\n"
      "kubernetes_feature_enabled{name=\"D\",stage=\"BETA\"} 1");
  BOOST_TEST((gates == std::map<std::string, bool>{{"A", true}, {"B", false}, {"D", true}}));
  BOOST_TEST(parse_feature_gates("").empty());
  BOOST_TEST(parse_feature_gates("kubernetes_feature_enabled{name=\"A\n").empty());
  BOOST_TEST(parse_feature_gates("kubernetes_feature_enabled{name=\"A\"}").empty());
}

BOOST_AUTO_TEST_CASE(only_kubernetes_has_a_kubernetes_version) {
  const auto version = parse_version(json(R"({"major":"1","gitVersion":"v1.33.1-gke.1+abc"})"), "u");
  BOOST_REQUIRE(version);
  BOOST_TEST(*version == "v1.33.1-gke.1+abc");
  for (const HttpResponse& other : {json("<html>"), json("{}"), json("[]"), json(R"({"gitVersion":1})"),
                                    json(R"({"gitVersion":"v1.36.0"})", 404)}) {
    const auto refused = parse_version(other, "https://h");
    BOOST_REQUIRE(!refused);
    BOOST_TEST((refused.error().kind == Error::Kind::unreachable));
    BOOST_TEST(refused.error().what.find("does not answer like a Kubernetes API server") != std::string::npos);
  }
  const auto unauthorized = parse_version(json("{}", 401), "https://h");
  BOOST_REQUIRE(!unauthorized);
  BOOST_TEST(unauthorized.error().what.find("401") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_server_is_observed_as_far_as_it_shows_itself) {
  TableClient client;
  client.answers["GET /version"] = json(R"({"gitVersion":"v1.36.3"})");
  client.answers["GET /api"] = json(R"({"kind":"APIVersions","versions":["v1"]})");
  client.answers["GET /apis"] =
      json(R"({"groups":[{"name":"a","versions":[{"groupVersion":"a/v1"},{"groupVersion":"a/v1beta1"}]},{},3]})");
  const auto seen = observe(client, "u");
  BOOST_REQUIRE(seen);
  BOOST_TEST(seen->version == "v1.36.3");
  BOOST_TEST((seen->api_versions == std::set<std::string>{"v1", "a/v1", "a/v1beta1"}));
  BOOST_TEST(seen->feature_gates.empty());
}

BOOST_AUTO_TEST_CASE(who_we_are_is_what_the_server_says) {
  TableClient client;
  const Subject otherwise{"fallback", {}, {}, {}};
  const auto unserved = who_am_i(client, otherwise);
  BOOST_REQUIRE(unserved);
  BOOST_TEST((*unserved == otherwise));
  client.answers["POST /apis/authentication.k8s.io/v1/selfsubjectreviews"] =
      json(R"({"status":{"userInfo":{"username":"a","uid":"1","groups":["g",7],"extra":{"k":["v"],"l":null}}}})", 201);
  const auto self = who_am_i(client, otherwise);
  BOOST_REQUIRE(self);
  BOOST_TEST((*self == Subject{"a", {"g"}, "1", {{"k", {"v"}}}}));
}

BOOST_AUTO_TEST_SUITE_END()
