#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "fakes/kubelet_api/kubelet_configuration.h"
#include "harness/endpoint/https_client.h"
#include "harness/kubelet/kubelet_cluster.h"
#include "harness/kubelet/kubelet_files.h"
#include "harness/kubelet/kubelet_under_test.h"
#include "reference/release/rule_set.h"
#include "reference/result.h"

namespace nodebound {

/// Where the kubelet for a scenario comes from.
class KubeletSource {
 public:
  virtual ~KubeletSource() = default;

  /// As the report names it.
  [[nodiscard]] virtual std::string name() const = 0;

  /// Why there is none with the scenario's configuration; empty where there is.
  [[nodiscard]] virtual std::string unsuitable(const KubeletScenario& scenario, const RuleSet& rules) const = 0;

  /// Those it sets apart from its release's defaults, whatever the scenario.
  [[nodiscard]] virtual GateSettings gates() const = 0;

  /// One that answers. `rules` are those of the release with the scenario's gates. The error of one that does not start
  /// has its words.
  virtual Result<std::unique_ptr<KubeletUnderTest>> start(const KubeletStartup& startup, const RuleSet& rules) = 0;
};

/// A kubelet of its own for each scenario, started by a command. Releases that read no configuration file get flags.
class StartedKubelets final : public KubeletSource {
 public:
  /// `command` is a program and its first flags, apart by blanks; it gets --config, --kubeconfig and
  /// --hostname-override. Its files are in `folder`, with what SuiteCluster put there.
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

/// How a kubelet that runs already is known for the right one.
struct KubeletTrust {
  std::string authority;    ///< of its serving certificate, in PEM
  std::string fingerprint;  ///< or of that certificate, as parse_fingerprint() gives it; neither: anybody is believed
};

/// One that runs already, with a configuration of its own: it has only the scenarios that want no other.
class RunningKubelet final : public KubeletSource {
 public:
  /// Waits until it answers at `url`. Where its configuration is not given it is asked for, at /configz, by somebody to
  /// whom the cluster grants that.
  static Result<std::unique_ptr<RunningKubelet>> connect(const std::string& url, const KubeletTrust& trust,
                                                         KubeletCluster& cluster,
                                                         const std::optional<KubeletConfigurationFile>& configuration,
                                                         const RuleSet& rules, const RequestLimits& limits);

  [[nodiscard]] std::string name() const override { return "kubelet:" + url_of(server_); }
  [[nodiscard]] std::string unsuitable(const KubeletScenario& scenario, const RuleSet& rules) const override;
  [[nodiscard]] GateSettings gates() const override { return configuration_.feature_gates; }
  Result<std::unique_ptr<KubeletUnderTest>> start(const KubeletStartup& startup, const RuleSet& rules) override;

 private:
  RunningKubelet(ServerAddress server, const RequestLimits& limits) : server_(std::move(server)), limits_(limits) {}

  ServerAddress server_;
  RequestLimits limits_;
  KubeletConfigurationFile configuration_;
};

}  // namespace nodebound
