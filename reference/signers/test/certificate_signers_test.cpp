#include "reference/signers/certificate_signers.h"

#include <boost/test/unit_test.hpp>

#include "reference/test/support.h"

BOOST_AUTO_TEST_SUITE(certificate_signers)

using namespace nodebound;
using namespace nodebound::signers;

namespace {

// PKCS#10 requests in base64, as `spec.request` has them; openssl made them. Unless they say otherwise they are for the
// user system:node:a of the group system:nodes. without subjectAltNames
const char* const of_client =
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIcE1JR1JBZ0VBTUM4eEZUQVRCZ05WQkFvTURITjVjM1Js"
    "YlRwdWIyUmxjekVXTUJRR0ExVUVBd3dOYzNsegpkR1Z0T201dlpHVTZZVEJaTUJNR0J5cUdTTTQ5QWdFR0NDcUdTTTQ5QXdF"
    "SEEwSUFCTG9BUWNDOVlLdzN2U3V3CjltK1ZZQ3BMYXBhNHc4aFZPWCs3S05sek5hWkRSMVZjb01vTHptcE5CLzlLU1NnT0E2"
    "Nzh2VlFIYkZsODI2aUkKNG1JU2hGYWdBREFLQmdncWhrak9QUVFEQWdOSEFEQkVBaUJEdVRpcCszQkFYWDdVMnJMQ2EvZlUr"
    "Vno5WmFCTgpJQTJhUXRJdzdUNjZnd0lnUm1lZTRBUGc5UHBTdDFhNjdUcndjVHN5dU4ycUtvcjBHK3pyUW1SbUpDND0KLS0t"
    "LS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==";
// DNS:a
const char* const of_dns =
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJQkNUQ0JzQUlCQURBdk1SVXdFd1lEVlFRS0RBeHplWE4w"
    "WlcwNmJtOWtaWE14RmpBVUJnTlZCQU1NRFhONQpjM1JsYlRwdWIyUmxPbUV3V1RBVEJnY3Foa2pPUFFJQkJnZ3Foa2pPUFFN"
    "QkJ3TkNBQVM2QUVIQXZXQ3NONzByCnNQWnZsV0FxUzJxV3VNUElWVGwvdXlqWmN6V21RMGRWWEtES0M4NXFUUWYvU2trb0Rn"
    "T3UvTDFVQjJ4WmZOdW8KaU9KaUVvUldvQjh3SFFZSktvWklodmNOQVFrT01SQXdEakFNQmdOVkhSRUVCVEFEZ2dGaE1Bb0dD"
    "Q3FHU000OQpCQU1DQTBnQU1FVUNJRzNYKzdQODlSOGZZazlrblJRTStHTmp0ZklMRlNUM0U5NkZQeHZDWkIyVUFpRUE0U2pG"
    "CmxkR2ZqWlRKL1dkQjg5eWFqNzg1TlZ2eFUzejZNdnE0YkI0Qk1uTT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0t"
    "LS0tCg==";
// IP:10.0.0.1
const char* const of_ip =
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJQkRUQ0Jzd0lCQURBdk1SVXdFd1lEVlFRS0RBeHplWE4w"
    "WlcwNmJtOWtaWE14RmpBVUJnTlZCQU1NRFhONQpjM1JsYlRwdWIyUmxPbUV3V1RBVEJnY3Foa2pPUFFJQkJnZ3Foa2pPUFFN"
    "QkJ3TkNBQVM2QUVIQXZXQ3NONzByCnNQWnZsV0FxUzJxV3VNUElWVGwvdXlqWmN6V21RMGRWWEtES0M4NXFUUWYvU2trb0Rn"
    "T3UvTDFVQjJ4WmZOdW8KaU9KaUVvUldvQ0l3SUFZSktvWklodmNOQVFrT01STXdFVEFQQmdOVkhSRUVDREFHaHdRS0FBQUJN"
    "QW9HQ0NxRwpTTTQ5QkFNQ0Ewa0FNRVlDSVFDc3U0TUJ6NGFXY2pkR0l4Z3VmZklTdzVKY1hvaWdZNU44bXlpTWlNWURBUUlo"
    "CkFOaVNKVVRhZkViZDlIQXo3LzJrbW1lUndBVG1Wb3FUL1k2bWVlQlJPeHZyCi0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVF"
    "U1QtLS0tLQo=";
// email:a@b.c, DNS:a
const char* const of_email =
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJQkR6Q0J0d0lCQURBdk1SVXdFd1lEVlFRS0RBeHplWE4w"
    "WlcwNmJtOWtaWE14RmpBVUJnTlZCQU1NRFhONQpjM1JsYlRwdWIyUmxPbUV3V1RBVEJnY3Foa2pPUFFJQkJnZ3Foa2pPUFFN"
    "QkJ3TkNBQVM2QUVIQXZXQ3NONzByCnNQWnZsV0FxUzJxV3VNUElWVGwvdXlqWmN6V21RMGRWWEtES0M4NXFUUWYvU2trb0Rn"
    "T3UvTDFVQjJ4WmZOdW8KaU9KaUVvUldvQ1l3SkFZSktvWklodmNOQVFrT01SY3dGVEFUQmdOVkhSRUVEREFLZ1FWaFFHSXVZ"
    "NElCWVRBSwpCZ2dxaGtqT1BRUURBZ05IQURCRUFpQmhGMmhHR2tUMFJNcVRMVWpCWVhTMzZvTDlQT25OdTF1N0Z6djNEY1gw"
    "CjRBSWdQc3hLdmdnY2ltVGhtUDZTbnJDWVNnL3p3c3hXdWRKYmlVSUg1YnJ3cUdRPQotLS0tLUVORCBDRVJUSUZJQ0FURSBS"
    "RVFVRVNULS0tLS0K";
// URI:spiffe://a/b, IP:10.0.0.1
const char* const of_uri =
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJQkd6Q0J3UUlCQURBdk1SVXdFd1lEVlFRS0RBeHplWE4w"
    "WlcwNmJtOWtaWE14RmpBVUJnTlZCQU1NRFhONQpjM1JsYlRwdWIyUmxPbUV3V1RBVEJnY3Foa2pPUFFJQkJnZ3Foa2pPUFFN"
    "QkJ3TkNBQVM2QUVIQXZXQ3NONzByCnNQWnZsV0FxUzJxV3VNUElWVGwvdXlqWmN6V21RMGRWWEtES0M4NXFUUWYvU2trb0Rn"
    "T3UvTDFVQjJ4WmZOdW8KaU9KaUVvUldvREF3TGdZSktvWklodmNOQVFrT01TRXdIekFkQmdOVkhSRUVGakFVaGd4emNHbG1a"
    "bVU2THk5aApMMktIQkFvQUFBRXdDZ1lJS29aSXpqMEVBd0lEU1FBd1JnSWhBTUp1OUlrVmk3MjV5MTN3Rkc2Ym03ODdzR05T"
    "ClN4Wjk1NmloV3RlNGRSU3ZBaUVBLzlkUTRSNEM2RkxQcTZjc2NwOXBWK0RNMVRsLzVOczc1aXdad1Fjcis4az0KLS0tLS1F"
    "TkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==";
// for the user a
const char* const of_other =
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIZU1JR0ZBZ0VBTUNNeEZUQVRCZ05WQkFvTURITjVjM1Js"
    "YlRwdWIyUmxjekVLTUFnR0ExVUVBd3dCWVRCWgpNQk1HQnlxR1NNNDlBZ0VHQ0NxR1NNNDlBd0VIQTBJQUJMb0FRY0M5WUt3"
    "M3ZTdXc5bStWWUNwTGFwYTR3OGhWCk9YKzdLTmx6TmFaRFIxVmNvTW9Mem1wTkIvOUtTU2dPQTY3OHZWUUhiRmw4MjZpSTRt"
    "SVNoRmFnQURBS0JnZ3EKaGtqT1BRUURBZ05JQURCRkFpRUF3cy9CWEZFb0FiRE13Wmw4dVZhM0lHWDI4eEwxajMyUUkrWldG"
    "VEFGRkxnQwpJREM0QUdsZEdCcW9YajNRNno4U21YdE1TVzdqY1BzdG12cW1pYjBzV1loegotLS0tLUVORCBDRVJUSUZJQ0FU"
    "RSBSRVFVRVNULS0tLS0K";
// for a second group, too
const char* const of_groups =
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlINU1JR2dBZ0VBTUQ0eEZUQVRCZ05WQkFvTURITjVjM1Js"
    "YlRwdWIyUmxjekVOTUFzR0ExVUVDZ3dFYlc5eQpaVEVXTUJRR0ExVUVBd3dOYzNsemRHVnRPbTV2WkdVNllUQlpNQk1HQnlx"
    "R1NNNDlBZ0VHQ0NxR1NNNDlBd0VICkEwSUFCTG9BUWNDOVlLdzN2U3V3OW0rVllDcExhcGE0dzhoVk9YKzdLTmx6TmFaRFIx"
    "VmNvTW9Mem1wTkIvOUsKU1NnT0E2Nzh2VlFIYkZsODI2aUk0bUlTaEZhZ0FEQUtCZ2dxaGtqT1BRUURBZ05JQURCRkFpQnNM"
    "Um15VjRNQwpVVGo1UHF4VGdrSmtTb2hCVWlWejRYYVNRZEI0bmtLRnRRSWhBS2svUzVENEpwN1UzQ1Z0VkJrczNJbjMybFhj"
    "CnQ4REFMWWUxS0F1bnJRQnoKLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==";

using Usages = std::vector<std::string>;

const Usages client_usages = {"digital signature", "key encipherment", "client auth"};
const Usages serving_usages = {"digital signature", "key encipherment", "server auth"};

Object request(const char* certificate, const char* signer, const Usages& usages = client_usages,
               const char* username = "system:bootstrap:t") {
  return {{"spec",
           {{"request", certificate},
            {"signerName", std::string("kubernetes.io/") + signer},
            {"usages", usages},
            {"username", username}}}};
}

Object client_request(const char* certificate, const Usages& usages = client_usages) {
  return request(certificate, "kube-apiserver-client-kubelet", usages);
}
Object serving_request(const char* certificate, const Usages& usages = serving_usages) {
  return request(certificate, "kubelet-serving", usages);
}

std::string tried(const Object& request, const char* version = "1.36.3") {
  std::string out;
  for (const Approval& approval : approvals_of(request, test::rules_of(version, {}).release())) {
    out += std::string(out.empty() ? "" : " ") + std::string(approval.subresource);
  }
  return out;
}

std::string signed_as(const Object& request, const char* version = "1.36.3") {
  const Signing signing = signing_of(request, test::rules_of(version, {}).release());
  switch (signing.outcome) {
    case Signing::Outcome::ignored:
      return "ignored";
    case Signing::Outcome::issued:
      return "issued";
    default:
      return signing.why;
  }
}

std::string lifetime(const Object& request, std::int64_t longest_hours, std::int64_t left_hours,
                     const char* version = "1.36.3") {
  const Lifetime out =
      lifetime_of(request, longest_hours * 3600, left_hours * 3600, test::rules_of(version, {}).release());
  return std::to_string(out.begin) + " to " + std::to_string(out.end);
}

}  // namespace

