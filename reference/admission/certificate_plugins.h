#pragma once

#include "reference/admission/admission.h"
#include "reference/authorizer/authorizer.h"

namespace nodebound {

/// A user who approves or denies a CertificateSigningRequest must be allowed to `approve` for its signer
/// (plugin/pkg/admission/certificates/approval/admission.go, KEP-1513). The permission to update the approval
/// subresource is not enough.
class CertificateApproval final : public AdmissionPlugin {
 public:
  /// Both must outlive the plugin.
  CertificateApproval(const RuleSet& rules, const Authorizer& authorizer) : rules_(rules), authorizer_(authorizer) {}

  [[nodiscard]] std::string_view name() const override { return "CertificateApproval"; }
  [[nodiscard]] bool runs_in(AdmissionPhase phase) const override { return phase == AdmissionPhase::validation; }
  [[nodiscard]] Admission admit(const AdmissionRequest& request) const override;

 private:
  const RuleSet& rules_;
  const Authorizer& authorizer_;
};

/// A user who issues the certificate, or reports a failure, must be allowed to `sign` for its signer
/// (plugin/pkg/admission/certificates/signing/admission.go, KEP-1513).
class CertificateSigning final : public AdmissionPlugin {
 public:
  /// Both must outlive the plugin.
  CertificateSigning(const RuleSet& rules, const Authorizer& authorizer) : rules_(rules), authorizer_(authorizer) {}

  [[nodiscard]] std::string_view name() const override { return "CertificateSigning"; }
  [[nodiscard]] bool runs_in(AdmissionPhase phase) const override { return phase == AdmissionPhase::validation; }
  [[nodiscard]] Admission admit(const AdmissionRequest& request) const override;

 private:
  const RuleSet& rules_;
  const Authorizer& authorizer_;
};

/// Refuses requests to the signer kubernetes.io/kube-apiserver-client for a certificate in group system:masters
/// (plugin/pkg/admission/certificates/subjectrestriction/admission.go).
class CertificateSubjectRestriction final : public AdmissionPlugin {
 public:
  explicit CertificateSubjectRestriction(const RuleSet& rules) : rules_(rules) {}

  [[nodiscard]] std::string_view name() const override { return "CertificateSubjectRestriction"; }
  [[nodiscard]] bool runs_in(AdmissionPhase phase) const override { return phase == AdmissionPhase::validation; }
  [[nodiscard]] Admission admit(const AdmissionRequest& request) const override;

 private:
  const RuleSet& rules_;
};

}  // namespace nodebound
