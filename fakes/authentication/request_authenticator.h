#pragma once

#include <memory>
#include <vector>

#include "fakes/authentication/authenticator.h"
#include "fakes/authentication/client_certificates.h"
#include "fakes/http/handler.h"

namespace nodebound::authentication {

/// All ways to authenticate, in kube-apiserver's order: a client certificate, a bearer token of any kind, anonymous.
class RequestAuthenticator {
 public:
  struct Options {
    std::unique_ptr<ClientCertificates> certificates;         ///< null: client certificates are not accepted
    std::vector<std::unique_ptr<TokenAuthenticator>> tokens;  ///< asked in turn
    std::vector<std::string> audiences;                       ///< the API server's own
    bool anonymous = true;
  };

  explicit RequestAuthenticator(Options options) : options_(std::move(options)) {}

  /// Without a subject the request is unauthorized. Subjects get the group system:authenticated or
  /// system:unauthenticated.
  [[nodiscard]] Authentication authenticate(const IncomingRequest& request, const apiserver::FindObject& find) const;

  /// The status of a TokenReview with that `spec`.
  [[nodiscard]] Object review(const Object& spec, const apiserver::FindObject& find) const;

 private:
  [[nodiscard]] Authentication by_token(std::string_view authorization, const std::vector<std::string>& wanted,
                                        const apiserver::FindObject& find) const;
  [[nodiscard]] Authentication by_bare_token(std::string_view token, const std::vector<std::string>& wanted,
                                             const apiserver::FindObject& find) const;
  /// Adds the groups and fills in what is missing once certificate and token have been checked.
  [[nodiscard]] Authentication concluded(Authentication authentication) const;

  Options options_;
};

/// A UserInfo, as reviews and audit events have it.
Object to_user_info(const Subject& subject);

}  // namespace nodebound::authentication
