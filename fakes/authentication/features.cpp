#include "fakes/authentication/features.h"

#include "reference/release/behaviour_ids.h"

namespace nodebound::authentication {

AuthenticationFeatures AuthenticationFeatures::of(const RuleSet& rules) {
  const Release& release = rules.release();
  AuthenticationFeatures features;
  features.certificate_has_credential_id = release.does(Behaviour::certificate_credential_id);
  features.certificate_has_uid = release.does(Behaviour::certificate_uid);
  features.token_has_id = release.does(Behaviour::token_id);
  features.token_has_node_of_pod = rules.in_force(Rule::token_names_node_of_pod);
  features.token_tells_node = release.does(Behaviour::token_tells_node);
  features.token_node_is_checked = release.does(Behaviour::token_node_validated);
  features.token_names_bound_node = rules.in_force(Rule::token_names_bound_node);
  features.token_needs_bound_object = rules.in_force(Rule::token_of_deleted_object);
  features.impersonation_is_constrained = release.does(Behaviour::constrained_impersonation);
  features.impersonation_needs_user = release.does(Behaviour::impersonation_without_user_is_bad_request);
  features.token_key_must_be_known = release.does(Behaviour::token_known_key);
  return features;
}

}  // namespace nodebound::authentication
