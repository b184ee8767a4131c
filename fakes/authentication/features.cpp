#include "fakes/authentication/features.h"

namespace nodebound {
namespace {

/// Releases that put a client certificate's fingerprint into the subject's extra (apiserver's request/x509/x509.go).
const ReleaseRange credential_ids{{{1, 32, 0}}, {}, {}, {}, {}};

/// Releases that verify a token only with the key that it names (pkg/serviceaccount/jwt.go, PublicKeysGetter).
const ReleaseRange known_keys{{{1, 31, 0}}, {}, {}, {}, {}};

}  // namespace

AuthenticationFeatures AuthenticationFeatures::of(const RuleSet& rules) {
  AuthenticationFeatures features;
  features.certificate_has_credential_id = credential_ids.holds(rules.release());
  features.certificate_has_uid = rules.release().is_on("AllowParsingUserUIDFromCertAuth");
  features.token_has_id = rules.release().is_on("ServiceAccountTokenJTI");
  features.token_has_node_of_pod = rules.release().is_on("ServiceAccountTokenPodNodeInfo");
  features.token_binds_to_node = rules.release().is_on("ServiceAccountTokenNodeBinding");
  features.impersonation_is_constrained = rules.release().is_on("ConstrainedImpersonation");
  features.token_key_must_be_known = known_keys.holds(rules.release());
  return features;
}

}  // namespace nodebound
