#include "fakes/controllers/certificate_controller.h"

#include <boost/test/unit_test.hpp>
#include <openssl/x509v3.h>
#include <optional>

#include "fakes/test/whole_cluster.h"
#include "fakes/wire/certificates/openssl.h"
#include "reference/encoding/base64.h"

BOOST_AUTO_TEST_SUITE(certificate_controller)

using namespace nodebound;
using namespace std::chrono_literals;
using controllers::CertificateController;

namespace {

const std::string requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

struct Controlled : WholeCluster {
  Controlled() : authority(std::make_shared<CertificateAuthority>(CertificateAuthority::create("cluster").value())) {
    controller.emplace(rules.release(), CertificateController::Options{true, authority, 1h},
                       [this](const HttpRequest& request) {
                         ++calls;
                         return server.handle(user, request);
                       });
  }

  void look(std::chrono::seconds after = 0s) {
    now += after;
    controller->look(now);
  }

  void request(const std::string& name, const std::string& signer, const std::string& usages) {
    const std::string pem = make_csr("system:node:a", {"system:nodes"}).value();
    const Answer made = call(node_a, "POST", requests,
                             R"({"metadata":{"name":")" + name + R"("},"spec":{"request":")" + base64_encode(pem) +
                                 R"(","signerName":"kubernetes.io/)" + signer + R"(","usages":)" + usages + "}}");
    BOOST_REQUIRE(made.status == 201);
  }
  Object status_of(const std::string& name) { return get(requests + "/" + name)["status"]; }

  void allow_renewals() {
    post("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
         R"({"metadata":{"name":"renewals"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole",
             "name":"system:certificates.k8s.io:certificatesigningrequests:selfnodeclient"},
             "subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"Group","name":"system:nodes"}]})");
  }

  const Subject user{"system:serviceaccount:kube-system:certificate-controller",
                     {"system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"},
                     "",
                     {}};
  const char* client_usages = R"(["digital signature","client auth"])";
  std::shared_ptr<CertificateAuthority> authority;
  std::optional<CertificateController> controller;
  CertificateController::Time now = std::chrono::system_clock::now();
  int calls = 0;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_renewal_is_approved_and_signed, Controlled) {
  allow_renewals();
  request("r", "kube-apiserver-client-kubelet", client_usages);
  look();
  const Object approved = status_of("r");
  BOOST_TEST(text(approved["conditions"][0], "type") == "Approved");
  BOOST_TEST(text(approved["conditions"][0], "reason") == "AutoApproved");
  BOOST_TEST(text(approved["conditions"][0], "message") ==
             "Auto approving self kubelet client certificate after SubjectAccessReview.");
  const std::string pem = base64_decode(text(approved, "certificate")).value();
  const auto certificates = openssl::parse_certificates("certificate", pem);
  BOOST_REQUIRE(certificates.has_value());
  X509* const certificate = certificates->front().get();
  BOOST_TEST(X509_get_key_usage(certificate) == static_cast<std::uint32_t>(KU_DIGITAL_SIGNATURE));
  BOOST_TEST(X509_get_extended_key_usage(certificate) == static_cast<std::uint32_t>(XKU_SSL_CLIENT));
  int days = 0;
  int seconds = 0;
  ASN1_TIME_diff(&days, &seconds, X509_get0_notBefore(certificate), X509_get0_notAfter(certificate));
  BOOST_TEST(days == 0);
  BOOST_TEST(seconds == 65 * 60);
}

BOOST_FIXTURE_TEST_CASE(a_request_whose_author_may_not_is_asked_about_ever_more_rarely, Controlled) {
  request("r", "kube-apiserver-client-kubelet", client_usages);
  look();
  BOOST_TEST(!status_of("r").contains("conditions"));
  const int first = calls;
  look();
  BOOST_TEST(calls == first + 1);  // the list alone
  look(1s);
  BOOST_TEST(calls > first + 2);
  allow_renewals();
  look(1s);
  BOOST_TEST(text(status_of("r")["conditions"][0], "type") == "Approved");
}

BOOST_FIXTURE_TEST_CASE(an_approved_request_that_its_signer_does_not_serve_fails, Controlled) {
  request("s", "kubelet-serving", R"(["digital signature","server auth"])");
  look();
  BOOST_TEST(!status_of("s").contains("conditions"));
  Object decided = get(requests + "/s");
  decided["status"]["conditions"] = Object::parse(R"([{"type":"Approved","status":"True","reason":"x"}])");
  BOOST_REQUIRE(call(admin, "PUT", requests + "/s/approval", decided.dump()).status == 200);
  look();
  const Object status = status_of("s");
  BOOST_TEST(!status.contains("certificate"));
  BOOST_TEST(text(status["conditions"][1], "type") == "Failed");
  BOOST_TEST(text(status["conditions"][1], "reason") == "SignerValidationFailure");
  BOOST_TEST(text(status["conditions"][1], "message") == "DNS or IP subjectAltName is required");
  const int before = calls;
  look(1s);
  BOOST_TEST(calls == before + 1);
}

BOOST_AUTO_TEST_SUITE_END()
