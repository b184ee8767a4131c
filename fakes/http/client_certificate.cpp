#include "fakes/http/client_certificate.h"

#include <algorithm>
#include <array>
#include <openssl/x509v3.h>
#include <string_view>
#include <vector>

namespace nodebound {
namespace {

constexpr long kVersion3 = 2;
constexpr int kShortestRsa = 1024;
constexpr int kLongestRsa = 8192;

std::string_view bytes_of(const ASN1_STRING* text) {
  return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
          static_cast<std::size_t>(ASN1_STRING_length(text))};
}

bool is_decimal(char c) {
  return c >= '0' && c <= '9';
}

bool is_printable(char c) {
  constexpr std::string_view marks = "'()+,-./ :=?*&";
  return is_decimal(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || marks.find(c) != std::string_view::npos;
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Surrogates and reserved numbers are not characters of the basic multilingual plane.
bool is_bmp(std::string_view text) {
  if (text.size() % 2 != 0) return false;
  if (text.ends_with(std::string_view("\0\0", 2))) text.remove_suffix(2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const unsigned point = static_cast<unsigned char>(text[i]) * 256U + static_cast<unsigned char>(text[i + 1]);
    const bool is_reserved = point >= 0xfffeU || (point >= 0xfdd0U && point <= 0xfdefU);
    if (is_reserved || (point >= 0xd800U && point <= 0xdfffU)) return false;
  }
  return true;
}

bool is_text(const ASN1_STRING* value) {
  const std::string_view text = bytes_of(value);
  switch (ASN1_STRING_type(value)) {
    case V_ASN1_T61STRING:
    case V_ASN1_UTF8STRING:  // OpenSSL has already checked it
      return true;
    case V_ASN1_PRINTABLESTRING:
      return std::all_of(text.begin(), text.end(), is_printable);
    case V_ASN1_BMPSTRING:
      return is_bmp(text);
    case V_ASN1_IA5STRING:
      return is_ascii(text);
    case V_ASN1_NUMERICSTRING:
      return std::all_of(text.begin(), text.end(), [](char c) { return is_decimal(c) || c == ' '; });
    default:
      return false;
  }
}

bool is_name(const X509_NAME* name) {
  for (int i = 0; i < X509_NAME_entry_count(name); ++i) {
    if (!is_text(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, i)))) return false;
  }
  return true;
}

bool is_uri(std::string_view uri) {
  if (!is_ascii(uri)) return false;
  for (std::size_t i = uri.find('%'); i != std::string_view::npos; i = uri.find('%', i + 1)) {
    const auto is_hex = [&](std::size_t at) {
      return at < uri.size() &&
             (is_decimal(uri[at]) || (uri[at] >= 'a' && uri[at] <= 'f') || (uri[at] >= 'A' && uri[at] <= 'F'));
    };
    if (!is_hex(i + 1) || !is_hex(i + 2)) return false;
  }
  return true;
}

bool is_alternative(const GENERAL_NAME* name) {
  switch (name->type) {
    case GEN_EMAIL:
    case GEN_DNS:
      return is_ascii(bytes_of(name->d.ia5));
    case GEN_URI:
      return is_uri(bytes_of(name->d.ia5));
    case GEN_IPADD: {
      const int size = ASN1_STRING_length(name->d.ip);
      return size == 4 || size == 16;
    }
    default:
      return true;
  }
}

bool are_alternatives(const X509* certificate) {
  auto* names = static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr));
  bool all = true;
  for (int i = 0; i < sk_GENERAL_NAME_num(names); ++i) all = all && is_alternative(sk_GENERAL_NAME_value(names, i));
  GENERAL_NAMES_free(names);
  return all;
}

bool are_extensions(const X509* certificate) {
  constexpr std::array<int, 3> never_critical{NID_authority_key_identifier, NID_subject_key_identifier,
                                              NID_info_access};
  std::vector<const ASN1_OBJECT*> seen;
  for (int i = 0; i < X509_get_ext_count(certificate); ++i) {
    X509_EXTENSION* each = X509_get_ext(certificate, i);
    const ASN1_OBJECT* kind = X509_EXTENSION_get_object(each);
    if (std::any_of(seen.begin(), seen.end(), [&](const auto* other) { return OBJ_cmp(kind, other) == 0; }))
      return false;
    seen.push_back(kind);
    const bool is_critical = X509_EXTENSION_get_critical(each) != 0;
    const auto* found = std::find(never_critical.begin(), never_critical.end(), OBJ_obj2nid(kind));
    if (is_critical && found != never_critical.end()) return false;
  }
  return are_alternatives(certificate);
}

bool is_key(EVP_PKEY* key) {
  if (key == nullptr || EVP_PKEY_is_a(key, "RSA") != 1) return true;
  return EVP_PKEY_get_bits(key) >= kShortestRsa && EVP_PKEY_get_bits(key) <= kLongestRsa;
}

}  // namespace

bool is_readable_in_go(const X509* certificate) {
  const long version = X509_get_version(certificate);
  if (version < 0 || version > kVersion3) return false;
  if (ASN1_STRING_type(X509_get0_serialNumber(certificate)) == V_ASN1_NEG_INTEGER) return false;
  const X509_ALGOR* outer = nullptr;
  X509_get0_signature(nullptr, &outer, certificate);
  if (X509_ALGOR_cmp(outer, X509_get0_tbs_sigalg(certificate)) != 0) return false;
  if (!is_name(X509_get_issuer_name(certificate)) || !is_name(X509_get_subject_name(certificate))) return false;
  if (version == kVersion3 && !are_extensions(certificate)) return false;
  return is_key(X509_get0_pubkey(certificate));
}

}  // namespace nodebound
