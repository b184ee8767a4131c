#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

#include "fakes/wire/certificates/openssl.h"
#include "harness/certify/dsse.h"
#include "reference/encoding/base64.h"

BOOST_AUTO_TEST_SUITE(certify_dsse)

using namespace nodebound;
using namespace nodebound::certify;

namespace {

// What to print where an error is not expected.
template <typename T>
std::string why_of_dsse(const Result<T>& result) {
  return result ? std::string() : result.error().text();
}

using Number = std::unique_ptr<BIGNUM, openssl::Deleter<BN_free>>;

Number decimal(const char* digits) {
  BIGNUM* number = nullptr;
  BN_dec2bn(&number, digits);
  return Number(number);
}

const unsigned char* bytes_of(const std::string& text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// The public key of the specification's example (secure-systems-lab/dsse, protocol.md).
std::string key_of_specification() {
  const Number x = decimal("46950820868899156662930047687818585632848591499744589407958293238635476079160");
  const Number y = decimal("5640078356564379163099075877009565129882514886557779369047442380624545832820");
  std::string point(65, '\4');
  BN_bn2binpad(x.get(), reinterpret_cast<unsigned char*>(point.data()) + 1, 32);
  BN_bn2binpad(y.get(), reinterpret_cast<unsigned char*>(point.data()) + 33, 32);
  std::string group = "prime256v1";
  OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, group.data(), 0),
                             OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size()),
                             OSSL_PARAM_construct_end()};
  EVP_PKEY* key = nullptr;
  EVP_PKEY_CTX* context = EVP_PKEY_CTX_new_from_name(nullptr, "EC", nullptr);
  BOOST_REQUIRE(EVP_PKEY_fromdata_init(context) == 1);
  BOOST_REQUIRE(EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) == 1);
  EVP_PKEY_CTX_free(context);
  const openssl::Key owner(key);
  return openssl::public_key_pem(key);
}

// The example has the two numbers of the signature side by side; cosign and we have them as DER.
std::string as_der(const std::string& raw) {
  BOOST_REQUIRE(raw.size() == 64U);
  ECDSA_SIG* signature = ECDSA_SIG_new();
  ECDSA_SIG_set0(signature, BN_bin2bn(bytes_of(raw), 32, nullptr), BN_bin2bn(bytes_of(raw) + 32, 32, nullptr));
  unsigned char* der = nullptr;
  const int size = i2d_ECDSA_SIG(signature, &der);
  std::string out(reinterpret_cast<char*>(der), static_cast<std::size_t>(size));
  OPENSSL_free(der);
  ECDSA_SIG_free(signature);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_is_signed_is_what_the_specification_says) {
  BOOST_TEST(pre_authentication_encoding("http://example.com/HelloWorld", "hello world") ==
             "DSSEv1 29 http://example.com/HelloWorld 11 hello world");
  BOOST_TEST(pre_authentication_encoding("", "") == "DSSEv1 0  0 ");
  // Lengths are of bytes.
  BOOST_TEST(pre_authentication_encoding("é", "ü") == "DSSEv1 2 é 2 ü");
}

BOOST_AUTO_TEST_CASE(the_signature_of_the_specification_is_valid) {
  const std::string raw =
      *base64_decode("A3JqsQGtVsJ2O2xqrI5IcnXip5GToJ3F+FnZ+O88SjtR6rDAajabZKciJTfUiHqJPcIAriEGAHTVeCUjW2JIZA==");
  Envelope envelope{"http://example.com/HelloWorld", "hello world", as_der(raw), ""};
  const std::string key = key_of_specification();
  const auto valid = verify_signature(envelope, "example", key);
  BOOST_REQUIRE_MESSAGE(valid, why_of_dsse(valid));
  envelope.payload = "hello World";
  BOOST_TEST(!verify_signature(envelope, "example", key));
}

BOOST_AUTO_TEST_CASE(keys_of_both_kinds_sign) {
  for (const KeyKind kind : {KeyKind::ecdsa_p256, KeyKind::ed25519}) {
    const std::string key = *generate_signing_key(kind);
    const std::string other = *generate_signing_key(kind);
    const Envelope envelope = *sign("key", key, in_toto_payload, "{}");
    BOOST_TEST(verify_signature(envelope, "", *public_half("key", key)).has_value());
    BOOST_TEST(!verify_signature(envelope, "", *public_half("key", other)));
    const auto read = read_envelope(to_sigstore_bundle(envelope), "bundle");
    BOOST_REQUIRE(read);
    BOOST_TEST(read->payload == envelope.payload);
    BOOST_TEST(read->signature == envelope.signature);
    BOOST_TEST(read->key_id == *key_hint("key", *public_half("key", key)));
  }
}

BOOST_AUTO_TEST_CASE(other_keys_are_refused) {
  for (const char* group : {"P-384", "secp256k1"}) {
    const openssl::Key key(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", group));
    BOOST_TEST(!sign("key", openssl::private_key_pem(key.get()), in_toto_payload, "{}"), group);
  }
  BOOST_TEST(!sign("key", "no key", in_toto_payload, "{}"));
  BOOST_TEST(!public_half("key", ""));
}

BOOST_AUTO_TEST_CASE(what_is_no_envelope_is_refused) {
  const std::string deep = R"({"payload":)" + std::string(1'000'000, '[') + std::string(1'000'000, ']') + "}";
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("[]"), std::string("{}"), deep,
        std::string(R"({"payload":"e30=","payloadType":"a","signatures":[]})"),
        std::string(R"({"payload":"e30=","payloadType":"a","signatures":[{"sig":"?"}]})"),
        std::string(R"({"payload":"e30=","payloadType":"a","signatures":[{"sig":"AA=="},{"sig":"AA=="}]})"),
        std::string(R"({"mediaType":"application/vnd.dev.sigstore.bundle+json;version=0.1"})")}) {
    BOOST_TEST(!read_envelope(text, "bundle"), text.substr(0, 80));
  }
}

BOOST_AUTO_TEST_SUITE_END()
