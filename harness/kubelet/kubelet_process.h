#pragma once

#include <memory>
#include <string>

#include "harness/kubelet/kubelet_files.h"

namespace nodebound {

/// Kubelets that are programs. `command` is one and its first flags, apart by blanks; it gets --config, --kubeconfig
/// and --hostname-override as well. Releases that read no configuration file get flags.
class KubeletProcesses final : public KubeletStarter {
 public:
  /// The files must outlive it.
  KubeletProcesses(std::string command, const KubeletFiles& files) : command_(std::move(command)), files_(files) {}

  /// Returns when it answers, or when it has ended.
  Result<std::unique_ptr<KubeletUnderTest>> start(const KubeletStartup& startup, const RuleSet& rules) override;

 private:
  std::string command_;
  const KubeletFiles& files_;
};

}  // namespace nodebound
