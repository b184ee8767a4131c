#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "reference/release/rule_set.h"

namespace nodebound {

/// The part of a kubelet's configuration that decides who may use its API and which paths the API has
/// (staging/src/k8s.io/kubelet/config/v1beta1/types.go, KubeletConfiguration).
struct KubeletSettings {
  bool anonymous = true;
  bool token_webhook = false;
  std::int64_t token_ttl = 120'000;  ///< milliseconds, as are the others
  bool client_ca = false;            ///< whether a client CA file is set
  std::string authorization_mode = "AlwaysAllow";
  std::int64_t allowed_ttl = 300'000;
  std::int64_t denied_ttl = 30'000;

  bool debugging_handlers = true;
  bool system_log_handler = true;
  bool profiling_handler = true;
  bool debug_flags_handler = true;
  bool cadvisor_json = true;  ///< --enable-cadvisor-json-endpoints, in releases that have it
  int port = 10250;
  int read_only_port = 10255;  ///< 0: none

  /// The settings of a kubelet that is configured by flags alone.
  static KubeletSettings of_flags(const RuleSet& rules);
  /// The settings of a kubelet with an empty configuration file.
  static KubeletSettings of_file(const RuleSet& rules);
};

/// Why a kubelet of the release does not start with these settings, in its own words; nothing if it starts.
/// `has_client`: it has a kubeconfig.
std::optional<std::string> start_error(const KubeletSettings& settings, bool has_client, const RuleSet& rules);

}  // namespace nodebound
