#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace nodebound::apiserver {

/// A token to issue for a service account, after all checks (TokenRequest of authentication.k8s.io).
struct TokenOrder {
  std::string namespace_;
  std::string service_account;
  std::string service_account_uid;
  std::vector<std::string> audiences;  ///< empty: the API server's own
  std::int64_t expiration_seconds = 3600;
  std::string bound_kind;  ///< `Pod`, `Secret`, `Node`; empty if the token is bound to nothing
  std::string bound_name;
  std::string bound_uid;
  std::string node_name;  ///< Node of the pod that the token is bound to
  std::string node_uid;
};

struct IssuedToken {
  std::string token;
  std::string expiration;              ///< as in `status.expirationTimestamp`
  std::vector<std::string> audiences;  ///< that the token is for; empty: those of the order
};

using TokenIssuer = std::function<IssuedToken(const TokenOrder& order)>;

}  // namespace nodebound::apiserver
