// The expectations are kube-apiserver 1.36.3's answers for the same key.
#include "fakes/authentication/issuer_documents.h"

#include <array>
#include <boost/test/unit_test.hpp>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/param_build.h>

#include "fakes/authentication/jwt.h"
#include "reference/encoding/base64.h"

BOOST_AUTO_TEST_SUITE(issuer_documents)

using namespace nodebound;
using namespace nodebound::apiserver;
using namespace nodebound::authentication;

namespace {

const std::string configuration_path = "/.well-known/openid-configuration";

ServiceAccountTokens tokens_of(EVP_PKEY* key, const std::string& issuer = "https://kubernetes.default.svc") {
  const std::string pem = openssl::private_key_pem(key);
  ServiceAccountTokens::Options options;
  options.issuer = issuer;
  options.signing_key = openssl::parse_private_key("test", pem).value();
  options.verification_keys = openssl::parse_public_keys("test", pem).value();
  options.clock = [] { return 1'800'000'000; };
  return ServiceAccountTokens(std::move(options));
}

using Builder = std::unique_ptr<OSSL_PARAM_BLD, openssl::Deleter<OSSL_PARAM_BLD_free>>;
using Parameters = std::unique_ptr<OSSL_PARAM, openssl::Deleter<OSSL_PARAM_free>>;
using Context = std::unique_ptr<EVP_PKEY_CTX, openssl::Deleter<EVP_PKEY_CTX_free>>;
using Number = std::unique_ptr<BIGNUM, openssl::Deleter<BN_free>>;

Number number_in(const Object& key, const char* name) {
  const std::string bytes = base64url_decode(std::string(text(key, name))).value();
  return Number(
      BN_bin2bn(reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()), nullptr));
}

openssl::Key key_from(const char* type, OSSL_PARAM* parameters) {
  const Context context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
  EVP_PKEY* out = nullptr;
  BOOST_REQUIRE(EVP_PKEY_fromdata_init(context.get()) == 1);
  BOOST_REQUIRE(EVP_PKEY_fromdata(context.get(), &out, EVP_PKEY_PUBLIC_KEY, parameters) == 1);
  return openssl::Key(out);
}

// The key that another program reads from the JSON web key alone.
openssl::Key rebuilt(const Object& web_key) {
  const Builder builder(OSSL_PARAM_BLD_new());
  const bool rsa = web_key["kty"] == "RSA";
  const Number first = number_in(web_key, rsa ? "n" : "x");
  const Number second = number_in(web_key, rsa ? "e" : "y");
  std::string point = "\x04";
  if (rsa) {
    OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, first.get());
    OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, second.get());
  } else {
    point += base64url_decode(std::string(text(web_key, "x"))).value();
    point += base64url_decode(std::string(text(web_key, "y"))).value();
    OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0);
    OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size());
  }
  const Parameters parameters(OSSL_PARAM_BLD_to_param(builder.get()));
  return key_from(rsa ? "RSA" : "EC", parameters.get());
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_token_is_verified_by_the_published_key_alone) {
  for (const bool rsa : {false, true}) {
    const openssl::Key key(rsa ? EVP_PKEY_Q_keygen(nullptr, nullptr, "RSA", std::size_t{2048})
                               : EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"));
    const ServiceAccountTokens tokens = tokens_of(key.get());
    const auto found = issuer_document(tokens, "https://127.0.0.1:6443", "/openid/v1/jwks");
    BOOST_REQUIRE(found);
    BOOST_TEST(found->content_type == "application/jwk-set+json");
    const Object keys = Object::parse(found->body)["keys"];
    BOOST_REQUIRE(keys.size() == 1);
    TokenOrder order;
    order.namespace_ = "shop";
    order.service_account = "builder";
    order.audiences = {"a"};
    const auto token = Jwt::parse(tokens.issue(order).token);
    BOOST_REQUIRE(token);
    BOOST_TEST(token->key_id == text(keys[0], "kid"));
    BOOST_TEST(token->algorithm == text(keys[0], "alg"));
    BOOST_TEST(token->is_signed_by(rebuilt(keys[0]).get()));
    const openssl::Key other(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"));
    BOOST_TEST(!token->is_signed_by(other.get()));
  }
}

BOOST_AUTO_TEST_CASE(the_configuration_names_the_issuer_and_where_its_keys_are) {
  const openssl::Key key(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"));
  const auto found = issuer_document(tokens_of(key.get()), "https://127.0.0.1:6443", configuration_path);
  BOOST_REQUIRE(found);
  BOOST_TEST(found->content_type == "application/json");
  BOOST_TEST(found->headers.at("cache-control") == "public, max-age=3600");
  BOOST_TEST(Object::parse(found->body) == Object({{"issuer", "https://kubernetes.default.svc"},
                                                   {"jwks_uri", "https://127.0.0.1:6443/openid/v1/jwks"},
                                                   {"response_types_supported", {"id_token"}},
                                                   {"subject_types_supported", {"public"}},
                                                   {"id_token_signing_alg_values_supported", {"ES256"}}}));
}

BOOST_AUTO_TEST_CASE(an_issuer_that_is_no_https_url_tells_nothing) {
  const openssl::Key key(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"));
  BOOST_TEST(!issuer_document(tokens_of(key.get(), "kubernetes/serviceaccount"), "https://a", configuration_path));
  BOOST_TEST(!issuer_document(tokens_of(key.get()), "https://a", "/openid/v1"));
}

BOOST_AUTO_TEST_SUITE_END()
