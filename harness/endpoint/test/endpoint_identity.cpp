#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include "harness/endpoint/credentials/cluster_csr.h"
#include "harness/endpoint/credentials/identity.h"
#include "harness/endpoint/subject_session.h"
#include "reference/encoding/base64.h"

BOOST_AUTO_TEST_SUITE(endpoint_identity)

using namespace nodebound;
using nlohmann::json;

namespace {

/// A certificates API that signs approved requests, unless told not to.
struct CertificatesApi : HttpClient {
  CertificateAuthority authority;
  json object;
  bool denies = false;
  bool signs = true;
  bool removed = false;

  explicit CertificatesApi(CertificateAuthority own) : authority(std::move(own)) {}

  Result<HttpResponse> send(const HttpRequest& request) override {
    if (request.method == "POST") object = json::parse(request.body);
    if (request.method == "PUT") approve(json::parse(request.body));
    if (request.method == "DELETE") removed = true;
    return HttpResponse{request.method == "POST" ? 201 : 200, "application/json", object.dump(), {}};
  }

  void approve(const json& approved) {
    object["status"] = approved["status"];
    if (denies) object["status"]["conditions"].push_back({{"type", "Denied"}, {"message", "no"}});
    if (!signs || denies) return;
    const auto request = base64_decode(object["spec"]["request"].get<std::string>());
    const auto certificate = authority.sign_request(*request);
    BOOST_REQUIRE(certificate);
    object["status"]["certificate"] = base64_encode(*certificate);
  }
};

CertificatesApi certificates_api() {
  auto authority = CertificateAuthority::create("test");
  BOOST_REQUIRE(authority);
  return CertificatesApi(std::move(*authority));
}

const Subject kNode{"system:node:a", {"system:nodes", "system:authenticated"}, {}, {}};

struct CountingClient : HttpClient {
  Result<HttpResponse> send(const HttpRequest& /*request*/) override {
    return unreachable_error("here", "no connection");
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(impersonation_says_all_of_a_subject_but_what_the_server_adds) {
  const Subject subject{
      "a", {"g", "system:authenticated", "h"}, "7", {{"authentication.kubernetes.io/node-name", {"x", "y"}}}};
  const auto credentials = impersonating({"CERT", "KEY", {{"Authorization", "Bearer t"}}}, subject);
  BOOST_REQUIRE(credentials);
  BOOST_TEST(credentials->certificate_pem == "CERT");
  const HttpHeaders expected{{"Authorization", "Bearer t"},
                             {"Impersonate-User", "a"},
                             {"Impersonate-Uid", "7"},
                             {"Impersonate-Group", "g"},
                             {"Impersonate-Group", "h"},
                             {"Impersonate-Extra-authentication.kubernetes.io%2Fnode-name", "x"},
                             {"Impersonate-Extra-authentication.kubernetes.io%2Fnode-name", "y"}};
  BOOST_TEST((credentials->headers == expected));
}

BOOST_AUTO_TEST_CASE(a_name_that_a_header_would_change_is_refused) {
  for (const char* name : {"", " a", "a ", "a\r\nb", "a\x7F"}) {
    const auto refused = impersonating({}, {name, {}, {}, {}});
    BOOST_REQUIRE(!refused);
    BOOST_TEST((refused.error().kind == Error::Kind::input));
  }
  BOOST_TEST(!impersonating({}, {"a", {"g\n"}, {}, {}}));
  BOOST_TEST(impersonating({}, {"a b\xC3\xA9", {}, {}, {}}).has_value());
}

BOOST_AUTO_TEST_CASE(different_subjects_have_different_keys) {
  const Subject subjects[] = {{"a", {}, {}, {}},          {"", {"a"}, {}, {}},           {"a", {"b"}, {}, {}},
                              {"a", {"b", "c"}, {}, {}},  {"a", {"c", "b"}, {}, {}},     {"a", {}, "b", {}},
                              {"a", {}, {}, {{"b", {}}}}, {"a", {}, {}, {{"b", {"c"}}}}, {"a1:b", {}, {}, {}}};
  for (const Subject& one : subjects) {
    for (const Subject& other : subjects) BOOST_TEST((key_of(one) == key_of(other)) == (one == other));
  }
}

BOOST_AUTO_TEST_CASE(a_subject_gets_one_certificate) {
  int issued = 0;
  CertificateStore store([&](const Subject& subject) -> Result<IssuedCertificate> {
    BOOST_TEST(!subject.in_group("system:authenticated"));
    if (subject.name == "broken") return input_error({}, "no");
    return IssuedCertificate{std::to_string(++issued), {}};
  });
  BOOST_TEST(store.of(kNode)->certificate_pem == "1");
  BOOST_TEST(store.of(kNode)->certificate_pem == "1");
  BOOST_TEST(store.of({"b", {}, {}, {}})->certificate_pem == "2");
  BOOST_TEST(!store.of({"broken", {}, {}, {}}));
}

BOOST_AUTO_TEST_CASE(a_cluster_issues_a_certificate_and_keeps_nothing) {
  CertificatesApi api = certificates_api();
  const auto issued = request_certificate(api, kNode);
  BOOST_REQUIRE(issued);
  BOOST_TEST(make_http_client({.host = "h", .base_path = {}, .server_name = {}, .ca_pem = {}},
                              {issued->certificate_pem, issued->key_pem, {}}, {})
                 .has_value());
  BOOST_TEST(api.object["spec"]["signerName"] == "kubernetes.io/kube-apiserver-client");
  BOOST_TEST(api.removed);
}

BOOST_AUTO_TEST_CASE(without_a_certificate_the_request_is_removed_and_the_reason_told) {
  CertificatesApi denying = certificates_api();
  denying.denies = true;
  const auto denied = request_certificate(denying, kNode);
  BOOST_REQUIRE(!denied);
  BOOST_TEST(denied.error().what.find("Denied: no") != std::string::npos);
  BOOST_TEST(denying.removed);

  CertificatesApi idle = certificates_api();
  idle.signs = false;
  const auto late = request_certificate(idle, kNode, std::chrono::milliseconds(0));
  BOOST_REQUIRE(!late);
  BOOST_TEST(late.error().what.find("not signed within") != std::string::npos);
  BOOST_TEST(idle.removed);
}

BOOST_AUTO_TEST_CASE(a_session_keeps_the_connections_of_the_subjects_that_asked_last) {
  int connected = 0;
  SubjectSession session(
      [&](const Subject&) -> Result<std::unique_ptr<HttpClient>> {
        ++connected;
        return std::make_unique<CountingClient>();
      },
      [](Error error) {
        error.hint = "explained";
        return error;
      });
  const HttpRequest request{"GET", "/", {}, {}, false};
  for (int round = 0; round < 3; ++round) {
    const auto answer = session.send(kNode, request);
    BOOST_REQUIRE(!answer);
    BOOST_TEST(answer.error().hint == "explained");
  }
  BOOST_TEST(connected == 1);
  for (int i = 0; i < 64; ++i) BOOST_TEST(!session.send({std::to_string(i), {}, {}, {}}, request));
  BOOST_TEST(connected == 65);
  BOOST_TEST(!session.send({"63", {}, {}, {}}, request));
  BOOST_TEST(connected == 65);
  BOOST_TEST(!session.send(kNode, request));
  BOOST_TEST(connected == 66);
}

BOOST_AUTO_TEST_SUITE_END()
