#pragma once

#include <string>
#include <variant>
#include <vector>

#include "reference/authorizer/conditions/condition.h"
#include "reference/authorizer/conditions/outcomes.h"
#include "reference/authorizer/conditions/plain_decision.h"

namespace nodebound {

/// The conditions of one authorizer by their effect: a deny that holds outweighs all others, a no-opinion that holds
/// outweighs what would allow.
struct ConditionsMap {
  static constexpr std::size_t most = 128;  ///< conditions in one map

  std::vector<Condition> deny = {};
  std::vector<Condition> no_opinion = {};
  std::vector<Condition> allow = {};

  [[nodiscard]] std::size_t size() const { return deny.size() + no_opinion.size() + allow.size(); }
};

/// An authorizer's answer that may depend on objects which are not known yet: a decision, the conditions of one, or the
/// answers of several authorizers in turn (k8s.io/apiserver/pkg/authorization/authorizer/conditions.go, since 1.37). No
/// release up to 1.37 asks for it.
class ConditionsAwareDecision {
 public:
  struct Member;
  using Members = std::vector<Member>;

  ConditionsAwareDecision(PlainDecision decision);  // NOLINT(*-explicit-*)
  ConditionsAwareDecision(Decision decision);       // NOLINT(*-explicit-*)

  /// A decision at once if the conditions are wrong or can only come to one outcome.
  static ConditionsAwareDecision on(ConditionsMap conditions);

  [[nodiscard]] const PlainDecision* plain() const { return std::get_if<PlainDecision>(&answer_); }
  [[nodiscard]] const ConditionsMap* conditions() const { return std::get_if<ConditionsMap>(&answer_); }
  [[nodiscard]] const Members* members() const { return std::get_if<Members>(&answer_); }

  /// What it can come to; never empty.
  [[nodiscard]] Outcomes possible() const;
  /// Whether nobody after it has a say: it is, or one of its members is, a plain allow or deny.
  [[nodiscard]] bool ends_the_chain() const;
  /// What to decide where it cannot be evaluated: deny if it can come to that.
  [[nodiscard]] Decision::Outcome on_failure() const;
  /// For a caller that knows no conditions. It allows only without any.
  [[nodiscard]] PlainDecision fail_closed() const;

  /// What is left once these conditions are evaluated: plain if none of those that matter is unevaluatable.
  [[nodiscard]] ConditionsAwareDecision evaluated(const EvaluateCondition& evaluate) const;

 private:
  friend class ConditionsAwareUnion;
  using Answer = std::variant<PlainDecision, ConditionsMap, Members>;

  explicit ConditionsAwareDecision(Answer answer);

  Answer answer_;
};

struct ConditionsAwareDecision::Member {
  std::string authorizer;
  ConditionsAwareDecision decision;
};

/// Joins the answers of authorizers in the order in which they are asked.
class ConditionsAwareUnion {
 public:
  /// Does nothing once `ends_the_chain`.
  void add(std::string authorizer, ConditionsAwareDecision decision);
  [[nodiscard]] bool ends_the_chain() const { return ends_the_chain_; }

  /// A decision at once if a name is empty or there twice, or if only one outcome is possible.
  [[nodiscard]] ConditionsAwareDecision decision() const;

 private:
  ConditionsAwareDecision::Members members_;
  std::vector<std::string> errors_;
  bool ends_the_chain_ = false;
};

}  // namespace nodebound
