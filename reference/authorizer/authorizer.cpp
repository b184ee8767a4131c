#include "reference/authorizer/authorizer.h"

#include "reference/authorizer/conditions/conditions_aware_decision.h"

namespace nodebound {

ConditionsAwareDecision Authorizer::authorize_with_conditions(const Subject& subject,
                                                              const Attributes& attributes) const {
  return authorize(subject, attributes);
}

PlainDecision Authorizer::evaluate_conditions(const ConditionsAwareDecision& /*decision*/,
                                              const AdmissionRequest& /*request*/) const {
  return {Decision::Outcome::deny, std::nullopt, "", {"condition evaluation not supported"}};
}

}  // namespace nodebound
