// Chains of client certificates. What is expected is what kube-apiserver 1.36.3 does, asked by ci/compare/wire.
#include "fakes/authentication/client_certificates.h"

#include <boost/test/unit_test.hpp>
#include <ctime>
#include <functional>
#include <openssl/x509v3.h>

#include "fakes/authentication/features.h"
#include "fakes/http/client_certificate.h"
#include "fakes/wire/certificates/openssl.h"

BOOST_AUTO_TEST_SUITE(client_certificates)

using namespace nodebound;
using namespace nodebound::authentication;

namespace {

constexpr std::int64_t now = 1'800'000'000;
constexpr const char* authority = "critical,CA:TRUE";

openssl::Key new_key() {
  return openssl::Key(EVP_EC_gen("P-256"));
}

/// The contents of a certificate, and its signer.
struct Wanted {
  std::string name;
  EVP_PKEY* key = nullptr;
  X509* issuer = nullptr;  ///< null: self-signed
  EVP_PKEY* issuer_key = nullptr;
  std::vector<std::pair<int, std::string>> extensions;
  const EVP_MD* digest = EVP_sha256();
  std::int64_t end = now + 3600;
  int serial = 7;
};

openssl::Certificate issued(const Wanted& wanted) {
  openssl::Certificate out(X509_new());
  X509_set_version(out.get(), 2);
  ASN1_INTEGER_set(X509_get_serialNumber(out.get()), wanted.serial);
  ASN1_TIME_set(X509_getm_notBefore(out.get()), now - 3600);
  ASN1_TIME_set(X509_getm_notAfter(out.get()), wanted.end);
  X509_NAME* name = X509_get_subject_name(out.get());
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, reinterpret_cast<const unsigned char*>(wanted.name.c_str()), -1,
                             -1, 0);
  X509_set_issuer_name(out.get(), wanted.issuer != nullptr ? X509_get_subject_name(wanted.issuer) : name);
  X509_set_pubkey(out.get(), wanted.key);
  for (const auto& [kind, value] : wanted.extensions) {
    X509_EXTENSION* each = X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str());
    BOOST_REQUIRE(each != nullptr);
    X509_add_ext(out.get(), each, -1);
    X509_EXTENSION_free(each);
  }
  BOOST_REQUIRE(X509_sign(out.get(), wanted.issuer_key != nullptr ? wanted.issuer_key : wanted.key, wanted.digest) > 0);
  return out;
}

std::string der_of(X509* certificate) {
  unsigned char* bytes = nullptr;
  const int size = i2d_X509(certificate, &bytes);
  std::string out(reinterpret_cast<char*>(bytes), static_cast<std::size_t>(size));
  OPENSSL_free(bytes);
  return out;
}

struct World {
  openssl::Key root_key = new_key();
  openssl::Key middle_key = new_key();
  openssl::Key key = new_key();
  openssl::Certificate root = issued({"root", root_key.get(), nullptr, nullptr, {{NID_basic_constraints, authority}}});
  std::vector<std::pair<int, std::string>> of_client = {{NID_ext_key_usage, "clientAuth"}};

  openssl::Certificate middle(
      std::vector<std::pair<int, std::string>> extensions = {{NID_basic_constraints, authority}},
      const std::function<void(Wanted&)>& change = [](Wanted&) {}) const {
    Wanted wanted{"middle", middle_key.get(), root.get(), root_key.get(), std::move(extensions)};
    change(wanted);
    return issued(wanted);
  }
  openssl::Certificate leaf_of_middle() const {
    const openssl::Certificate parent = middle();
    return issued({"amy", key.get(), parent.get(), middle_key.get(), of_client});
  }
  openssl::Certificate leaf(std::vector<std::pair<int, std::string>> extensions,
                            const EVP_MD* digest = EVP_sha256()) const {
    return issued({"amy", key.get(), root.get(), root_key.get(), std::move(extensions), digest});
  }

