#include "harness/endpoint/transport/connection.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace nodebound {
namespace {

using Addresses = std::unique_ptr<addrinfo, openssl::Deleter<freeaddrinfo>>;

Addresses addresses_of(const ServerAddress& server) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  if (getaddrinfo(server.host.c_str(), std::to_string(server.port).c_str(), &hints, &found) != 0) return nullptr;
  return Addresses(found);
}

}  // namespace

int Connection::open(const Patience& patience, std::chrono::milliseconds connect_time) {
  leave();
  broken_ = Break::none;
  certificate_problem_.clear();
  pin_.seen.clear();
  if (!connect(patience.at_most(connect_time))) {
    // The time for connecting ran out, not the time for the request.
    if (broken_ == Break::deadline && patience.over() == Patience::End::none) broken_ = Break::not_in_time;
    return -1;
  }
  if (server_.tls && !shake_hands(patience)) {
    session_.reset();
    ::close(std::exchange(socket_, -1));
    return -1;
  }
  return socket_;
}

void Connection::leave() {
  // An unresponsive server cannot delay this, because the socket does not block.
  if (session_ && broken_ == Break::none) SSL_shutdown(session_.get());
  ERR_clear_error();
  session_.reset();
  socket_ = -1;
  begin_ = end_ = 0;
}

bool Connection::connect(const Patience& patience) {
  const Addresses addresses = addresses_of(server_);
  broken_ = addresses ? Break::refused : Break::unknown_host;
  for (const addrinfo* address = addresses.get(); address != nullptr; address = address->ai_next) {
    if (connect_to(*address, patience)) {
      broken_ = Break::none;
      return true;
    }
    if (broken_ != Break::refused) break;
  }
  return false;
}

bool Connection::connect_to(const addrinfo& address, const Patience& patience) {
  socket_ = ::socket(address.ai_family, address.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, address.ai_protocol);
  if (socket_ < 0) return false;
  const int on = 1;
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  int error = ::connect(socket_, address.ai_addr, address.ai_addrlen) == 0 ? 0 : errno;
  if (error == EINPROGRESS || error == EINTR) {
    if (wait(POLLOUT, patience)) {
      socklen_t size = sizeof error;
      getsockopt(socket_, SOL_SOCKET, SO_ERROR, &error, &size);
    }
  }
  if (error == 0) return true;
  ::close(std::exchange(socket_, -1));
  return false;
}

bool Connection::shake_hands(const Patience& patience) {
  session_ = make_tls_session(tls_, server_, socket_, pin_);
  if (!session_) {
    broken_ = Break::handshake;
    return false;
  }
  for (bool ended = false;;) {
    ERR_clear_error();
    const int result = SSL_connect(session_.get());
    if (result == 1) return true;
    if (go_on(result, patience, ended)) continue;
    if (broken_ != Break::closed) return false;
    if (!pin_.seen.empty() && pin_.seen != pin_.expected) {
      broken_ = Break::other_certificate;
      certificate_problem_ = pin_.seen;
      return false;
    }
    const long code = SSL_get_verify_result(session_.get());
    const bool named = code == X509_V_ERR_HOSTNAME_MISMATCH || code == X509_V_ERR_IP_ADDRESS_MISMATCH;
    broken_ = code == X509_V_OK ? Break::handshake : named ? Break::host_name : Break::certificate;
    certificate_problem_ = X509_verify_cert_error_string(code);
    return false;
  }
}

ssize_t Connection::fail(Break why) {
  broken_ = why;
  return -1;
}

ssize_t Connection::fail(Patience::End end) {
  return fail(end == Patience::End::signal ? Break::signal : Break::deadline);
}

bool Connection::wait(short events, const Patience& patience) {
  const Patience::End end = patience.wait(socket_, events);
  if (end != Patience::End::none) fail(end);
  return end == Patience::End::none;
}

