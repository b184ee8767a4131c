#pragma once

#include "fakes/apiserver/review/token_issuer.h"
#include "fakes/authentication/authenticator.h"
#include "fakes/authentication/features.h"
#include "fakes/wire/certificates/openssl.h"

namespace nodebound::authentication {

/// Service account tokens, which this API server signs and verifies (pkg/serviceaccount/{jwt,claims}.go).
class ServiceAccountTokens final : public TokenAuthenticator {
 public:
  struct Options {
    std::string issuer = "https://kubernetes.default.svc";
    std::vector<std::string> audiences;  ///< the API server's own
    openssl::Key signing_key;            ///< null: it issues no tokens
    std::vector<openssl::Key> verification_keys;
    AuthenticationFeatures features;
    Clock clock;
    std::function<std::string()> new_id;  ///< a UUID for each token
  };

  explicit ServiceAccountTokens(Options options);

  [[nodiscard]] const std::string& issuer() const { return options_.issuer; }
  [[nodiscard]] const std::vector<openssl::Key>& verification_keys() const { return options_.verification_keys; }

  [[nodiscard]] bool can_issue() const { return options_.signing_key != nullptr; }

  /// Call it only if `can_issue`.
  [[nodiscard]] apiserver::IssuedToken issue(const apiserver::TokenOrder& order) const;

  [[nodiscard]] Authentication authenticate(std::string_view token, const std::vector<std::string>& wanted,
                                            const apiserver::FindObject& find) const override;

 private:
  /// The keys that may have signed the token.
  [[nodiscard]] std::vector<EVP_PKEY*> keys_for(const struct Jwt& token) const;
  /// Why no known key verifies the token; empty if one does.
  [[nodiscard]] std::string not_verified(const struct Jwt& token) const;
  [[nodiscard]] std::string outside_its_time(const Object& claims) const;
  [[nodiscard]] std::string broken_binding(const Object& claims, const apiserver::FindObject& find) const;
  [[nodiscard]] Subject subject_of(const Object& claims) const;

  Options options_;
  std::vector<std::string> key_ids_;  ///< of the verification keys
};

}  // namespace nodebound::authentication
