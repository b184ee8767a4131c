#pragma once

#include <map>
#include <memory>
#include <string>

#include "harness/endpoint/https_client.h"
#include "harness/endpoint/pki.h"
#include "harness/kubelet/kubelet_scenario.h"

namespace nodebound {

/// Who asks a kubelet: the credentials that the words of a scenario mean. Certificates are made once.
class KubeletCallers {
 public:
  static Result<KubeletCallers> create(const CertificateAuthority& trusted);

  /// The authority of callers whom nobody trusts.
  [[nodiscard]] const CertificateAuthority& other() const { return other_; }

  struct Caller {
    Credentials credentials;
    Subject subject;    ///< as a kubelet that takes them for somebody names them in an access review
    Rule known_by;      ///< that says so
    std::string token;  ///< that is reviewed; empty if none
  };
  /// `who` of a step; names are of the scenario alone, so that no cache knows them from another.
  Result<Caller> caller(const KubeletScenario& scenario, const std::string& who, const RuleSet& rules);

 private:
  KubeletCallers(const CertificateAuthority& trusted, CertificateAuthority other)
      : trusted_(trusted), other_(std::move(other)) {}

  Result<IssuedCertificate> certificate(const std::string& kind, const std::string& user);

  const CertificateAuthority& trusted_;
  CertificateAuthority other_;
  std::map<std::string, IssuedCertificate> made_;
};

/// Whom a review takes a token's bearer for: users are of their scenario alone.
std::string user_of_token(const KubeletScenario& scenario, const Subject& subject);

/// The token of that name in a scenario.
std::string token_text(const KubeletScenario& scenario, const std::string& name);

}  // namespace nodebound
