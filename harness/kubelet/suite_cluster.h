#pragma once

#include <filesystem>
#include <memory>

#include "harness/kubelet/kubelet_cluster.h"

namespace nodebound {

/// A cluster of the suite's own, of which a kubelet is given a kubeconfig: it grants, denies, fails and counts what a
/// scenario says.
class SuiteCluster final : public KubeletCluster {
 public:
  /// Makes the folder's `kubeconfig`, `client-ca.crt` and `client-ca.key`, or goes on with those that are there: a
  /// kubelet that was started with them belongs to it again. `names` stands before those of its users; `node` is that
  /// of the kubelet, empty where its first review is to say it.
  static Result<std::unique_ptr<SuiteCluster>> open(const std::filesystem::path& folder, const std::string& names,
                                                    const std::string& node);

  void begin(const KubeletScenario& scenario, const RuleSet& rules) override;
  [[nodiscard]] std::string cannot(const KubeletScenario& scenario, const KubeletStep& step) const override;
  Result<KubeletCallers::Caller> caller(const KubeletScenario& scenario, const std::string& who) override;
  Result<void> say(const KubeletCallers::Caller& caller, const KubeletStep& step) override;
  /// Only the next caller's reviews say otherwise: nobody else asks this cluster.
  Result<void> withdraw(const KubeletCallers::Caller& /*caller*/) override { return {}; }
  [[nodiscard]] std::string other_authority() const override { return callers_->other().certificate_pem(); }
  std::optional<ReviewServer::Asked> take() override;

  /// For who asks it without a connection.
  [[nodiscard]] ReviewServer& reviews() { return *reviews_; }

 private:
  explicit SuiteCluster(CertificateAuthority authority) : authority_(std::move(authority)) {}

  CertificateAuthority authority_;
  std::unique_ptr<ReviewServer> reviews_;
  std::optional<KubeletCallers> callers_;
  const RuleSet* rules_ = nullptr;
  std::string crowd_;  ///< how the tokens of others begin
};

}  // namespace nodebound
