#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <openssl/x509v3.h>
#include <stdlib.h>

#include "fakes/wire/certificates/openssl.h"
#include "fakes/wire/certificates/pki.h"
#include "harness/endpoint/credentials/authority_file.h"
#include "reference/encoding/base64.h"

BOOST_AUTO_TEST_SUITE(endpoint_pki)

using namespace nodebound;

namespace {

CertificateAuthority new_authority() {
  auto authority = CertificateAuthority::create("test");
  BOOST_REQUIRE(authority);
  return std::move(*authority);
}

openssl::Certificate read(const std::string& pem) {
  auto chain = openssl::parse_certificates("test", pem);
  BOOST_REQUIRE(chain);
  BOOST_REQUIRE_EQUAL(chain->size(), 1U);
  return std::move(chain->front());
}

/// OpenSSL's verdict on `leaf` for `purpose`, X509_V_OK where it is good.
int verify(const CertificateAuthority& authority, X509* leaf, int purpose) {
  const std::unique_ptr<X509_STORE, openssl::Deleter<X509_STORE_free>> store(X509_STORE_new());
  const openssl::Certificate root = read(authority.certificate_pem());
  X509_STORE_add_cert(store.get(), root.get());
  const std::unique_ptr<X509_STORE_CTX, openssl::Deleter<X509_STORE_CTX_free>> context(X509_STORE_CTX_new());
  X509_STORE_CTX_init(context.get(), store.get(), leaf, nullptr);
  X509_STORE_CTX_set_purpose(context.get(), purpose);
  X509_verify_cert(context.get());
  return X509_STORE_CTX_get_error(context.get());
}

std::vector<std::string> entries(X509_NAME* name, int nid) {
  std::vector<std::string> out;
  for (int i = -1; (i = X509_NAME_get_index_by_NID(name, nid, i)) >= 0;) {
    const ASN1_STRING* text = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, i));
    out.emplace_back(reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
                     static_cast<std::size_t>(ASN1_STRING_length(text)));
  }
  return out;
}

struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "nodebound-test-XXXXXX").string();
    BOOST_REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::filesystem::path write(const char* name, const std::string& text) const {
    std::ofstream(path / name) << text;
    return path / name;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_client_certificate_carries_the_subject_and_verifies_for_clients_only) {
  const CertificateAuthority authority = new_authority();
  const Subject subject{"system:node:a", {"system:nodes", "b"}, {}, {}};
  const auto issued = authority.issue_client(subject);
  BOOST_REQUIRE(issued);
  const openssl::Certificate leaf = read(issued->certificate_pem);
  BOOST_TEST(entries(X509_get_subject_name(leaf.get()), NID_commonName) == std::vector{subject.name});
  BOOST_TEST(entries(X509_get_subject_name(leaf.get()), NID_organizationName) == subject.groups);
  BOOST_TEST(verify(authority, leaf.get(), X509_PURPOSE_SSL_CLIENT) == X509_V_OK);
  BOOST_TEST(verify(authority, leaf.get(), X509_PURPOSE_SSL_SERVER) != X509_V_OK);
  BOOST_TEST(verify(new_authority(), leaf.get(), X509_PURPOSE_SSL_CLIENT) != X509_V_OK);
  const auto key = openssl::parse_private_key("test", issued->key_pem);
  BOOST_REQUIRE(key);
  BOOST_TEST(X509_check_private_key(leaf.get(), key->get()) == 1);
}

BOOST_AUTO_TEST_CASE(names_longer_than_x509_recommends_and_odd_names_are_carried_unchanged) {
  const CertificateAuthority authority = new_authority();
  for (const std::string& name : {"system:node:" + std::string(253, 'n'), std::string("system:node:\xC3\xA9 "),
                                  std::string("a\nb"), std::string("a\0b", 3), std::string()}) {
    const auto issued = authority.issue_client({name, {name}, {}, {}});
    BOOST_REQUIRE(issued);
    const openssl::Certificate leaf = read(issued->certificate_pem);
    X509_NAME* subject = X509_get_subject_name(leaf.get());
    BOOST_TEST(entries(subject, NID_commonName) == std::vector{name});
    BOOST_TEST(entries(subject, NID_organizationName) == std::vector{name});
  }
}

