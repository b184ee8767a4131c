#include "fakes/webhook/certificate_names.h"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <ctime>
#include <memory>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <vector>

#include "fakes/wire/certificates/openssl.h"
#include "fakes/wire/timestamp.h"

namespace nodebound::webhook {
namespace {

struct CertificateNames {
  std::vector<std::string> hosts;
  std::vector<std::string> addresses;
};

std::string address_text(const ASN1_OCTET_STRING* bytes) {
  namespace ip = boost::asio::ip;
  const unsigned char* data = ASN1_STRING_get0_data(bytes);
  const int size = ASN1_STRING_length(bytes);
  if (size == 4) {
    ip::address_v4::bytes_type v4{};
    std::copy(data, data + size, v4.begin());
    return ip::address_v4(v4).to_string();
  }
  if (size != 16) return {};
  ip::address_v6::bytes_type v6{};
  std::copy(data, data + size, v6.begin());
  return ip::address_v6(v6).to_string();
}

CertificateNames names_in(const X509* shown) {
  using Names = std::unique_ptr<GENERAL_NAMES, openssl::Deleter<GENERAL_NAMES_free>>;
  CertificateNames out;
  const Names names(static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(shown, NID_subject_alt_name, nullptr, nullptr)));
  for (int i = 0; names && i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(names.get(), i);
    if (name->type == GEN_DNS) {
      const ASN1_IA5STRING* host = name->d.dNSName;
      out.hosts.emplace_back(reinterpret_cast<const char*>(ASN1_STRING_get0_data(host)), ASN1_STRING_length(host));
    } else if (name->type == GEN_IPADD) {
      out.addresses.push_back(address_text(name->d.iPAddress));
    }
  }
  return out;
}

std::string time_text(const ASN1_TIME* time) {
  std::tm parts{};
  return ASN1_TIME_to_tm(time, &parts) == 1 ? timestamp_of_seconds(timegm(&parts)) : "an unknown time";
}

bool has_name(const X509* shown, const std::string& expected) {
  auto* certificate = const_cast<X509*>(shown);  // OpenSSL takes no const here, and changes nothing
  constexpr unsigned flags = X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS;
  if (X509_check_ip_asc(certificate, expected.c_str(), flags) == 1) return true;
  return X509_check_host(certificate, expected.c_str(), expected.size(), flags, nullptr) == 1;
}

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

/// crypto/x509's HostnameError.
std::string other_name(const X509* shown, const std::string& expected) {
  const CertificateNames names = names_in(shown);
  boost::system::error_code error;
  boost::asio::ip::make_address(expected, error);
  if (!error) {
    if (names.addresses.empty()) {
      return "cannot validate certificate for " + expected + " because it doesn't contain any IP SANs";
    }
    return "certificate is valid for " + listed(names.addresses) + ", not " + expected;
  }
  if (names.hosts.empty() && names.addresses.empty()) {
    const X509_NAME* subject = X509_get_subject_name(shown);
    if (X509_NAME_get_index_by_NID(subject, NID_commonName, -1) >= 0) {
      return "certificate relies on legacy Common Name field, use SANs instead";
    }
  }
  if (names.hosts.empty()) return "certificate is not valid for any names, but wanted to match " + expected;
  return "certificate is valid for " + listed(names.hosts) + ", not " + expected;
}

}  // namespace

// In Go, validity in time comes first, then the name, then who signed it.
std::string certificate_problem(int verified, const X509* shown, const std::string& expected) {
  if (shown == nullptr) return "certificate signed by unknown authority";
  const std::string now =
      "certificate has expired or is not yet valid: current time " + timestamp_of_seconds(std::time(nullptr));
  const ASN1_TIME* from = X509_get0_notBefore(shown);
  const ASN1_TIME* to = X509_get0_notAfter(shown);
  if (X509_cmp_current_time(from) > 0) return now + " is before " + time_text(from);
  if (X509_cmp_current_time(to) < 0) return now + " is after " + time_text(to);
  if (!has_name(shown, expected)) return other_name(shown, expected);
  if (verified == X509_V_ERR_INVALID_PURPOSE) return "certificate specifies an incompatible key usage";
  return "certificate signed by unknown authority";
}

}  // namespace nodebound::webhook
