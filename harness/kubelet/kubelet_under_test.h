#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/endpoint/https_client.h"
#include "harness/kubelet/kubelet_scenario.h"

namespace nodebound {

/// The Node of a kubelet that is started.
inline constexpr const char* kubelet_node = "nodebound-node";

inline constexpr std::uint16_t usual_read_only_port = 10255;

/// A kubelet that runs as long as this object, or longer.
class KubeletUnderTest {
 public:
  virtual ~KubeletUnderTest() = default;

  virtual Result<std::unique_ptr<HttpClient>> connect(KubeletPort port, const Credentials& credentials) = 0;
  /// Whether somebody listens at the port: at its usual number, where the kubelet was not given one.
  virtual bool listens(KubeletPort port) = 0;
  /// Lets its time go by.
  virtual void wait(std::chrono::milliseconds time) = 0;
  /// Has its file of client CAs name these alone, in PEM.
  virtual Result<void> trust(const std::string& authorities) = 0;
};

/// What a kubelet is started with.
struct KubeletStartup {
  const KubeletScenario& scenario;
  Object config;
  std::vector<std::string> flags;
  bool kubeconfig = true;

  static KubeletStartup of(const KubeletScenario& scenario) { return {scenario, scenario.config, scenario.flags}; }
};

}  // namespace nodebound
