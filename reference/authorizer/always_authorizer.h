#pragma once

#include "reference/authorizer/authorizer.h"

namespace nodebound {

/// The modes AlwaysAllow and AlwaysDeny (apiserver's authorizerfactory/builtin.go). They exist for tests, so no rule is
/// about them. AlwaysDeny does not deny either: it has no opinion.
class AlwaysAuthorizer final : public Authorizer {
 public:
  explicit AlwaysAuthorizer(bool allows) : allows_(allows) {}

  [[nodiscard]] std::string_view name() const override { return allows_ ? "alwaysallow" : "alwaysdeny"; }
  [[nodiscard]] Decision authorize(const Subject& /*subject*/, const Attributes& /*attributes*/) const override {
    return allows_ ? Decision::allow(std::nullopt) : Decision::no_opinion(std::nullopt, "Everything is forbidden.");
  }
  [[nodiscard]] SubjectRules rules_for(const Subject& /*subject*/, const std::string& /*namespace_*/) const override {
    if (!allows_) return {};
    return {{{{"*"}, {"*"}, {"*"}, {}, {}}, {{"*"}, {}, {}, {}, {"*"}}}, {}, false};
  }

 private:
  bool allows_;
};

}  // namespace nodebound