BOOST_AUTO_TEST_CASE(a_server_certificate_is_for_its_names) {
  const CertificateAuthority authority = new_authority();
  const auto issued = authority.issue_server(apiserver_names());
  BOOST_REQUIRE(issued);
  const openssl::Certificate leaf = read(issued->certificate_pem);
  BOOST_TEST(verify(authority, leaf.get(), X509_PURPOSE_SSL_SERVER) == X509_V_OK);
  BOOST_TEST(X509_check_ip_asc(leaf.get(), "127.0.0.1", 0) == 1);
  BOOST_TEST(X509_check_ip_asc(leaf.get(), "::1", 0) == 1);
  BOOST_TEST(X509_check_host(leaf.get(), "kubernetes.default.svc", 0, 0, nullptr) == 1);
  BOOST_TEST(X509_check_host(leaf.get(), "example.com", 0, 0, nullptr) != 1);
  BOOST_TEST(!authority.issue_server({}));
}

// fabric8's Java client 7.3.1 reads this form, and not an EC key in PKCS #8.
BOOST_AUTO_TEST_CASE(the_key_of_a_client_is_in_the_form_that_all_client_libraries_read) {
  const auto issued = new_authority().issue_client({"admin", {"system:masters"}, "", {}});
  BOOST_REQUIRE(issued);
  BOOST_TEST(issued->key_pem.starts_with("-----BEGIN EC PRIVATE KEY-----\n"));
  BOOST_TEST(openssl::parse_private_key("test", issued->key_pem).has_value());
}

BOOST_AUTO_TEST_CASE(a_signing_request_names_its_subject_and_can_be_signed) {
  const CertificateAuthority authority = new_authority();
  const auto request = make_signing_request("system:node:a", {"system:nodes"});
  BOOST_REQUIRE(request);
  const auto signed_pem = authority.sign_request(request->request_pem);
  BOOST_REQUIRE(signed_pem);
  const openssl::Certificate leaf = read(*signed_pem);
  BOOST_TEST(entries(X509_get_subject_name(leaf.get()), NID_commonName) == std::vector<std::string>{"system:node:a"});
  BOOST_TEST(verify(authority, leaf.get(), X509_PURPOSE_SSL_CLIENT) == X509_V_OK);
  const auto key = openssl::parse_private_key("test", request->key_pem);
  BOOST_REQUIRE(key);
  BOOST_TEST(X509_check_private_key(leaf.get(), key->get()) == 1);
  const auto bare = make_csr("a", {});
  BOOST_REQUIRE(bare);
  BOOST_TEST(bare->starts_with("-----BEGIN CERTIFICATE REQUEST-----"));
  BOOST_TEST(!authority.sign_request("no request"));
}

BOOST_AUTO_TEST_CASE(an_authority_is_loaded_from_files_that_belong_together) {
  const Folder folder;
  const CertificateAuthority authority = new_authority();
  const auto leaf = authority.issue_client({"a", {}, {}, {}});
  BOOST_REQUIRE(leaf);
  const auto ca = folder.write("ca.crt", authority.certificate_pem());
  const auto leaf_certificate = folder.write("leaf.crt", leaf->certificate_pem);
  const auto leaf_key = folder.write("leaf.key", leaf->key_pem);

  const auto wrong_key = read_authority(ca, leaf_key);
  BOOST_REQUIRE(!wrong_key);
  BOOST_TEST(wrong_key.error().where == leaf_key.string());
  const auto no_authority = read_authority(leaf_certificate, leaf_key);
  BOOST_REQUIRE(!no_authority);
  BOOST_TEST(no_authority.error().what.find("authority") != std::string::npos);
  const auto missing = read_authority(folder.path / "none.crt", leaf_key);
  BOOST_REQUIRE(!missing);
  BOOST_TEST((missing.error().kind == Error::Kind::input));
  BOOST_TEST(!read_authority(folder.write("text.crt", "no PEM"), leaf_key));
}

