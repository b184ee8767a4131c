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

  /// As union.go of 1.37, in which a chain's reasons read `node: {...}, rbac: {...}`.
  [[nodiscard]] ConditionsAwareDecision authorize_with_conditions(const Subject& subject,
                                                                  const Attributes& attributes) const override;
  /// Each member evaluates its own answer.
  [[nodiscard]] PlainDecision evaluate_conditions(const ConditionsAwareDecision& decision,
                                                  const AdmissionRequest& request) const override;

 private:
  using Decisions = boost::container::small_vector<Decision, 4>;

  /// The answer where no member decides, of the members' own answers.
  [[nodiscard]] Decision joined(const Subject& subject, const Attributes& attributes, Decisions& refusals) const;

  [[nodiscard]] PlainDecision evaluate_member(const std::string& name, const ConditionsAwareDecision& decision,
                                              const AdmissionRequest& request) const;

  const RuleSet& rules_;
  std::vector<const Authorizer*> members_;
};

}  // namespace nodebound
