#pragma once

#include <map>
#include <memory>
#include <shared_mutex>

#include "fakes/authentication/authenticator.h"
#include "fakes/authentication/features.h"
#include "reference/result.h"

namespace nodebound::authentication {

/// Client certificates (apiserver's request/x509/x509.go): CN is the user, each O a group. Thread-safe.
class ClientCertificates {
 public:
  /// `authorities` are the certificates of --client-ca-file, in PEM.
  static Result<std::unique_ptr<ClientCertificates>> trusting(const std::string& authorities, const std::string& name,
                                                              const AuthenticationFeatures& features, Clock clock);
  ~ClientCertificates();

  /// `chain` is in DER, the client's own certificate first. A certificate without a common name gives neither subject
  /// nor error.
  [[nodiscard]] Authentication authenticate(const std::vector<std::string>& chain) const;

 private:
  struct Trust;
  struct Known {
    Authentication authentication;
    std::int64_t not_before = 0;
    std::int64_t not_after = 0;
  };

  ClientCertificates(std::unique_ptr<Trust> trust, const AuthenticationFeatures& features, Clock clock);
  [[nodiscard]] Known verify(const std::vector<std::string>& chain) const;

  std::unique_ptr<Trust> trust_;
  AuthenticationFeatures features_;
  Clock clock_;
  mutable std::shared_mutex mutex_;
  /// Verifying a chain takes longer than answering a request, and a client shows the same chain every time.
  mutable std::map<std::vector<std::string>, Known> known_;
};

}  // namespace nodebound::authentication
