#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/check/administrator.h"
#include "harness/endpoint/credentials/identity.h"
#include "harness/kubelet/cluster/kubelet_cluster.h"
#include "reference/release/rule_set.h"

namespace nodebound::kubelet_conformance {

struct RbacClusterOptions {
  std::string run_id;
  std::string node;  ///< the Node whose kubelet is asked
  /// The key and certificate of the kubelet's client CA. Without them no certificate can be valid, or invalid only in
  /// time or usage.
  std::optional<CertificateAuthority> authority;
  /// Otherwise, how the cluster issues a certificate; empty if it should not.
  std::function<Result<IssuedCertificate>(const Subject&)> issue;
};

/// The real cluster of a kubelet: grants are ClusterRoles and bindings, tokens belong to service accounts. It can
/// neither deny nor fail a review, and does not see which reviews are sent.
///
/// A compromised kubelet may steal what it is shown, and a token is valid at the API server too, because kubelets
/// request reviews without an audience. So rights cover only its own Node, by name, and end with each request. A token
/// lasts minutes and ends with its scenario, when the Secret that it is bound to is deleted. Tokens are shown only for
/// steps about tokens, or if no certificate can be had.
class RbacCluster final : public KubeletCluster {
 public:
  /// `server_rules` are those of the API server, `rules` those of the kubelet. Everything passed in must outlive it.
  static Result<std::unique_ptr<RbacCluster>> open(Endpoint& endpoint, const RuleSet& server_rules,
                                                   const RuleSet& rules, journal::Journal& journal,
                                                   RbacClusterOptions options);

  void begin(const KubeletScenario& scenario, const RuleSet& rules) override;
  [[nodiscard]] std::string cannot(const KubeletScenario& scenario, const KubeletStep& step) const override;
  Result<KubeletCallers::Caller> caller(const KubeletScenario& scenario, const CallerText& who) override;
  /// Returns once the API server's review gives the step's access.
  Result<void> say(const KubeletCallers::Caller& caller, const KubeletStep& step) override;
  Result<void> withdraw(const KubeletCallers::Caller& caller) override;
  [[nodiscard]] std::string other_authority() const override { return callers_->other().certificate_pem(); }
  std::optional<ReviewServer::Asked> take() override { return std::nullopt; }

  /// Removes what was made.
  std::vector<Error> clean_up() { return administrator_.clean_up(); }

 private:
  RbacCluster(Endpoint& endpoint, const RuleSet& server_rules, const RuleSet& rules, journal::Journal& journal,
              RbacClusterOptions options, CertificateAuthority throwaway);

  [[nodiscard]] bool has_certificates() const { return options_.authority || options_.issue; }
  Result<void> make_token(const KubeletScenario& scenario, const std::string& name, const std::string& user);
  /// Deletes the Secrets that tokens are bound to, which ends the tokens.
  Result<void> revoke_tokens();
  /// Finds out what every service account may do here, whoever granted it.
  Result<void> look_at_service_accounts();
  Result<void> grant(const std::string& user, const Object& policy_rules);
  Result<bool> reviewed(const Subject& user, const Object& attributes);

  const RuleSet& rules_;
  RbacClusterOptions options_;
  ApiResources resources_;
  Names names_;
  std::unique_ptr<Session> session_;
  Administrator administrator_;
  CertificateAuthority throwaway_;  ///< an authority that the kubelet does not trust
  std::optional<KubeletCallers> callers_;
  std::optional<CertificateStore> issued_;    ///< certificates that the cluster issued
  std::map<std::string, std::string> roles_;  ///< by user
  std::string failure_;                       ///< of begin()
  std::vector<RequestText> secrets_;          ///< Secrets that the tokens in use are bound to
  std::size_t tokens_ = 0;
  std::string worth_of_tokens_;              ///< why no token may be shown to a kubelet; empty if they may
  std::optional<Error> failure_of_issuing_;  ///< kept, because issuing takes long and is not tried again
};

}  // namespace nodebound::kubelet_conformance
