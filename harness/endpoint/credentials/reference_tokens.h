#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "fakes/apiserver/review/token_issuer.h"
#include "fakes/apiserver/review/token_reviewer.h"
#include "reference/identity/subject.h"
#include "reference/release/rule_set.h"

namespace nodebound::authentication {
class ServiceAccountTokens;
}

namespace nodebound {

/// The service account tokens of one session of the reference. All sessions sign with one key, which is made when the
/// first token is: most sessions need none.
class ReferenceTokens {
 public:
  /// `rules` must outlive it.
  explicit ReferenceTokens(const RuleSet& rules);
  ~ReferenceTokens();
  ReferenceTokens(const ReferenceTokens&) = delete;
  ReferenceTokens& operator=(const ReferenceTokens&) = delete;

  apiserver::IssuedToken issue(const apiserver::TokenOrder& order);

  /// Whose token an `Authorization` header shows; nothing if it is no valid one.
  [[nodiscard]] std::optional<Subject> subject_of(std::string_view authorization, const apiserver::FindObject& find);

 private:
  authentication::ServiceAccountTokens& tokens();

  const RuleSet& rules_;
  std::unique_ptr<authentication::ServiceAccountTokens> tokens_;
  int issued_ = 0;
};

}  // namespace nodebound
