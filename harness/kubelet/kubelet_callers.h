#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "harness/endpoint/https_client.h"
#include "harness/endpoint/pki.h"
#include "harness/kubelet/kubelet_scenario.h"

namespace nodebound {

/// Who asks a kubelet: the credentials that the words of a scenario mean. Certificates are made once.
class KubeletCallers {
 public:
  /// `names` stands before all names of users and tokens, where a kubelet may know others from before.
  static Result<KubeletCallers> create(const CertificateAuthority& trusted, std::string names = {});

  struct Caller {
    Credentials credentials;
    Subject subject;    ///< as a kubelet that takes them for somebody names them in an access review
    Rule known_by;      ///< that says so
    std::string token;  ///< that is reviewed; empty if none
  };
  /// `who` of a step; names are of the scenario alone, so that no cache knows them from another.
  Result<Caller> caller(const KubeletScenario& scenario, const std::string& who, const RuleSet& rules);

  /// The authority of callers whom nobody trusts.
  [[nodiscard]] const CertificateAuthority& other() const { return other_; }

  /// The user that a scenario calls `name`.
  [[nodiscard]] std::string user(const KubeletScenario& scenario, const std::string& name) const;
  /// The token that a scenario calls `name`.
  [[nodiscard]] std::string token(const KubeletScenario& scenario, const std::string& name) const;
  [[nodiscard]] bool has_token(const KubeletScenario& scenario, const std::string& name) const;
  /// From now on it is this one, of another user.
  void use_token(const KubeletScenario& scenario, const std::string& name, std::string token, std::string user);

 private:
  struct Token {
    std::string text;
    std::string user;
  };

  KubeletCallers(const CertificateAuthority& trusted, CertificateAuthority other, std::string names)
      : trusted_(trusted), other_(std::move(other)), names_(std::move(names)) {}

  Result<IssuedCertificate> certificate(const std::string& kind, const std::string& user);
  [[nodiscard]] std::optional<Subject> bearer(const KubeletScenario& scenario, const std::string& name) const;
  Result<void> show_certificate(Caller& caller, const std::string& kind, const std::string& user, const RuleSet& rules);

  const CertificateAuthority& trusted_;
  CertificateAuthority other_;
  std::string names_;
  std::map<std::string, IssuedCertificate> made_;
  std::map<std::string, Token> tokens_;  ///< by the name it has otherwise
};

/// How the names of others begin who send requests before a step, each with a token of their own.
inline constexpr const char* kubelet_crowd = "crowd-";

/// What kind of credentials the words of a step mean: `certificate` of `certificate NAME`.
std::string kind_of_caller(const std::string& who);
/// The name among them; `somebody` where there is none.
std::string name_of_caller(const std::string& who);

}  // namespace nodebound