BOOST_AUTO_TEST_CASE(who_renews_its_own_certificate_is_asked_about_that_first) {
  const Object own = request(of_client, "kube-apiserver-client-kubelet", client_usages, "system:node:a");
  BOOST_TEST(tried(own) == "selfnodeclient nodeclient");
  BOOST_TEST(tried(client_request(of_client)) == "nodeclient");
  BOOST_TEST(tried(serving_request(of_dns)) == "");
  BOOST_TEST(tried(client_request(of_dns)) == "");
  BOOST_TEST(tried(client_request(of_other)) == "");
  BOOST_TEST(tried(request("nothing", "kube-apiserver-client-kubelet")) == "");
}

BOOST_AUTO_TEST_CASE(before_signers_had_names_the_content_decided) {
  BOOST_TEST(tried(request(of_client, "legacy-unknown"), "1.17.0") == "nodeclient");
  BOOST_TEST(tried(request(of_client, "legacy-unknown"), "1.18.0") == "");
  BOOST_TEST(signed_as(request(of_uri, "anything", {"any"}), "1.17.0") == "issued");
  BOOST_TEST(signed_as(request(of_uri, "anything", {"any"}), "1.18.0") == "ignored");
}

BOOST_AUTO_TEST_CASE(the_signer_of_kubelet_clients_says_what_it_does_not_serve) {
  BOOST_TEST(signed_as(client_request(of_client)) == "issued");
  BOOST_TEST(signed_as(client_request(of_dns)) == "DNS subjectAltNames are not allowed");
  BOOST_TEST(signed_as(client_request(of_ip)) == "IP subjectAltNames are not allowed");
  BOOST_TEST(signed_as(client_request(of_groups)) == "subject organization is not system:nodes");
  BOOST_TEST(signed_as(client_request(of_other)) == "subject common name does not begin with system:node:");
  BOOST_TEST(signed_as(client_request(of_client, {"client auth"})) ==
             "usages did not match [client auth digital signature key encipherment]");
  BOOST_TEST(signed_as(client_request(of_dns), "1.18.0") == "ignored");
}

