#pragma once

#include "reference/release/rule_set.h"

namespace nodebound::authentication {

/// How authentication differs between releases.
struct AuthenticationFeatures {
  bool certificate_has_credential_id = false;
  bool certificate_has_uid = false;
  bool token_has_id = false;
  bool token_has_node_of_pod = false;
  bool token_names_bound_node = false;
  bool token_tells_node = false;       ///< the Node that a token is bound to is read
  bool token_node_is_checked = false;  ///< and must exist; without this no token that is bound to a Node is valid
  bool impersonation_is_constrained = false;
  bool impersonation_needs_user = false;  ///< without a user it is a bad request, not an internal error
  bool token_key_must_be_known = false;   ///< a token that names a key is only verified with that key
  bool token_needs_bound_object = true;   ///< a token is valid only as long as what it is bound to exists

  static AuthenticationFeatures of(const RuleSet& rules);
};

}  // namespace nodebound::authentication
