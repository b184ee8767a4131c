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

  struct Caller {
    Credentials credentials;
    std::string user;   ///< that a review knows; empty if nobody
    std::string token;  ///< that is reviewed; empty if none
  };
  /// `who` of a step; names are of the scenario alone, so that no cache knows them from another.
  Result<Caller> caller(const KubeletScenario& scenario, const std::string& who);

 private:
  KubeletCallers(const CertificateAuthority& trusted, CertificateAuthority other)
      : trusted_(trusted), other_(std::move(other)) {}

  Result<IssuedCertificate> certificate(const std::string& kind, const std::string& user);

  const CertificateAuthority& trusted_;
  CertificateAuthority other_;
  std::map<std::string, IssuedCertificate> made_;
};

/// The token of that name in a scenario.
std::string token_text(const KubeletScenario& scenario, const std::string& name);

}  // namespace nodebound
