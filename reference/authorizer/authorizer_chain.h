#pragma once

#include <boost/container/small_vector.hpp>
#include <vector>

#include "reference/authorizer/authorizer.h"

namespace nodebound {

/// Asks authorizers in turn; the first that allows or denies decides. Members of system:masters are allowed before any
/// authorizer is asked (staging/src/k8s.io/apiserver/pkg/authorization/union/union.go).
class AuthorizerChain final : public Authorizer {
 public:
  AuthorizerChain(const RuleSet& rules, std::vector<const Authorizer*> members)
      : rules_(rules), members_(std::move(members)) {}

  [[nodiscard]] std::string_view name() const override { return "union"; }

  /// Where nobody decides, the rule is that of the first member, and reason and error join all that were given.
  [[nodiscard]] Decision authorize(const Subject& subject, const Attributes& attributes) const override;

 private:
  using Decisions = boost::container::small_vector<Decision, 4>;

  /// The answer where no member decides, of the members' own answers.
  [[nodiscard]] Decision joined(const Subject& subject, const Attributes& attributes, Decisions& refusals) const;

  const RuleSet& rules_;
  std::vector<const Authorizer*> members_;
};

}  // namespace nodebound
