#include "harness/endpoint/credentials/cluster_csr.h"

#include <random>
#include <thread>

#include "harness/endpoint/json_access.h"
#include "harness/endpoint/signals.h"
#include "reference/encoding/base64.h"

namespace nodebound {
namespace {

using nlohmann::json;

constexpr const char* kCollection = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
constexpr const char* kSigner = "kubernetes.io/kube-apiserver-client";
constexpr int kLifetime = 3600;  // honoured since 1.22; before, the signer decides
constexpr const char* kOtherIdentities = "use --identity=impersonate, or --identity=ca with the cluster's authority";

std::string unique_name() {
  std::random_device device;
  const std::uint64_t number = static_cast<std::uint64_t>(device()) << 32U | device();
  return "nodebound-" + std::to_string(number);
}

/// Sends and expects a success with a JSON object; `doing` completes "could not …".
Result<json> ask(HttpClient& client, const HttpRequest& request, const std::string& doing) {
  const auto answer = client.send(request);
  if (!answer) return tl::unexpected(answer.error());
  json body = json::parse(answer->body, nullptr, /*allow_exceptions=*/false);
  if (answer->status / 100 == 2 && body.is_object()) return body;
  const std::string message = text_at(body, "message");
  return unreachable_error(
      request.method + " " + request.target,
      "could not " + doing + ": status " + std::to_string(answer->status) + (message.empty() ? "" : ", " + message),
      kOtherIdentities);
}

json manifest(const std::string& name, const std::string& request_pem) {
  return {{"apiVersion", "certificates.k8s.io/v1"},
          {"kind", "CertificateSigningRequest"},
          {"metadata", {{"name", name}, {"labels", {{"app.kubernetes.io/managed-by", "nodebound"}}}}},
          {"spec",
           {{"request", base64_encode(request_pem)},
            {"signerName", kSigner},
            {"expirationSeconds", kLifetime},
            {"usages", {"digital signature", "client auth"}}}}};
}

Result<void> approve(HttpClient& client, json object, const std::string& target) {
  const json condition = {{"type", "Approved"},
                          {"status", "True"},
                          {"reason", "ConformanceRun"},
                          {"message", "an identity that nodebound tests with"}};
  object["status"] = {{"conditions", json::array({condition})}};
  const auto answer = ask(client, {"PUT", target + "/approval", "application/json", object.dump(), false},
                          "approve a certificate signing request");
  if (!answer) return tl::unexpected(answer.error());
  return {};
}

/// Why the request will never get a certificate (its Denied or Failed condition); empty if it still may.
std::string final_refusal(const json& status) {
  for (const json& condition : list_at(status, "conditions")) {
    const std::string type = text_at(condition, "type");
    if (type == "Denied" || type == "Failed") return type + ": " + text_at(condition, "message");
  }
  return {};
}

/// The PEM of the certificate, as soon as the signer has put it into the status.
Result<std::string> wait_for_certificate(HttpClient& client, const std::string& target,
                                         std::chrono::milliseconds patience) {
  constexpr auto kInterval = std::chrono::milliseconds(200);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!interrupted()) {
    const auto object = ask(client, {"GET", target, {}, {}, false}, "read a certificate signing request");
    if (!object) return tl::unexpected(object.error());
    const json status = object_at(*object, "status");
    if (const std::string refusal = final_refusal(status); !refusal.empty()) {
      return unreachable_error(target, "the signer gives no certificate: " + refusal, kOtherIdentities);
    }
    if (const std::string encoded = text_at(status, "certificate"); !encoded.empty()) {
      if (auto pem = base64_decode(encoded)) return *pem;
      return unreachable_error(target, "status.certificate is not base64");
    }
    if (std::chrono::steady_clock::now() >= deadline) {
      return unreachable_error(target,
                               "was approved but not signed within " + std::to_string(patience.count() / 1000) +
                                   " s; expected the kube-controller-manager to sign for " + kSigner,
                               kOtherIdentities);
    }
    std::this_thread::sleep_for(kInterval);
  }
  return unreachable_error(target, "interrupted while waiting for a certificate");
}

}  // namespace

Result<IssuedCertificate> request_certificate(HttpClient& administrator, const Subject& subject,
                                              std::chrono::milliseconds patience) {
  const auto request = make_signing_request(subject.name, subject.groups);
  if (!request) return tl::unexpected(request.error());
  const std::string name = unique_name();
  const std::string target = std::string(kCollection) + "/" + name;
  const json object = manifest(name, request->request_pem);
  auto created = ask(administrator, {"POST", kCollection, "application/json", object.dump(), false},
                     "make a certificate signing request for '" + subject.name + "'");
  if (!created) return tl::unexpected(created.error());

  // Deletes by UID, so a later object of the same name is never removed.
  json options = {{"apiVersion", "v1"}, {"kind", "DeleteOptions"}};
  const std::string uid = text_at(object_at(*created, "metadata"), "uid");
  if (!uid.empty()) options["preconditions"]["uid"] = uid;
  const auto approved = approve(administrator, std::move(*created), target);
  auto certificate = approved ? wait_for_certificate(administrator, target, patience)
                              : Result<std::string>(tl::unexpected(approved.error()));
  const auto removed = ask(administrator, {"DELETE", target, "application/json", options.dump(), false},
                           "remove a certificate signing request");
  if (!certificate) return tl::unexpected(certificate.error());
  if (!removed) return tl::unexpected(removed.error());
  return IssuedCertificate{std::move(*certificate), request->key_pem};
}

}  // namespace nodebound
