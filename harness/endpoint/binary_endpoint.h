#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/endpoint/endpoint.h"
#include "harness/endpoint/https_client.h"
#include "reference/result.h"

namespace nodebound {

struct BinaryOptions {
  /// Where `kube-apiserver` is, and `etcd` if it is there too. Empty: $TEST_ASSET_KUBE_APISERVER and $TEST_ASSET_ETCD,
  /// then $KUBEBUILDER_ASSETS. A folder that is given is never replaced by these, so that nothing else is tested.
  std::filesystem::path directory;
  /// Where etcd is, if that is another folder.
  std::filesystem::path etcd_directory;
  std::map<std::string, bool> feature_gates;
  /// After ours, so that they win; with `--authorization-config`, `authorization_mode` is left out.
  std::vector<std::string> extra_apiserver_flags;
  std::vector<std::string> disable_admission_plugins;
  std::string authorization_mode = "Node,RBAC";
  bool enable_node_restriction = true;
  std::chrono::seconds start_timeout{120};
  RequestLimits limits;
};

/// Starts an etcd and a kube-apiserver on loopback, which end with the endpoint, and waits until the server is ready.
/// Call it from the main thread: the kernel ends both programs when the thread that started them ends. Subjects ask
/// with client certificates, or are impersonated where they have a uid or extra; `system:anonymous` has no credentials.
Result<std::unique_ptr<Endpoint>> start_binary(const BinaryOptions& options);

}  // namespace nodebound
