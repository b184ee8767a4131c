#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fakes/kubelet_api/configuration/kubelet_configuration.h"
#include "reference/result.h"

namespace nodebound::kubelet_conformance {

/// The flags of `nodebound kubelet`. Flags that kubelet has too mean the same, and override the file.
struct KubeletFlags {
  std::string release;
  std::string config;
  std::string kubeconfig;
  std::string hostname_override;
  std::string feature_gates;
  bool verbose = false;
  std::optional<std::string> address;
  std::optional<int> port;
  std::optional<int> read_only_port;
  std::optional<int> healthz_port;
  std::optional<bool> anonymous_auth;
  std::optional<bool> token_webhook;
  std::optional<std::string> token_ttl;
  std::optional<std::string> authorization_mode;
  std::optional<std::string> allowed_ttl;
  std::optional<std::string> denied_ttl;
  std::optional<std::string> client_ca_file;
  std::optional<std::string> tls_cert_file;
  std::optional<std::string> tls_private_key_file;
  std::optional<bool> debugging_handlers;
  std::optional<bool> cadvisor_json;

  /// The `release` that is set before the call is the default of --release.
  void add_to(CLI::App& command);

  /// Overrides a configuration with the given flags.
  Result<void> apply_to(kubelet_api::KubeletConfiguration& configuration) const;
};

/// The configuration that a kubelet with these rules uses, from its flags and, if it supports one, its file. If such a
/// kubelet would not start, the error has its words.
Result<kubelet_api::KubeletConfiguration> configured_kubelet(
    const KubeletFlags& flags, const std::optional<kubelet_api::KubeletConfigurationFile>& file, const RuleSet& rules);

/// The flags that were given to a command, with their values.
std::vector<std::pair<std::string, std::string>> given_flags(const CLI::App& command);

}  // namespace nodebound::kubelet_conformance
