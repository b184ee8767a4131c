#pragma once

#include "fakes/authentication/authenticator.h"

namespace nodebound::authentication {

/// Tokens in Secrets of type bootstrap.kubernetes.io/token in kube-system
/// (plugin/pkg/auth/authenticator/token/bootstrap/bootstrap.go). It never tells why it refuses a token.
class BootstrapTokens final : public TokenAuthenticator {
 public:
  BootstrapTokens(Clock clock, std::vector<std::string> audiences)
      : clock_(std::move(clock)), audiences_(std::move(audiences)) {}

  [[nodiscard]] Authentication authenticate(std::string_view token, const std::vector<std::string>& wanted,
                                            const apiserver::FindObject& find) const override;

 private:
  Clock clock_;
  std::vector<std::string> audiences_;
};

}  // namespace nodebound::authentication
