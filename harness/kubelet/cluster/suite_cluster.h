#pragma once

#include <filesystem>
#include <memory>

#include "harness/kubelet/cluster/kubelet_cluster.h"

namespace nodebound::kubelet_conformance {

/// A cluster of the suite's own, for which a kubelet gets a kubeconfig. It grants, denies, fails and counts reviews as
/// a scenario says.
class SuiteCluster final : public KubeletCluster {
 public:
  /// Makes the folder's `kubeconfig`, `client-ca.crt` and `client-ca.key`, or reuses existing ones, so that a kubelet
  /// that was started with them belongs to it again. `names` prefixes the names of its users. `node` is that of the
  /// kubelet; empty: its first review determines it.
  static Result<std::unique_ptr<SuiteCluster>> open(const std::filesystem::path& folder, const std::string& names,
                                                    const std::string& node);

  void begin(const KubeletScenario& scenario, const RuleSet& rules) override;
  [[nodiscard]] std::string cannot(const KubeletScenario& scenario, const KubeletStep& step) const override;
  Result<KubeletCallers::Caller> caller(const KubeletScenario& scenario, const CallerText& who) override;
  Result<void> say(const KubeletCallers::Caller& caller, const KubeletStep& step) override;
  /// Does nothing: nobody else asks this cluster, and the next step sets its own answers.
  Result<void> withdraw(const KubeletCallers::Caller& /*caller*/) override { return {}; }
  [[nodiscard]] std::string other_authority() const override { return callers_->other().certificate_pem(); }
  std::optional<ReviewServer::Asked> take() override;

  /// For callers without a connection.
  [[nodiscard]] ReviewServer& reviews() { return *reviews_; }

 private:
  explicit SuiteCluster(CertificateAuthority authority) : authority_(std::move(authority)) {}

  CertificateAuthority authority_;
  std::unique_ptr<ReviewServer> reviews_;
  std::optional<KubeletCallers> callers_;
  const RuleSet* rules_ = nullptr;
  std::string crowd_;  ///< prefix of the tokens of others
};

}  // namespace nodebound::kubelet_conformance
