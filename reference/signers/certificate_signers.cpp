#include "reference/signers/certificate_signers.h"

#include <algorithm>
#include <optional>

#include "reference/admission/certificate_signing_request.h"
#include "reference/encoding/base64.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound::signers {
namespace {

using Words = std::optional<std::string>;
using Usages = std::vector<std::string>;

constexpr std::string_view kubelet_client_signer = "kubernetes.io/kube-apiserver-client-kubelet";
constexpr std::string_view kubelet_serving_signer = "kubernetes.io/kubelet-serving";
constexpr std::string_view client_signer = "kubernetes.io/kube-apiserver-client";
constexpr std::string_view legacy_signer = "kubernetes.io/legacy-unknown";

const Usages kubelet_client_usages = {"client auth", "digital signature", "key encipherment"};
const Usages kubelet_serving_usages = {"digital signature", "key encipherment", "server auth"};

std::optional<RequestedCertificate> certificate_in(const Object& request) {
  const auto pem = base64_decode(text(request, "spec", "request"));
  return pem ? requested_certificate(*pem) : std::nullopt;
}

Usages usages_of(const Object& request) {
  return strings_of(member(request, "spec", "usages"));
}

std::string listed(const Usages& usages) {
  std::string out;
  for (const std::string& usage : usages) out += (out.empty() ? "" : " ") + usage;
  return "[" + out + "]";
}

// `wanted` is sorted.
bool are(Usages usages, const Usages& wanted, const Release& release) {
  if (!release.does(Behaviour::certificate_signers_refuse)) {
    // Each of as many usages as are wanted is one of them (hasExactUsages).
    return usages.size() == wanted.size() && std::all_of(usages.begin(), usages.end(), [&](const std::string& usage) {
             return std::binary_search(wanted.begin(), wanted.end(), usage);
           });
  }
  std::sort(usages.begin(), usages.end());
  usages.erase(std::unique(usages.begin(), usages.end()), usages.end());
  if (usages == wanted) return true;
  if (!release.does(Behaviour::kubelet_certificates_without_encipherment)) return false;
  Usages without = wanted;
  std::erase(without, "key encipherment");
  return usages == without;
}

Words why_no_node(const RequestedSubject& subject) {
  if (subject.common_name.starts_with("system:node:")) return std::nullopt;
  return "subject common name does not begin with system:node:";
}

Words why_no_members(const RequestedSubject& subject) {
  if (subject.organizations == std::vector<std::string>{"system:nodes"}) return std::nullopt;
  return "subject organization is not system:nodes";
}

Words why_other_usages(const Object& request, const Usages& wanted, const Release& release) {
  if (are(usages_of(request), wanted, release)) return std::nullopt;
  return "usages did not match " + listed(wanted);
}

// ValidateKubeletClientCSR in pkg/apis/certificates/helpers.go; nothing if it is one.
Words why_no_kubelet_client(const Object& request, const RequestedCertificate& certificate, const Release& release) {
  if (Words why = why_no_members(certificate.subject)) return why;
  if (certificate.names.dns_names > 0) return "DNS subjectAltNames are not allowed";
  if (certificate.names.emails > 0) return "Email subjectAltNames are not allowed";
  if (certificate.names.ip_addresses > 0) return "IP subjectAltNames are not allowed";
  if (certificate.names.uris > 0) return "URI subjectAltNames are not allowed";
  if (Words why = why_no_node(certificate.subject)) return why;
  return why_other_usages(request, kubelet_client_usages, release);
}

// ValidateKubeletServingCSR.
Words why_no_kubelet_serving(const Object& request, const RequestedCertificate& certificate, const Release& release) {
  if (Words why = why_no_members(certificate.subject)) return why;
  if (certificate.names.dns_names + certificate.names.ip_addresses == 0) return "DNS or IP subjectAltName is required";
  if (certificate.names.emails > 0) return "Email subjectAltNames are not allowed";
  if (certificate.names.uris > 0) return "URI subjectAltNames are not allowed";
  if (Words why = why_other_usages(request, kubelet_serving_usages, release)) return why;
  return why_no_node(certificate.subject);
}

// validAPIServerClientUsages.
Words why_no_client(const Object& request) {
  bool is_client = false;
  for (const std::string& usage : usages_of(request)) {
    if (usage == "client auth") {
      is_client = true;
    } else if (usage != "digital signature" && usage != "key encipherment") {
      return "invalid usage for client certificate: " + usage;
    }
  }
  if (is_client) return std::nullopt;
  return "missing required usage for client certificate: client auth";
}

}  // namespace

std::vector<Approval> approvals_of(const Object& request, const Release& release) {
  const std::optional<RequestedCertificate> certificate = certificate_in(request);
  const bool named = release.does(Behaviour::certificate_signers_named);
  if (named && text(request, "spec", "signerName") != kubelet_client_signer) return {};
  if (!certificate || why_no_kubelet_client(request, *certificate, release)) return {};
  std::vector<Approval> out;
  if (text(request, "spec", "username") == certificate->subject.common_name) {
    out.push_back({"selfnodeclient", "Auto approving self kubelet client certificate after SubjectAccessReview."});
  }
  out.push_back({"nodeclient", "Auto approving kubelet client certificate after SubjectAccessReview."});
  return out;
}

Signing signing_of(const Object& request, const Release& release) {
  const std::optional<RequestedCertificate> certificate = certificate_in(request);
  if (!certificate) return {};
  if (!release.does(Behaviour::certificate_signers_named)) return {Signing::Outcome::issued, {}};
  const std::string_view signer = text(request, "spec", "signerName");
  Words why;
  if (signer == kubelet_client_signer) {
    why = why_no_kubelet_client(request, *certificate, release);
  } else if (signer == kubelet_serving_signer) {
    why = why_no_kubelet_serving(request, *certificate, release);
  } else if (signer == client_signer) {
    why = why_no_client(request);
  } else if (signer != legacy_signer) {
    return {};
  }
  if (!why) return {Signing::Outcome::issued, {}};
  if (!release.does(Behaviour::certificate_signers_refuse)) return {};
  return {Signing::Outcome::failed, std::move(*why)};
}

Lifetime lifetime_of(const Object& request, std::int64_t longest, std::int64_t authority_ends, const Release& release) {
  constexpr std::int64_t minute = 60;
  constexpr std::int64_t shortest = 10 * minute;
  constexpr std::int64_t backdated = 5 * minute;
  constexpr std::int64_t short_lived = 8 * 60 * minute;
  std::int64_t lasts = longest;
  const Object& wanted = member(request, "spec", "expirationSeconds");
  if (wanted.is_number_integer() && release.does(Behaviour::certificate_duration_requested)) {
    const auto asked = wanted.get<std::int64_t>();
    lasts = asked > longest ? longest : std::max(asked, shortest);
  }
  const bool whole = lasts < short_lived && release.does(Behaviour::short_certificates_last);
  return {-backdated, std::min(whole ? lasts : lasts - backdated, authority_ends)};
}

}  // namespace nodebound::signers
