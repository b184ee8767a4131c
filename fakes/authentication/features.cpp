#include "fakes/authentication/features.h"

namespace nodebound {
namespace {

/// Releases that put a client certificate's fingerprint into the subject's extra (apiserver's request/x509/x509.go).
const VersionRange credential_ids{Version{1, 32, 0}, std::nullopt};

/// Releases that verify a token only with the key that it names (pkg/serviceaccount/jwt.go, PublicKeysGetter).
const VersionRange known_keys{Version{1, 31, 0}, std::nullopt};

/// Also true if the release no longer has the gate because its feature is always on.
bool is_on(const RuleSet& rules, std::string_view gate) {
  const Release& release = rules.release();
  const auto set = release.gates.find(std::string(gate));
  if (set != release.gates.end()) return set->second;
  const GateEntry* known = rules.catalogue().find_gate(gate);
  return known != nullptr && known->graduated_before(release.version);
}

}  // namespace

AuthenticationFeatures AuthenticationFeatures::of(const RuleSet& rules) {
  AuthenticationFeatures features;
  features.certificate_has_credential_id = credential_ids.contains(rules.release().version);
  features.certificate_has_uid = is_on(rules, "AllowParsingUserUIDFromCertAuth");
  features.token_has_id = is_on(rules, "ServiceAccountTokenJTI");
  features.token_has_node_of_pod = is_on(rules, "ServiceAccountTokenPodNodeInfo");
  features.token_binds_to_node = is_on(rules, "ServiceAccountTokenNodeBinding");
  features.impersonation_is_constrained = is_on(rules, "ConstrainedImpersonation");
  features.token_key_must_be_known = known_keys.contains(rules.release().version);
  return features;
}

}  // namespace nodebound
