#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/endpoint/https_client.h"
#include "harness/kubelet/kubelet_scenario.h"

namespace nodebound::kubelet_conformance {

/// The name of the Node of kubelets that we start.
inline constexpr const char* kubelet_node = "nodebound-node";

inline constexpr std::uint16_t usual_read_only_port = 10255;

/// A kubelet that runs at least as long as this object.
class KubeletUnderTest {
 public:
  virtual ~KubeletUnderTest() = default;

  virtual Result<std::unique_ptr<HttpClient>> connect(KubeletPort port, const Credentials& credentials) = 0;
  /// Whether anything listens at the port; at the usual number, if the kubelet was given none.
  virtual bool listens(KubeletPort port) = 0;
  /// Lets time pass for the kubelet.
  virtual void wait(std::chrono::milliseconds time) = 0;
  /// Writes only these authorities, in PEM, to its file of client CAs.
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

}  // namespace nodebound::kubelet_conformance
