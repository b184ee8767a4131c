#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

#include "fakes/authentication/client_certificates.h"
#include "reference/release/rule_set.h"

namespace nodebound::kubelet_conformance {

/// The client CAs in a kubelet's file. Read again after changes, in releases whose kubelets do so. Thread-safe.
class ClientCaFile {
 public:
  /// Null for an empty path. The rules must outlive it.
  static Result<std::unique_ptr<ClientCaFile>> open(const std::string& path, const RuleSet& rules);

  /// The current CAs; the last readable ones if the file is no longer valid.
  std::shared_ptr<const authentication::ClientCertificates> current();
  [[nodiscard]] const std::string& pem() const { return pem_; }

 private:
  ClientCaFile(std::string path, const RuleSet& rules) : path_(std::move(path)), rules_(rules) {}
  Result<void> read();

  std::string path_;
  const RuleSet& rules_;
  std::mutex mutex_;
  std::string pem_;  ///< the first content: the TLS handshake keeps asking for it
  std::filesystem::file_time_type read_at_;
  std::shared_ptr<const authentication::ClientCertificates> certificates_;
};

/// The text of a file that a flag or a configuration names, or an error in Go's words.
Result<std::string> file_text(const std::string& path);

}  // namespace nodebound::kubelet_conformance
