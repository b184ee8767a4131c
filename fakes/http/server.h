#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fakes/http/connection.h"
#include "reference/result.h"

namespace nodebound {

struct HttpsServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;       ///< 0: any free port
  bool tls = true;              ///< false: plain HTTP, for ports without authentication
  std::string certificate_pem;  ///< the server's chain, its own certificate first
  std::string key_pem;
  /// Clients are asked for a certificate of these CAs; they may show none, or another. Empty: clients are not asked.
  std::string client_ca_pem;
  HttpLimits limits;
  std::chrono::milliseconds handshake_time{10'000};
  std::chrono::milliseconds header_time{32'000};  ///< kube-apiserver's ReadHeaderTimeout
  std::chrono::milliseconds body_time{60'000};
  std::chrono::milliseconds idle_time{90'000};  ///< kube-apiserver's IdleTimeout
  /// Time limit for each quarter of a megabyte that a client is slow to read.
  std::chrono::milliseconds write_time{60'000};
  unsigned threads = 0;  ///< 0: as many as processors, but at least four
};

/// One of several ports of a server, with the certificate and the handler of its own.
struct HttpsPort {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  ///< 0: any free port
  std::string certificate_pem;
  std::string key_pem;
  HttpHandler& handler;
};

/// An HTTPS or HTTP server on sockets. A slow client does not hold up others: every wait has a time limit and occupies
/// no thread.
class HttpsServer {
 public:
  /// The server listens when this returns. `handler` must outlive the server.
  static Result<std::unique_ptr<HttpsServer>> start(const HttpsServerOptions& options, HttpHandler& handler);

  /// The same for several ports, which share the threads of one server; `options` has what they have in common.
  static Result<std::unique_ptr<HttpsServer>> start(const HttpsServerOptions& options,
                                                    const std::vector<HttpsPort>& ports);

  ~HttpsServer();

  HttpsServer(const HttpsServer&) = delete;
  HttpsServer& operator=(const HttpsServer&) = delete;

  /// The actual number of a port, in the order in which they were given.
  [[nodiscard]] std::uint16_t port(std::size_t index = 0) const;

  /// Accepts no more connections, lets current answers end within the grace time, ends streams, and returns when
  /// everything has ended.
  void stop(std::chrono::milliseconds grace = std::chrono::milliseconds(2000));

 private:
  class Listener;
  explicit HttpsServer(std::unique_ptr<Listener> listener);
  std::unique_ptr<Listener> listener_;
};

}  // namespace nodebound
