#pragma once

#include <unordered_map>

#include "fakes/authentication/authenticator.h"
#include "reference/result.h"

namespace nodebound::authentication {

/// The tokens of --token-auth-file, a line each: `token,user,uid,"group1,group2"`.
class TokenFile final : public TokenAuthenticator {
 public:
  /// Errors carry `name:line`. `audiences` are the API server's own; static tokens are valid for no others.
  static Result<std::unique_ptr<TokenFile>> parse(std::string_view text, const std::string& name,
                                                  std::vector<std::string> audiences);

  [[nodiscard]] Authentication authenticate(std::string_view token, const std::vector<std::string>& wanted,
                                            const apiserver::FindObject& find) const override;

 private:
  std::unordered_map<std::string, Subject> subjects_;
  std::vector<std::string> audiences_;
};

}  // namespace nodebound::authentication
