#pragma once

#include <bitset>
#include <optional>
#include <string>

#include "reference/authorizer/decision.h"

namespace nodebound {

/// A set of outcomes.
class Outcomes {
 public:
  using Outcome = Decision::Outcome;
  /// In the order of upstream's constants.
  static constexpr Outcome all[] = {Outcome::deny, Outcome::allow, Outcome::no_opinion};

  static constexpr const char* name(Outcome outcome) {
    switch (outcome) {
      case Outcome::deny:
        return "Deny";
      case Outcome::allow:
        return "Allow";
      case Outcome::no_opinion:
        return "NoOpinion";
    }
    return "";
  }

  void add(Outcome outcome) { set_.set(static_cast<std::size_t>(outcome)); }
  void add(const Outcomes& more) { set_ |= more.set_; }
  void remove(Outcome outcome) { set_.reset(static_cast<std::size_t>(outcome)); }

  [[nodiscard]] bool has(Outcome outcome) const { return set_.test(static_cast<std::size_t>(outcome)); }
  /// The outcome of a set of one.
  [[nodiscard]] std::optional<Outcome> only() const {
    if (set_.count() != 1) return std::nullopt;
    for (const Outcome outcome : all) {
      if (has(outcome)) return outcome;
    }
    return std::nullopt;
  }
  /// `[Deny Allow]`
  [[nodiscard]] std::string text() const {
    std::string out;
    for (const Outcome outcome : all) {
      if (has(outcome)) out += (out.empty() ? "" : " ") + std::string(name(outcome));
    }
    return "[" + out + "]";
  }

 private:
  std::bitset<3> set_;
};

}  // namespace nodebound
