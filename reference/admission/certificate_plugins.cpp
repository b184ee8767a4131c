#include "reference/admission/certificate_plugins.h"

#include <algorithm>
#include <string>

#include "reference/admission/certificate_signing_request.h"
#include "reference/encoding/base64.h"

namespace nodebound {
namespace {

constexpr std::string_view certificates_group = "certificates.k8s.io";
constexpr std::string_view client_signer = "kubernetes.io/kube-apiserver-client";

bool is_signing_request(const AdmissionRequest& request, Operation operation, std::string_view subresource) {
  return request.operation == operation && request.is(certificates_group, "certificatesigningrequests") &&
         request.subresource == subresource;
}

bool allowed(const Authorizer& authorizer, const Subject& subject, std::string_view verb, std::string name) {
  Attributes grant;
  grant.verb = verb;
  grant.resource_request = true;
  grant.api_group = certificates_group;
  grant.api_version = "*";
  grant.resource = "signers";
  grant.name = std::move(name);
  return authorizer.authorize(subject, grant).allowed();
}

// Whether the subject may use the verb on the signer, or on all signers of its domain.
bool allowed_for_signer(const RuleSet& rules, const Authorizer& authorizer, const Subject& subject,
                        std::string_view verb, std::string_view signer) {
  if (allowed(authorizer, subject, verb, std::string(signer))) return true;
  if (!rules.in_force(Rule::csr_signers_of_domain)) return false;
  return allowed(authorizer, subject, verb, std::string(signer.substr(0, signer.find('/'))) + "/*");
}

}  // namespace

Admission CertificateApproval::admit(const AdmissionRequest& request) const {
  if (!rules_.in_force(Rule::csr_approval_for_signer)) return std::nullopt;
  if (!is_signing_request(request, Operation::update, "approval")) return std::nullopt;
  // The signer comes from the stored request: an approval cannot change it.
  const std::string_view signer = text(request.old_object, "spec", "signerName");
  if (allowed_for_signer(rules_, authorizer_, request.subject, "approve", signer)) return std::nullopt;
  return refuse(rules_, Rule::csr_approval_for_signer, {{"signer", signer}});
}

Admission CertificateSigning::admit(const AdmissionRequest& request) const {
  if (!rules_.in_force(Rule::csr_certificate_for_signer)) return std::nullopt;
  if (!is_signing_request(request, Operation::update, "status")) return std::nullopt;
  const auto changes = [&](const char* field) {
    const Object& before = member(request.old_object, "status", field);
    const Object& after = member(request.object, "status", field);
    const bool no_list = before.empty() && after.empty() && !before.is_string() && !after.is_string();
    return before != after && !no_list;
  };
  const bool certificate = changes("certificate");
  const bool conditions = rules_.in_force(Rule::csr_conditions_for_signer) && changes("conditions");
  if (!certificate && !conditions) return std::nullopt;
  const std::string_view signer = text(request.old_object, "spec", "signerName");
  if (allowed_for_signer(rules_, authorizer_, request.subject, "sign", signer)) return std::nullopt;
  return refuse(rules_, certificate ? Rule::csr_certificate_for_signer : Rule::csr_conditions_for_signer,
                {{"signer", signer}});
}

Admission CertificateSubjectRestriction::admit(const AdmissionRequest& request) const {
  if (!is_signing_request(request, Operation::create, "")) return std::nullopt;
  const std::string_view signer = text(request.object, "spec", "signerName");
  if (signer != client_signer) return std::nullopt;
  const std::optional<std::string> pem = base64_decode(text(request.object, "spec", "request"));
  const std::optional<RequestedSubject> subject = pem ? requested_subject(*pem) : std::nullopt;
  if (!subject) {
    return refuse(rules_, Rule::csr_client_parsable, {{"error", "PEM block type must be CERTIFICATE REQUEST"}});
  }
  const std::vector<std::string>& groups = subject->organizations;
  if (std::find(groups.begin(), groups.end(), "system:masters") == groups.end()) return std::nullopt;
  return refuse(rules_, Rule::csr_no_masters, {{"signer", signer}});
}

}  // namespace nodebound
