#pragma once

#include <memory>
#include <string>

#include "fakes/wire/certificates/pki.h"
#include "harness/endpoint/binary_endpoint.h"
#include "harness/endpoint/child_process.h"
#include "harness/endpoint/https_client.h"
#include "harness/endpoint/loopback.h"
#include "reference/result.h"

namespace nodebound {

/// An etcd and a kube-apiserver of our own, which end with this object.
class ControlPlane {
 public:
  /// Returns once /readyz succeeds: by then RBAC's bootstrap roles exist. `administrator` is in system:masters.
  static Result<std::unique_ptr<ControlPlane>> start(const BinaryOptions& options, const Subject& administrator);

  /// Replaces the running kube-apiserver by the one of `options.directory` with its flags, on the same etcd,
  /// certificates and port. Returns once /readyz succeeds.
  Result<void> replace_apiserver(const BinaryOptions& options);

  [[nodiscard]] const std::filesystem::path& apiserver_program() const { return apiserver_program_; }
  [[nodiscard]] const CertificateAuthority& authority() const { return authority_; }
  [[nodiscard]] const ServerAddress& server() const { return server_; }
  [[nodiscard]] const Credentials& administrator() const { return administrator_; }

  /// `error`, or that one of the programs has ended if this explains it. Thread-safe.
  Error explain(Error error);

 private:
  ControlPlane(std::filesystem::path etcd, std::filesystem::path apiserver, TemporaryDirectory folder,
               CertificateAuthority authority)
      : etcd_program_(std::move(etcd)),
        apiserver_program_(std::move(apiserver)),
        folder_(std::move(folder)),
        authority_(std::move(authority)) {}

  Result<void> write_pki(const Subject& administrator);
  /// `port_taken` is set if another attempt on other ports may succeed.
  Result<void> attempt(int number, const BinaryOptions& options, bool& port_taken);
  Result<void> start_etcd(int attempt, std::uint16_t port, std::uint16_t peer_port, const BinaryOptions& options);
  Result<void> start_apiserver(const BinaryOptions& options);
  [[nodiscard]] std::vector<std::string> apiserver_flags(const BinaryOptions& options) const;

  std::filesystem::path etcd_program_;
  std::filesystem::path apiserver_program_;
  // Members are destroyed in reverse order: the server, then the store, then the files that both use.
  TemporaryDirectory folder_;
  CertificateAuthority authority_;
  ServerAddress server_;
  Credentials administrator_;
  std::uint16_t etcd_port_ = 0;
  int apiservers_ = 0;  ///< started so far; each has its own log
  std::unique_ptr<ChildProcess> etcd_;
  std::unique_ptr<ChildProcess> apiserver_;
};

}  // namespace nodebound
