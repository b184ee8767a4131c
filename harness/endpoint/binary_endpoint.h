#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/endpoint/endpoint.h"
#include "harness/endpoint/https_client.h"
#include "harness/endpoint/server_settings.h"
#include "reference/result.h"

namespace nodebound {

struct BinaryOptions {
  /// The folder of `kube-apiserver`, and of `etcd` if it is there too. Empty: $TEST_ASSET_KUBE_APISERVER and
  /// $TEST_ASSET_ETCD, then $KUBEBUILDER_ASSETS. These variables never replace a folder that is given, so that nothing
  /// else is tested by accident.
  std::filesystem::path directory;
  /// The folder of etcd, if it is another one.
  std::filesystem::path etcd_directory;
  std::map<std::string, bool> feature_gates;
  /// Appended to our own flags, so these win. With `--authorization-config`, `authorization_mode` is left out.
  std::vector<std::string> extra_apiserver_flags;
  std::vector<std::string> enable_admission_plugins;  ///< besides NodeRestriction
  std::vector<std::string> disable_admission_plugins;
  std::string admission_configuration;  ///< the content of --admission-control-config-file
  std::string authorization_mode = "Node,RBAC";
  std::string abac_policy_file;    ///< the content; for the mode ABAC
  std::string webhook_kubeconfig;  ///< the same for the mode Webhook
  /// Instead of flags for the modes; without an ABAC policy file.
  std::optional<WebhookConfiguration> webhook_configuration;
  bool enable_node_restriction = true;
  std::chrono::seconds start_timeout{120};
  RequestLimits limits;
};

/// Starts an etcd and a kube-apiserver on loopback and waits until the server is ready. Both end with the endpoint.
/// Call it from the main thread: the kernel ends both programs when the thread that started them ends. Subjects ask
/// with client certificates; subjects with a uid or extra are impersonated; `system:anonymous` has no credentials.
Result<std::unique_ptr<Endpoint>> start_binary(const BinaryOptions& options);

}  // namespace nodebound
