#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/authorizer/attributes.h"
#include "reference/authorizer/decision.h"
#include "reference/cluster/rbac_objects.h"
#include "reference/identity/subject.h"

namespace nodebound {

class ConditionsAwareDecision;
struct AdmissionRequest;
struct PlainDecision;

/// What an authorizer tells of all that a subject may do, for a SelfSubjectRulesReview.
struct SubjectRules {
  std::vector<PolicyRule> rules;
  std::vector<std::string> errors;  ///< that hid a part of them
  bool incomplete = false;          ///< the authorizer also allows what no list shows
};

class Authorizer {
 public:
  virtual ~Authorizer() = default;

  /// The authorizer's name in refusals of the whole chain: `node`, `rbac`.
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// The decision with its reason.
  [[nodiscard]] virtual Decision authorize(const Subject& subject, const Attributes& attributes) const = 0;

  /// The same decision for a caller that may not read the reason: an authorizer whose reason follows from its decision
  /// leaves it out, and writes it in `explain`.
  [[nodiscard]] virtual Decision decide(const Subject& subject, const Attributes& attributes) const {
    return authorize(subject, attributes);
  }
  /// Adds the reason that `decide` left out of this answer to the same question.
  virtual void explain(Decision& /*decision*/, const Subject& /*subject*/, const Attributes& /*attributes*/) const {}

  /// The answer for a caller that evaluates conditions once it knows the objects of the request (KEP-5681). An
  /// authorizer without conditions answers as `authorize` does; one with them answers `authorize` with `fail_closed` of
  /// this.
  [[nodiscard]] virtual ConditionsAwareDecision authorize_with_conditions(const Subject& subject,
                                                                          const Attributes& attributes) const;
  /// What this authorizer's own answer with conditions comes to for the request that admission sees. An authorizer
  /// without conditions denies, with an error.
  [[nodiscard]] virtual PlainDecision evaluate_conditions(const ConditionsAwareDecision& decision,
                                                          const AdmissionRequest& request) const;

  /// In a namespace and cluster-wide.
  [[nodiscard]] virtual SubjectRules rules_for(const Subject& /*subject*/, const std::string& /*namespace_*/) const {
    return {};
  }
};

}  // namespace nodebound