BOOST_AUTO_TEST_CASE(a_loaded_authority_issues_what_its_certificate_verifies) {
  const Folder folder;
  // Ed25519, because a cluster's authority need not have a key of our kind.
  const openssl::Key key(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
  const openssl::Certificate root(X509_new());
  X509_set_version(root.get(), X509_VERSION_3);
  X509_gmtime_adj(X509_getm_notBefore(root.get()), -60);
  X509_gmtime_adj(X509_getm_notAfter(root.get()), 3600);
  X509_set_pubkey(root.get(), key.get());
  X509_NAME_add_entry_by_txt(X509_get_subject_name(root.get()), "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>("old"), -1, -1, 0);
  X509_set_issuer_name(root.get(), X509_get_subject_name(root.get()));
  const std::unique_ptr<X509_EXTENSION, openssl::Deleter<X509_EXTENSION_free>> ca(
      X509V3_EXT_conf_nid(nullptr, nullptr, NID_basic_constraints, "critical,CA:TRUE"));
  X509_add_ext(root.get(), ca.get(), -1);
  BOOST_REQUIRE(X509_sign(root.get(), key.get(), nullptr) > 0);

  const auto loaded = read_authority(folder.write("ca.crt", openssl::to_pem(root.get())),
                                     folder.write("ca.key", openssl::private_key_pem(key.get())));
  BOOST_REQUIRE(loaded);
  const auto issued = loaded->issue_client({"a", {}, {}, {}});
  BOOST_REQUIRE(issued);
  BOOST_TEST(verify(*loaded, read(issued->certificate_pem).get(), X509_PURPOSE_SSL_CLIENT) == X509_V_OK);
}

BOOST_AUTO_TEST_CASE(an_encrypted_key_is_refused_without_a_question_at_the_terminal) {
  const auto key = openssl::parse_private_key("k",
                                              "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIGb\n"
                                              "-----END ENCRYPTED PRIVATE KEY-----\n");
  BOOST_REQUIRE(!key);
  BOOST_TEST(key.error().what.find("unencrypted") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(service_account_keys_are_a_pair) {
  const auto keys = make_service_account_keys();
  BOOST_REQUIRE(keys);
  BOOST_TEST(keys->private_pem.starts_with("-----BEGIN PRIVATE KEY-----"));
  BOOST_TEST(keys->public_pem.starts_with("-----BEGIN PUBLIC KEY-----"));
}

BOOST_AUTO_TEST_CASE(base64_is_reversible_and_strict) {
  for (const std::string& bytes :
       {std::string(), std::string("a"), std::string("ab"), std::string("abc"), std::string("\0\xFF\x7F\x80", 4)}) {
    const auto back = base64_decode(base64_encode(bytes));
    BOOST_REQUIRE(back);
    BOOST_TEST(*back == bytes);
  }
  BOOST_TEST(base64_encode("ab") == "YWI=");
  BOOST_TEST(*base64_decode("YW\nI=\n") == "ab");
  for (const char* wrong : {"YWI", "Y===", "YW=I", "YW*I", "="}) BOOST_TEST(!base64_decode(wrong));
}

BOOST_AUTO_TEST_CASE(possession_is_proved_by_a_signature_that_its_public_key_verifies) {
  const Possession possession = *prove_possession("00000000-0000-0000-0000-000000000001");
  const auto* bytes = reinterpret_cast<const unsigned char*>(possession.public_key.data());
  EVP_PKEY* key = d2i_PUBKEY(nullptr, &bytes, static_cast<long>(possession.public_key.size()));
  BOOST_REQUIRE(key != nullptr);
  const auto verifies = [&](std::string_view text) {
    EVP_MD_CTX* context = EVP_MD_CTX_new();
    EVP_DigestVerifyInit(context, nullptr, nullptr, nullptr, key);
    const int result =
        EVP_DigestVerify(context, reinterpret_cast<const unsigned char*>(possession.signature.data()),
                         possession.signature.size(), reinterpret_cast<const unsigned char*>(text.data()), text.size());
    EVP_MD_CTX_free(context);
    return result == 1;
  };
  BOOST_TEST(verifies("00000000-0000-0000-0000-000000000001"));
  BOOST_TEST(!verifies("00000000-0000-0000-0000-000000000002"));
  EVP_PKEY_free(key);
  BOOST_TEST(prove_possession("x")->public_key == possession.public_key);
}

BOOST_AUTO_TEST_SUITE_END()
