#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/kubelet/target/kubelet_under_test.h"
#include "reference/result.h"

namespace nodebound::kubelet_conformance {

/// The ports of a kubelet under test; 0: no such port.
struct KubeletPortNumbers {
  std::uint16_t main = 0;
  std::uint16_t read_only = 0;
  std::uint16_t healthz = 0;
};

/// The files of a kubelet under test, in one folder: `kubeconfig` and `client-ca.crt`, which SuiteCluster makes,
/// `trusted-ca.crt`, which may change while the kubelet runs, and `config.yaml`.
class KubeletFiles {
 public:
  explicit KubeletFiles(const std::filesystem::path& folder) : folder_(std::filesystem::absolute(folder)) {}

  /// The text of the configuration file: common settings of every kubelet under test, overridden by `startup`.
  [[nodiscard]] std::string configuration(const KubeletStartup& startup, const KubeletPortNumbers& ports) const;
  /// The equivalent flags, for kubelets without a configuration file.
  [[nodiscard]] std::vector<std::string> flags(const KubeletStartup& startup, const KubeletPortNumbers& ports) const;

  /// Writes only these authorities, in PEM, to the file of client CAs; without any, those of the cluster.
  [[nodiscard]] Result<void> trust(const std::string& authorities = {}) const;

  [[nodiscard]] std::filesystem::path path(const char* name) const { return folder_ / name; }

 private:
  std::filesystem::path folder_;
};

/// Whether a kubelet with these rules gets a configuration file.
bool takes_file(const KubeletScenario& scenario, const RuleSet& rules);

}  // namespace nodebound::kubelet_conformance
