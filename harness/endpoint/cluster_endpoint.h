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

/// How a cluster is made to treat a connection as coming from a subject.
enum class IdentityMode {
  impersonate,  ///< the administrator's credentials and Impersonate-* headers
  ca,           ///< client certificates that we sign with the key of the cluster's client CA
  csr,          ///< client certificates that the cluster issues, by CertificateSigningRequest
};

struct ClusterOptions {
  IdentityMode identity = IdentityMode::impersonate;
  /// For IdentityMode::ca: the authority of --client-ca-file and its key, in PEM.
  std::filesystem::path ca_certificate_file;
  std::filesystem::path ca_key_file;
  RequestLimits limits;
  /// Receives a message for the user before anything is sent; it may be empty.
  std::function<void(const std::string&)> warn;
};

/// A running cluster. `spec` is the argument of load_kubeconfig(). In every mode, subjects with a uid or extra are
/// impersonated, because certificates carry neither, and `system:anonymous` asks without credentials.
Result<std::unique_ptr<Endpoint>> connect_kubeconfig(std::string_view spec, const ClusterOptions& options);

}  // namespace nodebound
