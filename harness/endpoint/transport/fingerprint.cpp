#include <algorithm>
#include <array>
#include <cctype>
#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <unistd.h>

#include "harness/endpoint/https_client.h"
#include "harness/endpoint/transport/connection.h"
#include "reference/encoding/ascii.h"

namespace nodebound {

Result<std::string> parse_fingerprint(const std::string& text, const std::string& where) {
  // openssl prints "sha256 Fingerprint=AB:CD:…".
  const std::size_t mark = text.rfind('=');
  std::string digits = in_lower_case(mark == std::string::npos ? text : text.substr(mark + 1));
  if (digits.starts_with("sha256:")) digits.erase(0, 7);
  std::erase(digits, ':');
  std::array<unsigned char, SHA256_DIGEST_LENGTH> bytes{};
  std::size_t size = 0;
  if (OPENSSL_hexstr2buf_ex(bytes.data(), bytes.size(), &size, digits.c_str(), '\0') == 1 && size == bytes.size()) {
    return digits;
  }
  return input_error(where, "\"" + text + "\" is not a SHA-256 fingerprint of a certificate",
                     "expected 64 hexadecimal digits, as openssl x509 -noout -fingerprint -sha256 prints them");
}

Result<std::string> shown_fingerprint(const ServerAddress& server) {
  ServerAddress pinned = server;
  // No certificate has this fingerprint, so the handshake ends before anything is sent.
  pinned.fingerprint = std::string(64, '0');
  auto tls = make_tls_context(pinned, {});
  if (!tls) return tl::unexpected(tls.error());
  const RequestLimits limits;
  Connection connection(pinned, std::move(*tls));
  const int socket = connection.open(Patience(limits.answer), limits.connect);
  if (connection.broken() == Break::other_certificate) return connection.certificate_problem();
  if (socket >= 0) ::close(socket);
  if (connection.broken() == Break::none) return unreachable_error(url_of(server), "shows no certificate");
  return tl::unexpected(
      error_of({connection.broken(), url_of(server), limits, 0, false, connection.certificate_problem()}));
}

}  // namespace nodebound
