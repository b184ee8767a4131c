#pragma once

#include <optional>
#include <string>

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

}  // namespace nodebound
