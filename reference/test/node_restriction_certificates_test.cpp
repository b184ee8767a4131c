#include <boost/test/unit_test.hpp>
#include <string>

#include "reference/admission/certificate_signing_request.h"
#include "reference/encoding/base64.h"
#include "reference/test/node_restriction_world.h"
#include "reference/test/signing_request.h"

BOOST_AUTO_TEST_SUITE(node_restriction_certificates)

using namespace nodebound;
using namespace nodebound::test;

BOOST_FIXTURE_TEST_SUITE(certificate_signing_requests, World)

constexpr const char* serving = "kubernetes.io/kubelet-serving";
constexpr const char* client = "kubernetes.io/kube-apiserver-client-kubelet";

std::string submit(const World& world, const char* signer, const std::string& pem) {
  const Object request = {{"metadata", {{"name", "x"}}}, {"spec", {{"signerName", signer}, {"request", base64(pem)}}}};
  return world.create("certificates.k8s.io", "certificatesigningrequests", "", request);
}

BOOST_AUTO_TEST_CASE(a_kubelet_certificate_is_for_the_nodes_own_name) {
  const std::string refused = "can only create a node CSR with CN=system:node:n1";
  for (const char* signer : {serving, client}) {
    BOOST_TEST(submit(*this, signer, pem_for({"system:node:n1"})) == admitted);
    BOOST_TEST(submit(*this, signer, pem_for({"system:node:n2"})) == refused);
    BOOST_TEST(submit(*this, signer, pem_for({"system:node:n1 "})) == refused);
    BOOST_TEST(submit(*this, signer, pem_for({"admin"})) == refused);
    BOOST_TEST(submit(*this, signer, pem_for({""})) == refused);
    BOOST_TEST(submit(*this, signer, pem_for({})) == refused);
  }
}

BOOST_AUTO_TEST_CASE(the_last_of_several_common_names_counts) {
  BOOST_TEST(submit(*this, client, pem_for({"system:node:n2", "system:node:n1"})) == admitted);
  BOOST_TEST(submit(*this, client, pem_for({"system:node:n1", "system:node:n2"})) ==
             "can only create a node CSR with CN=system:node:n1");
}

BOOST_AUTO_TEST_CASE(other_signers_and_other_writes_are_not_looked_at) {
  BOOST_TEST(submit(*this, "kubernetes.io/kube-apiserver-client", pem_for({"admin"})) == admitted);
  BOOST_TEST(submit(*this, "example.com/signer", "no request at all") == admitted);
  const Object request = {{"metadata", {{"name", "x"}}}, {"spec", {{"signerName", serving}, {"request", "eA=="}}}};
  BOOST_TEST(update("certificates.k8s.io", "certificatesigningrequests", "", request, request) == admitted);
}

BOOST_AUTO_TEST_CASE(a_request_that_cannot_be_read_is_refused) {
  const std::string own = pem_for({"system:node:n1"});
  std::string other_type = own;
  for (std::size_t at = 0; (at = other_type.find("CERTIFICATE REQUEST", at)) != std::string::npos; at += 24) {
    other_type.replace(at, 19, "NEW CERTIFICATE REQUEST");
  }
  const std::string begin = "unable to parse csr: PEM block type must be CERTIFICATE REQUEST";
  for (const std::string& pem : {std::string(), std::string("no PEM"), other_type,
                                 "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n" + own}) {
    BOOST_TEST_CONTEXT(pem) {
      BOOST_TEST(submit(*this, serving, pem) == begin);
    }
  }
  BOOST_TEST(submit(*this, serving, own.substr(0, 100) + own.substr(120)).starts_with("unable to parse csr: "));
}

BOOST_AUTO_TEST_CASE(with_the_insecure_gate_any_name_passes) {
  const World open("1.36.3", {{"AllowInsecureKubeletCertificateSigningRequests", true}});
  BOOST_TEST(submit(open, client, pem_for({"system:node:n2"})) == admitted);
  BOOST_TEST(submit(open, client, "no PEM") == admitted);
  BOOST_TEST(submit(World("1.30.0"), client, pem_for({"system:node:n2"})) == admitted);
}

BOOST_AUTO_TEST_CASE(base64_is_decoded_or_refused) {
  BOOST_TEST(base64_decode("").value() == "");
  BOOST_TEST(base64_decode("YQ==").value() == "a");
  BOOST_TEST(base64_decode("YWI=").value() == "ab");
  BOOST_TEST(base64_decode("YWJj").value() == "abc");
  for (const char* text : {"Y", "YQ", "YQ=", "!!!!", "YQ-_"}) BOOST_TEST(!base64_decode(text).has_value(), text);
}

BOOST_AUTO_TEST_SUITE_END()

