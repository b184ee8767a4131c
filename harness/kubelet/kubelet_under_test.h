#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "harness/endpoint/https_client.h"
#include "harness/kubelet/kubelet_scenario.h"

namespace nodebound {

inline constexpr const char* kubelet_node = "nodebound-node";

/// A kubelet that runs as long as this object.
class KubeletUnderTest {
 public:
  virtual ~KubeletUnderTest() = default;

  virtual Result<std::unique_ptr<HttpClient>> connect(KubeletPort port, const Credentials& credentials) = 0;
  /// Lets its time go by.
  virtual void wait(std::chrono::milliseconds time) = 0;
};

/// What a kubelet is started with.
struct KubeletStartup {
  const KubeletScenario& scenario;
  Object config;
  std::vector<std::string> flags;
  bool kubeconfig = true;

  static KubeletStartup of(const KubeletScenario& scenario) { return {scenario, scenario.config, scenario.flags}; }
};

/// How kubelets are started, one after the other.
class KubeletStarter {
 public:
  virtual ~KubeletStarter() = default;

  /// `rules` are those of the release with the scenario's gates. The error of one that does not start has its words.
  virtual Result<std::unique_ptr<KubeletUnderTest>> start(const KubeletStartup& startup, const RuleSet& rules) = 0;
};

}  // namespace nodebound
