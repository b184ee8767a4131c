#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "harness/endpoint/endpoint.h"
#include "harness/endpoint/https_client.h"
#include "reference/result.h"

namespace nodebound {

/// How a cluster is made to take a connection for a subject.
enum class IdentityMode {
  impersonate,  ///< the administrator's credentials and Impersonate-* headers
  ca,           ///< client certificates issued with the key of the cluster's authority of clients
  csr,          ///< client certificates that the cluster issues, by CertificateSigningRequest
};

struct ClusterOptions {
  IdentityMode identity = IdentityMode::impersonate;
  /// For IdentityMode::ca: the authority of --client-ca-file and its key, in PEM.
  std::filesystem::path ca_certificate_file;
  std::filesystem::path ca_key_file;
  RequestLimits limits;
  /// Gets what the user should know before anything is sent; may be empty.
  std::function<void(const std::string&)> warn;
};

/// A running cluster. `spec` is what load_kubeconfig() takes. Whatever the mode, subjects with a uid or extra are
/// impersonated, because certificates carry neither, and `system:anonymous` asks without credentials.
Result<std::unique_ptr<Endpoint>> connect_kubeconfig(std::string_view spec, const ClusterOptions& options);

}  // namespace nodebound
