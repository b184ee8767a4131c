#include "harness/endpoint/credentials/reference_tokens.h"

#include "fakes/authentication/service_account_tokens.h"
#include "fakes/wire/certificates/pki.h"
#include "reference/identity/bearer_token.h"

namespace nodebound {
namespace {

constexpr const char* audience = "https://kubernetes.default.svc";
/// 2026 begins: no time passes in the reference.
constexpr std::int64_t present = 1767225600;

const KeyPair& keys_of_references() {
  static const KeyPair keys = make_service_account_keys().value();
  return keys;
}

}  // namespace

ReferenceTokens::ReferenceTokens(const RuleSet& rules) : rules_(rules) {}
ReferenceTokens::~ReferenceTokens() = default;

authentication::ServiceAccountTokens& ReferenceTokens::tokens() {
  if (tokens_ != nullptr) return *tokens_;
  authentication::ServiceAccountTokens::Options options;
  options.audiences = {audience};
  options.signing_key = openssl::parse_private_key("key", keys_of_references().private_pem).value();
  options.verification_keys = openssl::parse_public_keys("key", keys_of_references().public_pem).value();
  options.features = authentication::AuthenticationFeatures::of(rules_);
  options.clock = [] { return present; };
  options.new_id = [this] { return std::to_string(++issued_); };
  tokens_ = std::make_unique<authentication::ServiceAccountTokens>(std::move(options));
  return *tokens_;
}

apiserver::IssuedToken ReferenceTokens::issue(const apiserver::TokenOrder& order) {
  return tokens().issue(order);
}

std::optional<Subject> ReferenceTokens::subject_of(std::string_view authorization, const apiserver::FindObject& find) {
  authentication::Authentication shown = tokens().authenticate(bearer_token(authorization), {audience}, find);
  return shown.subject ? std::optional(authenticated(std::move(*shown.subject))) : std::nullopt;
}

}  // namespace nodebound
