#include "fakes/benchmark/tls_client.h"

#include <array>
#include <charconv>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <stdexcept>
#include <strings.h>
#include <sys/socket.h>

namespace nodebound {
namespace {

[[noreturn]] void fail(const std::string& what) {
  const char* const why = ERR_reason_error_string(ERR_get_error());
  throw std::runtime_error(what + (why == nullptr ? "" : std::string(": ") + why));
}

int connected(std::uint16_t port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (socket < 0 || connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    fail("cannot connect to port " + std::to_string(port));
  }
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return socket;
}

/// The number in a header field, given its name in lower case; -1 if the field is missing.
long number_of(std::string_view head, std::string_view name) {
  for (std::size_t at = head.find("\r\n"); at != std::string_view::npos; at = head.find("\r\n", at)) {
    at += 2;
    const std::string_view line = head.substr(at);
    if (line.size() <= name.size() || line[name.size()] != ':' ||
        strncasecmp(line.data(), name.data(), name.size()) != 0) {
      continue;
    }
    const std::string_view value = line.substr(line.find_first_not_of(' ', name.size() + 1));
    long out = -1;
    std::from_chars(value.data(), value.data() + value.size(), out);
    return out;
  }
  return -1;
}

}  // namespace

TlsContext::TlsContext(const std::string& certificate_file, const std::string& key_file)
    : context_(SSL_CTX_new(TLS_client_method())) {
  if (!context_ || SSL_CTX_use_certificate_chain_file(get(), certificate_file.c_str()) != 1) fail(certificate_file);
  if (SSL_CTX_use_PrivateKey_file(get(), key_file.c_str(), SSL_FILETYPE_PEM) != 1) fail(key_file);
  // Reads each TLS record with one read, not with one for its header and one for the rest.
  SSL_CTX_set_read_ahead(get(), 1);
}

TlsClient::TlsClient(const TlsContext& context, std::uint16_t port) : tls_(SSL_new(context.get())) {
  constexpr unsigned char http11[] = "\x08http/1.1";
  SSL_set_alpn_protos(tls_.get(), http11, sizeof http11 - 1);
  SSL_set_fd(tls_.get(), connected(port));
  if (SSL_connect(tls_.get()) != 1) fail("no TLS with port " + std::to_string(port));
}

void TlsClient::write(std::string_view request) {
  if (SSL_write(tls_.get(), request.data(), static_cast<int>(request.size())) <= 0) fail("cannot send");
}

void TlsClient::read_more() {
  std::array<char, 16384> piece;
  const int size = SSL_read(tls_.get(), piece.data(), static_cast<int>(piece.size()));
  if (size <= 0) fail("the connection has ended");
  input_.append(piece.data(), static_cast<std::size_t>(size));
}

void TlsClient::take(std::size_t size) {
  while (input_.size() < size) read_more();
  input_.erase(0, size);
}

std::string TlsClient::take_until(std::string_view end) {
  std::size_t at = 0;
  while ((at = input_.find(end)) == std::string::npos) read_more();
  std::string out = input_.substr(0, at);
  input_.erase(0, at + end.size());
  return out;
}

int TlsClient::read_answer() {
  const std::string head = take_until("\r\n\r\n");
  int status = 0;
  std::from_chars(head.data() + std::string_view("HTTP/1.1 ").size(), head.data() + head.size(), status);
  const long length = number_of(head, "content-length");
  if (length >= 0) {
    take(static_cast<std::size_t>(length));
    return status;
  }
  // Go sends bodies longer than 2 KiB in chunks.
  for (std::size_t size = 1; size != 0;) {
    const std::string line = take_until("\r\n");
    if (std::from_chars(line.data(), line.data() + line.size(), size, 16).ec != std::errc()) fail("no chunk: " + line);
    take(size + 2);
  }
  return status;
}

}  // namespace nodebound
