#pragma once

#include <vector>

#include "reference/authorizer/decision.h"
#include "reference/release/refusal_text.h"

namespace nodebound {

/// A decision without conditions. It keeps its errors apart, because a list of errors that joins another one in Go
/// becomes one list.
struct PlainDecision {
  Decision::Outcome outcome = Decision::Outcome::no_opinion;
  std::optional<Rule> rule = {};
  std::string reason = {};
  std::vector<std::string> errors = {};

  static PlainDecision of(Decision decision) {
    PlainDecision out{decision.outcome, decision.rule, std::move(decision.reason), {}};
    if (!decision.error.empty()) out.errors.push_back(std::move(decision.error));
    return out;
  }
  /// A refusal because an answer is not what it has to be.
  static PlainDecision failed_closed(Decision::Outcome outcome, std::string error) {
    return {outcome, std::nullopt, "failed closed", {std::move(error)}};
  }

  [[nodiscard]] Decision decision() const { return {outcome, rule, reason, go_aggregate(errors)}; }
};

}  // namespace nodebound
