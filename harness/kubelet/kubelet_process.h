#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/endpoint/child_process.h"
#include "harness/endpoint/https_client.h"
#include "harness/endpoint/pki.h"
#include "harness/kubelet/kubelet_scenario.h"
#include "reference/result.h"

namespace nodebound {

inline constexpr const char* kubelet_node = "nodebound-node";

/// The files that a kubelet under test is given, in one folder: `config.yaml`, and `kubeconfig` and `client-ca.crt`,
/// which SuiteCluster makes.
class KubeletFiles {
 public:
  explicit KubeletFiles(const std::filesystem::path& folder) : folder_(std::filesystem::absolute(folder)) {}

  /// `config.yaml` with what every kubelet under test has, and `config` of a scenario over it.
  [[nodiscard]] Result<void> configure(const Object& config, const GateSettings& gates, std::uint16_t port) const;

  [[nodiscard]] std::filesystem::path path(const char* name) const { return folder_ / name; }

 private:
  std::filesystem::path folder_;
};

/// A kubelet that runs as long as this object.
class KubeletProcess {
 public:
  /// `command` is a program and its first flags, apart by blanks. Releases that read no configuration file get flags.
  /// Returns when it answers, or when it has ended.
  static Result<std::unique_ptr<KubeletProcess>> start(const std::string& command, const KubeletScenario& scenario,
                                                       const KubeletFiles& files, const RuleSet& rules);

  [[nodiscard]] const ServerAddress& server() const { return server_; }
  /// What it wrote last; for messages.
  [[nodiscard]] std::string last_lines() const { return process_->last_lines(5); }

 private:
  KubeletProcess() = default;

  std::unique_ptr<ChildProcess> process_;
  ServerAddress server_;
};

/// Waits until a kubelet answers there; an error once `ending` says that it has ended, or that the time is up.
Result<void> wait_for_kubelet(const ServerAddress& server, const std::function<std::optional<std::string>()>& ending);

}  // namespace nodebound