bool Connection::go_on(int result, const Patience& patience, bool& ended) {
  switch (SSL_get_error(session_.get(), result)) {
    case SSL_ERROR_WANT_READ:
      return wait(POLLIN, patience);
    case SSL_ERROR_WANT_WRITE:
      return wait(POLLOUT, patience);
    case SSL_ERROR_ZERO_RETURN:
      ended = true;
      return false;
    default:
      fail(certificate_is_wanted() ? Break::client_certificate : Break::closed);
      return false;
  }
}

bool Connection::certificate_is_wanted() const {
  switch (ERR_GET_REASON(ERR_peek_last_error())) {
    case SSL_R_SSLV3_ALERT_BAD_CERTIFICATE:
    case SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED:
    case SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN:
    case SSL_R_TLSV1_ALERT_UNKNOWN_CA:
    case SSL_R_TLSV1_ALERT_ACCESS_DENIED:
    case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED:
      return true;
    case SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE: {
      // TLS 1.2 has no alert of its own for a certificate that is missing. Only who asks for one names types.
      const unsigned char* types = nullptr;
      return SSL_get0_certificate_types(session_.get(), &types) > 0;
    }
    default:
      return false;
  }
}

ssize_t Connection::read(char* to, std::size_t size, const Patience& patience) {
  if (begin_ == end_) {
    // A server that sends without a pause never causes a wait, so the deadline is checked here too.
    if (const auto over = patience.over(); over != Patience::End::none) return fail(over);
    const ssize_t arrived = read_some(buffer_.data(), buffer_.size(), patience);
    if (arrived <= 0) return arrived;
    begin_ = 0;
    end_ = static_cast<std::size_t>(arrived);
  }
  const std::size_t given = std::min(size, end_ - begin_);
  std::copy_n(buffer_.data() + begin_, given, to);
  begin_ += given;
  return static_cast<ssize_t>(given);
}

bool Connection::is_quiet() {
  if (socket_ < 0 || begin_ < end_) return false;
  char first = 0;
  if (!session_) return recv(socket_, &first, 1, MSG_PEEK) < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  ERR_clear_error();
  // Reads TLS's own messages, such as session tickets.
  const int peeked = SSL_peek(session_.get(), &first, 1);
  return peeked <= 0 && SSL_get_error(session_.get(), peeked) == SSL_ERROR_WANT_READ;
}

ssize_t Connection::read_some(char* to, std::size_t size, const Patience& patience) {
  for (bool ended = false;;) {
    if (session_) {
      ERR_clear_error();
      const int got = SSL_read(session_.get(), to, static_cast<int>(std::min<std::size_t>(size, INT_MAX)));
      if (got > 0) return got;
      if (go_on(got, patience, ended)) continue;
      return ended ? 0 : -1;
    }
    const ssize_t got = recv(socket_, to, size, 0);
    if (got >= 0) return got;
    if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) return fail(Break::closed);
    if (!wait(POLLIN, patience)) return -1;
  }
}

ssize_t Connection::write(const char* from, std::size_t size, const Patience& patience) {
  for (bool ended = false;;) {
    if (const auto over = patience.over(); over != Patience::End::none) return fail(over);
    if (session_) {
      ERR_clear_error();
      const int sent = SSL_write(session_.get(), from, static_cast<int>(std::min<std::size_t>(size, INT_MAX)));
      if (sent > 0) return sent;
      if (go_on(sent, patience, ended)) continue;
      if (ended) return fail(Break::closed);
      // Who hangs up may have said why.
      char none = 0;
      if (broken_ == Break::closed && SSL_read(session_.get(), &none, 1) <= 0 && certificate_is_wanted()) {
        fail(Break::client_certificate);
      }
      return -1;
    }
    const ssize_t sent = send(socket_, from, size, MSG_NOSIGNAL);
    if (sent >= 0) return sent;
    if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) return fail(Break::closed);
    if (!wait(POLLOUT, patience)) return -1;
  }
}

}  // namespace nodebound