BOOST_AUTO_TEST_CASE(the_signer_of_kubelets_that_serve_wants_names) {
  BOOST_TEST(signed_as(serving_request(of_dns)) == "issued");
  BOOST_TEST(signed_as(serving_request(of_ip)) == "issued");
  BOOST_TEST(signed_as(serving_request(of_client)) == "DNS or IP subjectAltName is required");
  BOOST_TEST(signed_as(serving_request(of_email)) == "Email subjectAltNames are not allowed");
  BOOST_TEST(signed_as(serving_request(of_uri)) == "URI subjectAltNames are not allowed");
  BOOST_TEST(signed_as(serving_request(of_dns, client_usages)) ==
             "usages did not match [digital signature key encipherment server auth]");
}

BOOST_AUTO_TEST_CASE(keys_that_encipher_nothing_need_not_say_that_they_do) {
  const Usages without = {"client auth", "digital signature"};
  BOOST_TEST(tried(client_request(of_client, without), "1.24.0") == "");
  BOOST_TEST(tried(client_request(of_client, without), "1.25.0") == "nodeclient");
  BOOST_TEST(signed_as(client_request(of_client, without), "1.25.0") == "issued");
  BOOST_TEST(signed_as(serving_request(of_dns, {"server auth", "digital signature"}), "1.24.0") ==
             "usages did not match [digital signature key encipherment server auth]");
}

