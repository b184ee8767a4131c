#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/apiserver/review/token_reviewer.h"
#include "reference/identity/subject.h"

namespace nodebound::authentication {

/// Seconds since 1970.
using Clock = std::function<std::int64_t()>;

/// What one kind of credential shows about the requester: a subject, an error, or neither if the credential is not of
/// this kind.
struct Authentication {
  std::optional<Subject> subject;
  std::vector<std::string> audiences;  ///< those of the wanted audiences that the credential is valid for
  std::string error;                   ///< as a TokenReview shows it
  std::string warning = {};            ///< of how the credential is written

  static Authentication no_opinion() { return {}; }
  static Authentication failed(std::string error) { return {std::nullopt, {}, std::move(error)}; }
};

/// One kind of bearer token. Thread-safe.
class TokenAuthenticator {
 public:
  virtual ~TokenAuthenticator() = default;
  [[nodiscard]] virtual Authentication authenticate(std::string_view token, const std::vector<std::string>& wanted,
                                                    const apiserver::FindObject& find) const = 0;
};

/// The wanted audiences that are among `audiences`.
std::vector<std::string> in_common(const std::vector<std::string>& audiences, const std::vector<std::string>& wanted);

}  // namespace nodebound::authentication
