#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "fakes/kubelet_api/configuration/kubelet_configuration.h"
#include "harness/endpoint/capability.h"
#include "harness/endpoint/https_client.h"
#include "harness/kubelet/cluster/kubelet_cluster.h"
#include "harness/kubelet/target/kubelet_files.h"
#include "harness/kubelet/target/kubelet_under_test.h"
#include "reference/release/rule_set.h"
#include "reference/result.h"

namespace nodebound::kubelet_conformance {

/// Provides the kubelet for a scenario.
class KubeletSource {
 public:
  virtual ~KubeletSource() = default;

  /// The name in the report.
  [[nodiscard]] virtual std::string name() const = 0;

  [[nodiscard]] virtual Capabilities capabilities() const { return {Capability::kubelet_request}; }

  /// Why it has no kubelet with the scenario's configuration; empty if it has one.
  [[nodiscard]] virtual std::string unsuitable(const KubeletScenario& scenario, const RuleSet& rules) const = 0;

  /// The feature gates that it sets apart from its release's defaults, for every scenario.
  [[nodiscard]] virtual GateSettings gates() const = 0;

  /// A kubelet that answers. `rules` are those of the release with the scenario's gates. If the kubelet does not start,
  /// the error has its words.
  virtual Result<std::unique_ptr<KubeletUnderTest>> start(const KubeletStartup& startup, const RuleSet& rules) = 0;
};

/// Starts a kubelet by a command for each scenario. Releases without a configuration file get flags.
class StartedKubelets final : public KubeletSource {
 public:
  /// `command` is a program and its first flags, separated by blanks; --config, --kubeconfig and --hostname-override
  /// are added. The kubelet's files are in `folder`, beside those of SuiteCluster.
  StartedKubelets(std::string command, const std::filesystem::path& folder)
      : command_(std::move(command)), files_(folder) {}

  [[nodiscard]] std::string name() const override { return "kubelet:" + command_; }
  [[nodiscard]] std::string unsuitable(const KubeletScenario& /*scenario*/, const RuleSet& /*rules*/) const override {
    return {};
  }
  [[nodiscard]] GateSettings gates() const override { return {}; }
  /// Returns when it answers, or when it has ended.
  Result<std::unique_ptr<KubeletUnderTest>> start(const KubeletStartup& startup, const RuleSet& rules) override;

 private:
  std::string command_;
  KubeletFiles files_;
};

/// How a running kubelet proves to be the right one.
struct KubeletTrust {
  std::string authority;    ///< of its serving certificate, in PEM
  std::string fingerprint;  ///< or of that certificate, as from parse_fingerprint(); if both are empty, any is trusted
};

/// A kubelet that runs already with its own configuration. It serves only scenarios that need no other.
class RunningKubelet final : public KubeletSource {
 public:
  /// Waits until the kubelet answers at `url`. If its configuration is not given, reads it from /configz as a caller to
  /// whom the cluster grants that.
  static Result<std::unique_ptr<RunningKubelet>> connect(
      const std::string& url, const KubeletTrust& trust, KubeletCluster& cluster,
      const std::optional<kubelet_api::KubeletConfigurationFile>& configuration, const RuleSet& rules,
      const RequestLimits& limits);

  [[nodiscard]] std::string name() const override { return "kubelet:" + url_of(server_); }
  [[nodiscard]] std::string unsuitable(const KubeletScenario& scenario, const RuleSet& rules) const override;
  [[nodiscard]] GateSettings gates() const override { return configuration_.feature_gates; }
  Result<std::unique_ptr<KubeletUnderTest>> start(const KubeletStartup& startup, const RuleSet& rules) override;

 private:
  RunningKubelet(ServerAddress server, const RequestLimits& limits) : server_(std::move(server)), limits_(limits) {}

  ServerAddress server_;
  RequestLimits limits_;
  kubelet_api::KubeletConfigurationFile configuration_;
};

}  // namespace nodebound::kubelet_conformance
