#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "fakes/apiserver/api_server.h"
#include "fakes/faults/fault.h"
#include "fakes/proxy/kubelet_proxy.h"
#include "harness/cli/serve/authorization_file.h"
#include "harness/cli/serve/serve_authorizers.h"
#include "reference/result.h"

namespace nodebound::cli {

/// The flags of `nodebound serve`. Flags that kube-apiserver has too mean the same here.
struct ServeFlags {
  std::string release;
  std::string feature_gates;
  std::uint16_t secure_port = 6443;
  std::string bind_address = "127.0.0.1";
  std::string client_ca_file;
  std::string tls_cert_file;
  std::string tls_private_key_file;
  std::vector<std::string> authorization_mode = {"Node", "RBAC"};
  std::string authorization_config;
  std::string authorization_policy_file;
  AuthorizationWebhookFlags authorization_webhook;
  std::vector<std::string> enable_admission_plugins;
  std::vector<std::string> disable_admission_plugins;
  std::string admission_control_config_file;
  std::string token_auth_file;
  bool enable_bootstrap_token_auth = true;
  bool anonymous_auth = true;
  std::vector<std::string> service_account_key_files;
  std::string service_account_signing_key_file;
  std::string service_account_issuer = "https://kubernetes.default.svc";
  std::vector<std::string> api_audiences;
  std::string kubelet_certificate_authority;
  std::string kubelet_client_certificate;
  std::string kubelet_client_key;
  std::vector<std::string> kubelet_preferred_address_types;  ///< empty: not given
  bool proxy_to_any_address = false;
  std::string audit_log_path;
  std::string data_dir;
  std::vector<std::string> faults;
  std::string kubeconfig_out;
  std::vector<std::string> nodes;
  std::vector<std::string> controllers;
  std::string cluster_signing_cert_file;
  std::string cluster_signing_key_file;
  std::string cluster_signing_duration = "8760h";
  std::size_t kubelets = 0;
  std::string kubelet_release;
  bool verbose = false;

  void add_to(CLI::App& command);

  /// The API server's options by these flags. An input error if a flag asks for something that does not exist.
  [[nodiscard]] Result<apiserver::ApiServer::Options> server_options() const;

  /// Adds the authorizers to the options: those of `file`, which may be null, or else of the flags. `own_release` must
  /// outlive the server.
  Result<void> add_authorizers(AuthorizationFile* file, const Release& own_release,
                               apiserver::ApiServer::Options& options) const;

  /// Which of a Node's addresses its kubelet is reached at. The names of our own kubelets are known to no DNS.
  [[nodiscard]] std::vector<std::string> address_types() const;

  /// The faults that are active from the start.
  [[nodiscard]] Result<std::vector<faults::Fault>> parsed_faults() const;

 private:
  std::vector<const CLI::Option*> replaced_by_config_;  ///< the flags that --authorization-config takes the place of
};

}  // namespace nodebound::cli
