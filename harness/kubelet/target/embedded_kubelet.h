#pragma once

#include <functional>
#include <memory>

#include "fakes/kubelet_api/configuration/kubelet_configuration.h"
#include "harness/kubelet/cluster/suite_cluster.h"
#include "harness/kubelet/target/kubelet_source.h"
#include "reference/kubelet/filter.h"

namespace nodebound::kubelet_conformance {

/// The fault of an embedded kubelet; none if nothing is set.
struct KubeletFault {
  using Handle = std::function<HttpResponse(const IncomingRequest&)>;

  std::function<RuleSet(const RuleSet&)> rules;
  std::function<void(kubelet_api::KubeletConfiguration&)> configure;
  /// Wraps what sends the kubelet's reviews.
  std::function<std::unique_ptr<Reviewer>(Reviewer&)> reviewer;
  /// Changes the spec of a review of that kind before it is sent.
  std::function<void(const std::string& kind, Object& spec)> review;
  /// Answers instead of a port, and may ask that port; `main` is the main port.
  std::function<HttpResponse(KubeletPort, const IncomingRequest&, const Handle& port, const Handle& main)> answer;
};

/// The fake kubelet of nodebound without sockets, on a clock of its own.
class EmbeddedKubelets final : public KubeletSource {
 public:
  /// `folder` is the cluster's. The cluster must outlive this object and all kubelets that it starts.
  EmbeddedKubelets(const std::filesystem::path& folder, SuiteCluster& cluster, KubeletFault fault = {})
      : files_(folder), reviews_(cluster.reviews()), fault_(std::move(fault)) {}

  [[nodiscard]] std::string name() const override { return "mutant"; }
  [[nodiscard]] std::string unsuitable(const KubeletScenario& /*scenario*/, const RuleSet& /*rules*/) const override {
    return {};
  }
  [[nodiscard]] GateSettings gates() const override { return {}; }
  Result<std::unique_ptr<KubeletUnderTest>> start(const KubeletStartup& startup, const RuleSet& rules) override;

 private:
  KubeletFiles files_;
  ReviewServer& reviews_;
  KubeletFault fault_;
};

}  // namespace nodebound::kubelet_conformance
