#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

#include "fakes/authentication/client_certificates.h"
#include "reference/release/rule_set.h"

namespace nodebound {

/// The client CAs of a kubelet's file, read again where a kubelet of the release does so. Thread-safe.
class ClientCaFile {
 public:
  /// Null for an empty path. The rules must outlive it.
  static Result<std::unique_ptr<ClientCaFile>> open(const std::string& path, const RuleSet& rules);

  /// Those of the moment; the last that could be read where the file is no longer right.
  std::shared_ptr<const ClientCertificates> current();
  [[nodiscard]] const std::string& pem() const { return pem_; }

 private:
  ClientCaFile(std::string path, const RuleSet& rules) : path_(std::move(path)), rules_(rules) {}
  Result<void> read();

  std::string path_;
  const RuleSet& rules_;
  std::mutex mutex_;
  std::string pem_;  ///< as it was first: the handshake goes on asking for it
  std::filesystem::file_time_type read_at_;
  std::shared_ptr<const ClientCertificates> certificates_;
};

/// The text of a file that a flag or a configuration names, or an error in the words of Go.
Result<std::string> file_text(const std::string& path);

}  // namespace nodebound
