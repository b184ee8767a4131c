#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/endpoint/identity.h"
#include "harness/kubelet/kubelet_cluster.h"
#include "harness/run/administrator.h"
#include "reference/release/rule_set.h"

namespace nodebound {

struct RbacClusterOptions {
  std::string run_id;
  std::string node;  ///< whose kubelet is asked
  /// The authority of the kubelet's clients and its key; without it no certificate can be good, or bad in time or
  /// usage.
  std::optional<CertificateAuthority> authority;
  /// Otherwise, how the cluster itself issues a certificate; empty where it is not to.
  std::function<Result<IssuedCertificate>(const Subject&)> issue;
};

/// The real cluster of a kubelet: grants are ClusterRoles and their bindings, tokens are those of service accounts. It
/// cannot deny or fail a review, and does not see which there are.
///
/// The kubelet under test may be a thief's, and a token that it is shown is good at the API server, too: kubelets have
/// tokens reviewed for no audience of their own. So rights are those on its own Node, by name, and end with each
/// request; a token is good for minutes, and ends with its scenario, by the Secret that it is bound to; and it is shown
/// only where the step is about tokens, or no certificate can be had.
class RbacCluster final : public KubeletCluster {
 public:
  /// `server_rules` are those of the API server, `rules` those of the kubelet. All must outlive it.
  static Result<std::unique_ptr<RbacCluster>> open(Endpoint& endpoint, const RuleSet& server_rules,
                                                   const RuleSet& rules, Journal& journal, RbacClusterOptions options);

  void begin(const KubeletScenario& scenario, const RuleSet& rules) override;
  [[nodiscard]] std::string cannot(const KubeletScenario& scenario, const KubeletStep& step) const override;
  Result<KubeletCallers::Caller> caller(const KubeletScenario& scenario, const std::string& who) override;
  /// Returns once the API server reviews the step's access so.
  Result<void> say(const KubeletCallers::Caller& caller, const KubeletStep& step) override;
  Result<void> withdraw(const KubeletCallers::Caller& caller) override;
  [[nodiscard]] std::string other_authority() const override { return callers_->other().certificate_pem(); }
  std::optional<ReviewServer::Asked> take() override { return std::nullopt; }

  /// Removes what was made.
  std::vector<Error> clean_up() { return administrator_.clean_up(); }

 private:
  RbacCluster(Endpoint& endpoint, const RuleSet& server_rules, const RuleSet& rules, Journal& journal,
              RbacClusterOptions options, CertificateAuthority throwaway);

  [[nodiscard]] bool has_certificates() const { return options_.authority || options_.issue; }
  Result<void> make_token(const KubeletScenario& scenario, const std::string& name, const std::string& user);
  /// Deletes the Secrets that tokens are bound to, and the tokens with them.
  Result<void> revoke_tokens();
  /// Sees what every service account may do here, whoever has granted that.
  Result<void> look_at_service_accounts();
  Result<void> grant(const std::string& user, const Object& policy_rules);
  Result<bool> reviewed(const Subject& user, const Object& attributes);

  const RuleSet& rules_;
  RbacClusterOptions options_;
  ApiResources resources_;
  Names names_;
  std::unique_ptr<Session> session_;
  Administrator administrator_;
  CertificateAuthority throwaway_;  ///< that the kubelet does not believe
  std::optional<KubeletCallers> callers_;
  std::optional<CertificateStore> issued_;    ///< by the cluster
  std::map<std::string, std::string> roles_;  ///< of a user
  std::string failure_;                       ///< of begin()
  std::vector<RequestText> secrets_;          ///< that the tokens in use are bound to
  std::size_t tokens_ = 0;
  std::string worth_of_tokens_;              ///< why none may be shown to a kubelet; empty where they may
  std::optional<Error> failure_of_issuing_;  ///< which takes its time: it is not tried again
};

}  // namespace nodebound
