#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "fakes/http/connection.h"
#include "reference/result.h"

namespace nodebound {

struct HttpsServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;       ///< 0 picks one
  bool tls = true;              ///< plain HTTP without: for what asks nobody who they are
  std::string certificate_pem;  ///< its chain, the server's own first
  std::string key_pem;
  /// Clients are asked for a certificate of these, and may show none, or another; empty asks for none.
  std::string client_ca_pem;
  HttpLimits limits;
  std::chrono::milliseconds handshake_time{10'000};
  std::chrono::milliseconds header_time{32'000};  ///< kube-apiserver's ReadHeaderTimeout
  std::chrono::milliseconds body_time{60'000};
  std::chrono::milliseconds idle_time{90'000};  ///< kube-apiserver's IdleTimeout
  /// For each quarter of a megabyte that a client does not take.
  std::chrono::milliseconds write_time{60'000};
  unsigned threads = 0;  ///< 0: as many as there are processors, but not fewer than four
};

/// HTTPS over sockets, or HTTP. Nobody's slowness holds up anybody else: every wait has an end and keeps no thread.
class HttpsServer {
 public:
  /// Listens when it returns. `handler` must outlive the server.
  static Result<std::unique_ptr<HttpsServer>> start(const HttpsServerOptions& options, HttpHandler& handler);

  ~HttpsServer();

  HttpsServer(const HttpsServer&) = delete;
  HttpsServer& operator=(const HttpsServer&) = delete;

  [[nodiscard]] std::uint16_t port() const;

  /// Takes no more connections, lets answers under way end within the time, ends streams, and returns when all is over.
  void stop(std::chrono::milliseconds grace = std::chrono::milliseconds(2000));

 private:
  class Listener;
  explicit HttpsServer(std::unique_ptr<Listener> listener);
  std::unique_ptr<Listener> listener_;
};

}  // namespace nodebound