  /// The user's name, or empty if the certificate is refused.
  std::string who(const std::vector<X509*>& chain, X509* trusted = nullptr) const {
    const std::string pem = openssl::to_pem(trusted != nullptr ? trusted : root.get());
    const auto known = ClientCertificates::trusting(pem, "ca", AuthenticationFeatures(), [] { return now; }).value();
    std::vector<std::string> der;
    for (X509* each : chain) der.push_back(der_of(each));
    const Authentication answer = known->authenticate(der);
    return answer.subject ? answer.subject->name : "";
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(client_certificates, World)

BOOST_AUTO_TEST_CASE(weak_hashes_sign_nothing) {
  BOOST_TEST(who({leaf(of_client).get()}) == "amy");
  BOOST_TEST(who({leaf(of_client, EVP_sha384()).get()}) == "amy");
  BOOST_TEST(who({leaf(of_client, EVP_sha1()).get()}).empty());
  const auto with_sha1 = [](Wanted& wanted) { wanted.digest = EVP_sha1(); };
  BOOST_TEST(who({leaf_of_middle().get(), middle({{NID_basic_constraints, authority}}, with_sha1).get()}).empty());
}

BOOST_AUTO_TEST_CASE(each_of_a_chain_may_do_what_it_does) {
  const openssl::Certificate own = leaf_of_middle();
  BOOST_TEST(who({own.get(), middle().get()}) == "amy");
  BOOST_TEST(who({own.get()}).empty());
  const std::vector<std::vector<std::pair<int, std::string>>> bad = {
      {},
      {{NID_basic_constraints, "CA:FALSE"}},
      {{NID_basic_constraints, authority}, {NID_key_usage, "digitalSignature"}},
      {{NID_basic_constraints, authority}, {NID_ext_key_usage, "serverAuth"}},
      {{NID_basic_constraints, authority}, {NID_policy_constraints, "requireExplicitPolicy:0"}},
  };
  for (std::size_t i = 0; i < bad.size(); ++i) BOOST_TEST(who({own.get(), middle(bad[i]).get()}).empty(), i);
  const std::vector<std::vector<std::pair<int, std::string>>> good = {
      {{NID_basic_constraints, authority}, {NID_key_usage, "keyCertSign"}},
      {{NID_basic_constraints, authority}, {NID_ext_key_usage, "clientAuth"}},
      {{NID_basic_constraints, "critical,CA:TRUE,pathlen:0"}},
      {{NID_basic_constraints, authority}, {NID_name_constraints, "critical,permitted;DNS:example.com"}},
  };
  for (std::size_t i = 0; i < good.size(); ++i) BOOST_TEST(who({own.get(), middle(good[i]).get()}) == "amy", i);
  const auto ended = [](Wanted& wanted) { wanted.end = now - 1; };
  BOOST_TEST(who({own.get(), middle({{NID_basic_constraints, authority}}, ended).get()}).empty());
}

BOOST_AUTO_TEST_CASE(a_policy_that_is_demanded_is_there) {
  const openssl::Certificate own = leaf_of_middle();
  const auto with = [](const std::string& constraints) {
    return std::vector<std::pair<int, std::string>>{{NID_basic_constraints, authority},
                                                    {NID_policy_constraints, constraints}};
  };
  // The number says how many certificates without a policy may still follow.
  BOOST_TEST(who({own.get(), middle(with("requireExplicitPolicy:0")).get()}).empty());
  BOOST_TEST(who({own.get(), middle(with("requireExplicitPolicy:1")).get()}).empty());
  BOOST_TEST(who({own.get(), middle(with("requireExplicitPolicy:2")).get()}) == "amy");
  BOOST_TEST(who({own.get(), middle(with("inhibitPolicyMapping:0")).get()}) == "amy");
  const auto leaf_with = [&](const std::string& constraints) {
    return leaf({{NID_ext_key_usage, "clientAuth"}, {NID_policy_constraints, constraints}});
  };
  BOOST_TEST(who({leaf_with("requireExplicitPolicy:0").get()}).empty());
  BOOST_TEST(who({leaf_with("requireExplicitPolicy:1").get()}) == "amy");
}

BOOST_AUTO_TEST_CASE(of_two_ways_one_that_is_good_is_enough) {
  const openssl::Certificate own = leaf_of_middle();
  const openssl::Certificate good = middle();
  const openssl::Certificate bad = middle({{NID_basic_constraints, authority}, {NID_ext_key_usage, "serverAuth"}});
  const auto of_nobody = [&](Wanted& wanted) { wanted.issuer_key = key.get(); };
  const openssl::Certificate spoiled = middle({{NID_basic_constraints, authority}}, of_nobody);
  BOOST_TEST(who({own.get(), bad.get(), good.get()}) == "amy");
  BOOST_TEST(who({own.get(), spoiled.get(), good.get()}) == "amy");
  BOOST_TEST(who({own.get(), bad.get(), spoiled.get()}).empty());
}

BOOST_AUTO_TEST_CASE(what_is_trusted_need_not_sign_itself) {
  const openssl::Certificate own = leaf_of_middle();
  BOOST_TEST(who({own.get()}, middle().get()) == "amy");
  BOOST_TEST(who({own.get()}, own.get()) == "amy");
  BOOST_TEST(who({own.get()}, middle({}).get()).empty());
}

BOOST_AUTO_TEST_CASE(constraints_are_for_alternative_names) {
  const openssl::Certificate bounded =
      issued({"root",
              root_key.get(),
              nullptr,
              nullptr,
              {{NID_basic_constraints, authority}, {NID_name_constraints, "critical,permitted;DNS:example.com"}}});
  const auto named = [&](const std::string& names) {
    std::vector<std::pair<int, std::string>> extensions = of_client;
    if (!names.empty()) extensions.emplace_back(NID_subject_alt_name, names);
    return who({issued({"other.org", key.get(), bounded.get(), root_key.get(), extensions}).get()}, bounded.get());
  };
  BOOST_TEST(named("") == "other.org");
  BOOST_TEST(named("DNS:a.example.com") == "other.org");
  BOOST_TEST(named("DNS:other.org").empty());
}

BOOST_AUTO_TEST_CASE(what_go_cannot_read_is_known_before) {
  BOOST_TEST(is_readable_in_go(leaf(of_client).get()));
  BOOST_TEST(!is_readable_in_go(issued({"amy", key.get(), nullptr, nullptr, {}, EVP_sha256(), now, -7}).get()));
  BOOST_TEST(is_readable_in_go(leaf({{NID_info_access, "OCSP;URI:http://a"}}).get()));
  BOOST_TEST(!is_readable_in_go(leaf({{NID_info_access, "critical,OCSP;URI:http://a"}}).get()));
  const openssl::Key small(EVP_RSA_gen(1023));
  BOOST_TEST(!is_readable_in_go(issued({"amy", small.get(), nullptr, nullptr, {}}).get()));
  const openssl::Certificate twice = leaf({{NID_netscape_comment, "a"}, {NID_netscape_comment, "b"}});
  BOOST_TEST(!is_readable_in_go(twice.get()));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
