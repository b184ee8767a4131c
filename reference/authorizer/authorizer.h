#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reference/authorizer/attributes.h"
#include "reference/cluster/rbac_objects.h"
#include "reference/identity/subject.h"
#include "reference/release/rule_set.h"

namespace nodebound {

/// An authorizer's answer to a request, and the rule that led to it.
struct Decision {
  enum class Outcome { allow, deny, no_opinion };

  Outcome outcome = Outcome::no_opinion;
  std::optional<Rule> rule;  ///< none if no rule is about it
  std::string reason = {};   ///< the reason that the caller reads; often empty
  std::string error = {};    ///< why an authorizer could not decide; nobody else's answer but Allow outweighs it

  [[nodiscard]] bool allowed() const { return outcome == Outcome::allow; }

  static Decision allow(std::optional<Rule> rule, std::string reason = {}) {
    return {Outcome::allow, rule, std::move(reason)};
  }
  static Decision no_opinion(std::optional<Rule> rule, std::string reason = {}) {
    return {Outcome::no_opinion, rule, std::move(reason)};
  }
};

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

  /// In a namespace and cluster-wide.
  [[nodiscard]] virtual SubjectRules rules_for(const Subject& /*subject*/, const std::string& /*namespace_*/) const {
    return {};
  }
};

}  // namespace nodebound
