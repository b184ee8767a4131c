// Credentials that clients show. The first byte chooses the kind of the rest: a token, the claims of a correctly signed
// token, a token file, a certificate in DER, or PEM.
#include <cstdint>

#include "fakes/authentication/client_certificates.h"
#include "fakes/authentication/jwt.h"
#include "fakes/authentication/service_account_tokens.h"
#include "fakes/authentication/token_file.h"
#include "fakes/wire/certificates/pki.h"
#include "fakes/wire/go/json.h"
#include "harness/fuzz/structure.h"

using namespace nodebound;
using namespace nodebound::authentication;

namespace {

std::int64_t noon() {
  return 1'700'000'000;
}

std::optional<Object> any_object(const ObjectKey& key) {
  if (key.name == "gone") return std::nullopt;
  return Object{{"metadata", {{"name", key.name}, {"uid", "u"}}}};
}

struct World {
  World() {
    const auto keys = make_service_account_keys().value();
    ServiceAccountTokens::Options options;
    options.audiences = {"api"};
    options.signing_key = openssl::parse_private_key("key", keys.private_pem).value();
    options.verification_keys = openssl::parse_public_keys("key", keys.public_pem).value();
    options.clock = noon;
    options.new_id = [] { return std::string("id"); };
    signer = openssl::parse_private_key("key", keys.private_pem).value();
    tokens = std::make_unique<ServiceAccountTokens>(std::move(options));
    const auto authority = CertificateAuthority::create("ca").value();
    certificates = ClientCertificates::trusting(authority.certificate_pem(), "ca",
                                                {true, true, true, true, true, true, true}, noon)
                       .value();
  }

  openssl::Key signer;
  std::unique_ptr<ServiceAccountTokens> tokens;
  std::unique_ptr<ClientCertificates> certificates;
};

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  const bool is_claims = size > 0 && data[0] % 5 == 1;
  return fuzz::mutated(data, size, most, seed, 1, [is_claims](std::string_view text, fuzz::Chance& chance) {
    return is_claims ? fuzz::changed_json(text, chance) : std::nullopt;
  });
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const World world;
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 5 == 0) {
    static_cast<void>(Jwt::parse(text));
    static_cast<void>(world.tokens->authenticate(text, {"api"}, any_object));
  } else if (data[0] % 5 == 1) {
    const auto claims = read_json(text);
    if (!claims || !claims->is_object()) return 0;
    static_cast<void>(world.tokens->authenticate(signed_jwt(*claims, world.signer.get()), {"api"}, any_object));
  } else if (data[0] % 5 == 2) {
    const auto file = TokenFile::parse(text, "tokens.csv", {"api"});
    if (file) static_cast<void>((*file)->authenticate("a", {"api"}, any_object));
  } else if (data[0] % 5 == 3) {
    static_cast<void>(world.certificates->authenticate({text}));
  } else {
    static_cast<void>(openssl::parse_certificates("pem", text));
    static_cast<void>(openssl::parse_public_keys("pem", text));
    static_cast<void>(openssl::parse_certificate_request("pem", text));
  }
  return 0;
}
