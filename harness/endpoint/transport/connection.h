#pragma once

#include <array>
#include <chrono>
#include <netdb.h>
#include <string>
#include <sys/types.h>

#include "harness/endpoint/https_client.h"
#include "harness/endpoint/transport/break.h"
#include "harness/endpoint/transport/patience.h"
#include "harness/endpoint/transport/tls.h"

namespace nodebound {

/// Bytes to and from one server, with or without TLS. The socket does not block, so every wait ends when the request's
/// patience does. Makes one connection after the other; the HTTP library owns the socket.
class Connection {
 public:
  Connection(ServerAddress server, TlsContext tls)
      : server_(std::move(server)), tls_(std::move(tls)), pin_{server_.fingerprint} {}

  /// A connected socket after its TLS handshake. -1 if there is none; broken() says why.
  int open(const Patience& patience, std::chrono::milliseconds connect_time);
  /// The socket is about to be closed.
  void leave();

  /// Returns what read() returns: 0 at the end, -1 if the connection broke.
  ssize_t read(char* to, std::size_t size, const Patience& patience);
  ssize_t write(const char* from, std::size_t size, const Patience& patience);

  /// Whether the connection is open and has received nothing since the last answer: neither an end of file nor
  /// unrequested bytes.
  [[nodiscard]] bool is_quiet();
  [[nodiscard]] Break broken() const { return broken_; }
  /// About the last connection: OpenSSL's word for the problem with the server's certificate, or the fingerprint of a
  /// certificate that is not pinned.
  [[nodiscard]] const std::string& certificate_problem() const { return certificate_problem_; }

 private:
  bool connect(const Patience& patience);
  bool connect_to(const addrinfo& address, const Patience& patience);
  bool shake_hands(const Patience& patience);
  ssize_t fail(Break why);
  ssize_t fail(Patience::End end);
  bool wait(short events, const Patience& patience);
  /// Whether the server has said that it wants a client certificate, or another one.
  [[nodiscard]] bool certificate_is_wanted() const;
  ssize_t read_some(char* to, std::size_t size, const Patience& patience);
  /// Waits for what OpenSSL's `result` asks for. True: try again.
  bool go_on(int result, const Patience& patience, bool& ended);

  ServerAddress server_;
  TlsContext tls_;
  Pin pin_;
  TlsSession session_;
  int socket_ = -1;
  Break broken_ = Break::none;
  std::string certificate_problem_;
  std::array<char, 16384> buffer_{};
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace nodebound
