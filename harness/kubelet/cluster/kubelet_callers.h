#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "fakes/wire/certificates/pki.h"
#include "harness/endpoint/https_client.h"
#include "harness/kubelet/kubelet_scenario.h"

namespace nodebound::kubelet_conformance {

/// The callers of a kubelet, with the credentials that the words of a scenario mean. Each certificate is made once.
class KubeletCallers {
 public:
  /// `names` prefixes all names of users and tokens, for kubelets that may know others from earlier runs.
  static Result<KubeletCallers> create(const CertificateAuthority& trusted, std::string names = {});

  struct Caller {
    Credentials credentials;
    Subject subject;    ///< as a kubelet that authenticates them names them in an access review
    Rule known_by;      ///< the rule by which the kubelet does so
    std::string token;  ///< the token to review; empty if none
  };
  /// `who` of a step. Names belong to one scenario, so that no cache knows them from another.
  Result<Caller> caller(const KubeletScenario& scenario, const CallerText& who, const RuleSet& rules);

  /// The authority of callers whom nobody trusts.
  [[nodiscard]] const CertificateAuthority& other() const { return other_; }

  /// The user that a scenario calls `name`.
  [[nodiscard]] std::string user(const KubeletScenario& scenario, const std::string& name) const;
  /// The token that a scenario calls `name`.
  [[nodiscard]] std::string token(const KubeletScenario& scenario, const std::string& name) const;
  [[nodiscard]] bool has_token(const KubeletScenario& scenario, const std::string& name) const;
  /// From now on `token`, which belongs to `user`, is the token that the scenario calls `name`.
  void use_token(const KubeletScenario& scenario, const std::string& name, std::string token, std::string user);

 private:
  struct Token {
    std::string text;
    std::string user;
  };

  KubeletCallers(const CertificateAuthority& trusted, CertificateAuthority other, std::string names)
      : trusted_(trusted), other_(std::move(other)), names_(std::move(names)) {}

  Result<IssuedCertificate> certificate(CallerText::Shows shows, const std::string& user);
  [[nodiscard]] std::optional<Subject> bearer(const KubeletScenario& scenario, const std::string& name) const;
  Result<void> show_certificate(Caller& caller, CallerText::Shows shows, const std::string& user, const RuleSet& rules);

  const CertificateAuthority& trusted_;
  CertificateAuthority other_;
  std::string names_;
  std::map<std::pair<CallerText::Shows, std::string>, IssuedCertificate> made_;
  std::map<std::string, Token> tokens_;  ///< replacements, by the token that each replaces
};

/// The prefix of the names of callers who send requests before a step, each with a token of its own.
inline constexpr const char* kubelet_crowd = "crowd-";

}  // namespace nodebound::kubelet_conformance