BOOST_AUTO_TEST_CASE(the_other_signers) {
  BOOST_TEST(signed_as(request(of_uri, "kube-apiserver-client")) == "issued");
  BOOST_TEST(signed_as(request(of_uri, "kube-apiserver-client", {"digital signature"})) ==
             "missing required usage for client certificate: client auth");
  BOOST_TEST(signed_as(request(of_uri, "kube-apiserver-client", {"client auth", "server auth"})) ==
             "invalid usage for client certificate: server auth");
  BOOST_TEST(signed_as(request(of_uri, "legacy-unknown", {"any"})) == "issued");
  BOOST_TEST(signed_as(request(of_uri, "more")) == "ignored");
}

BOOST_AUTO_TEST_CASE(a_certificate_lasts_as_long_as_its_request_wants) {
  Object wants = client_request(of_client);
  BOOST_TEST(lifetime(wants, 24, 1000) == "-300 to 86100");
  BOOST_TEST(lifetime(wants, 24, 2) == "-300 to 7200");
  BOOST_TEST(lifetime(wants, 7, 1000) == "-300 to 25200");
  BOOST_TEST(lifetime(wants, 7, 1000, "1.21.0") == "-300 to 24900");
  wants["spec"]["expirationSeconds"] = 3600;
  BOOST_TEST(lifetime(wants, 24, 1000) == "-300 to 3600");
  BOOST_TEST(lifetime(wants, 24, 1000, "1.21.0") == "-300 to 86100");
  wants["spec"]["expirationSeconds"] = 1;
  BOOST_TEST(lifetime(wants, 24, 1000) == "-300 to 600");
  wants["spec"]["expirationSeconds"] = 1'000'000;
  BOOST_TEST(lifetime(wants, 24, 1000) == "-300 to 86100");
}

BOOST_AUTO_TEST_SUITE_END()