struct CertificateWorld : World {
  CertificateWorld() : World("1.36.3", {{"PodCertificateRequest", true}}) {
    put("", "pods", "ns", "p",
        R"({"metadata":{"name":"p","uid":"pod-uid"},"spec":{"nodeName":"n1","serviceAccountName":"sa"}})");
    put("", "serviceaccounts", "ns", "sa", R"({"metadata":{"name":"sa","uid":"sa-uid"}})");
  }
  std::string request(const Object& object) const {
    return create("certificates.k8s.io", "podcertificaterequests", "ns", object);
  }
  int status(const Object& object) const {
    const Admission refusal = admit(
        {Operation::create, node, "certificates.k8s.io", "podcertificaterequests", "", "ns", "", object, nothing});
    return refusal ? refusal->status : 0;
  }
  const Object good = Object::parse(R"({"metadata":{"name":"r"},"spec":{"nodeName":"n1","nodeUID":"uid-1","podName":"p",
    "podUID":"pod-uid","serviceAccountName":"sa","serviceAccountUID":"sa-uid"}})");
};

BOOST_FIXTURE_TEST_SUITE(pod_certificate_requests, CertificateWorld)

BOOST_AUTO_TEST_CASE(a_certificate_for_a_pod_of_the_node_is_requested) {
  BOOST_TEST(request(good) == admitted);
}

BOOST_AUTO_TEST_CASE(without_the_gate_none_is) {
  BOOST_TEST(World().create("certificates.k8s.io", "podcertificaterequests", "ns", good) ==
             "PodCertificateRequest feature gate is disabled");
}

BOOST_AUTO_TEST_CASE(requests_are_created_and_nothing_else) {
  BOOST_TEST(update("certificates.k8s.io", "podcertificaterequests", "", good, good) == "unexpected operation UPDATE");
  BOOST_TEST(update("certificates.k8s.io", "podcertificaterequests", "status", good, good) ==
             "unexpected operation UPDATE");
  BOOST_TEST(remove("certificates.k8s.io", "podcertificaterequests", "ns", good) == "unexpected operation DELETE");
  BOOST_TEST(said({Operation::create, node, "certificates.k8s.io", "podcertificaterequests", "status", "ns", "r", good,
                   nothing}) == "unexpected subresource status");
}

BOOST_AUTO_TEST_CASE(what_is_named_must_exist_and_fit) {
  const struct {
    const char* field;
    const char* value;
    const char* reason;
    int status;
  } rows[] = {
      {"nodeName", "n2", R"(PodCertificateRequest.Spec.NodeName="n2", which is not the requesting node "n1")", 403},
      {"nodeUID", "old",
       R"(PodCertificateRequest for pod "ns/p" names node UID "old", inconsistent with the running node ("uid-1"))",
       500},
      {"podName", "gone", R"(while retrieving pod "ns/gone" named in the PodCertificateRequest: pod "gone" not found)",
       500},
      {"podUID", "old",
       R"(PodCertificateRequest for pod "ns/p" contains pod UID ("old") which differs from running pod "pod-uid")",
       500},
      {"serviceAccountName", "other",
       R"(PodCertificateRequest for pod "ns/p" contains serviceAccountName ("other") that differs from running pod ("sa"))",
       403},
      {"serviceAccountUID", "old",
       R"(PodCertificateRequest for pod "ns/p" names service account UID "old", which differs from the running service account ("sa-uid"))",
       500},
  };
  for (const auto& [field, value, reason, code] : rows) {
    BOOST_TEST_CONTEXT(field) {
      Object bad = good;
      bad["spec"][field] = value;
      BOOST_TEST(request(bad) == reason);
      BOOST_TEST(status(bad) == code);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_is_gone_is_named_and_the_server_answers_500) {
  cluster.erase({"", "serviceaccounts", "ns", "sa"});
  BOOST_TEST(
      request(good) ==
      R"(while retrieving service account "ns/sa" named in the PodCertificateRequest: serviceaccount "sa" not found)");
  BOOST_TEST(status(good) == 500);
  cluster.erase({"", "nodes", "", "n1"});
  BOOST_TEST(request(good) == R"(while retrieving node "n1" named in the PodCertificateRequest: node "n1" not found)");
  BOOST_TEST(status(good) == 500);
}

BOOST_AUTO_TEST_CASE(the_pod_must_run_on_the_node_and_be_no_mirror_pod) {
  put("", "pods", "ns", "p",
      R"({"metadata":{"name":"p","uid":"pod-uid"},"spec":{"nodeName":"n2","serviceAccountName":"sa"}})");
  BOOST_TEST(request(good) == R"(pod "ns/p" is not running on node "n1" named in the PodCertificateRequest)");
  put("", "pods", "ns", "p",
      R"({"metadata":{"name":"p","uid":"pod-uid","annotations":{"kubernetes.io/config.mirror":""}},
                                 "spec":{"nodeName":"n1","serviceAccountName":"sa"}})");
  BOOST_TEST(request(good) == R"(pod "ns/p" is a mirror pod)");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
