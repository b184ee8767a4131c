#pragma once

#include <chrono>
#include <httplib.h>
#include <string>
#include <thread>
#include <utility>

#include "fakes/wire/certificates/openssl.h"
#include "fakes/wire/certificates/pki.h"

namespace hostile {

/// HTTPS on loopback with a certificate of its own authority. It asks each client for a certificate and accepts any, so
/// that a test sees all that a client shows.
class SpyingServer {
 public:
  /// OpenSSL's flags say whether a client may do without a certificate.
  explicit SpyingServer(int verify_mode = SSL_VERIFY_PEER) : verify_mode_(verify_mode) {}
  SpyingServer(const SpyingServer&) = delete;
  SpyingServer& operator=(const SpyingServer&) = delete;
  ~SpyingServer() { stop(); }

  /// The server, for its handlers. Set them before start().
  httplib::SSLServer& http() { return http_; }

  void start() {
    http_.set_tcp_nodelay(true);
    port_ = http_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { http_.listen_after_bind(); });
    while (!http_.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  /// Returns once no request is answered any more.
  void stop() {
    if (!thread_.joinable()) return;
    http_.stop();
    thread_.join();
  }

  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] std::string url() const { return "https://127.0.0.1:" + std::to_string(port_); }
  [[nodiscard]] const nodebound::CertificateAuthority& authority() const { return authority_; }

 private:
  int verify_mode_;
  nodebound::CertificateAuthority authority_ = nodebound::CertificateAuthority::create("thief").value();
  nodebound::IssuedCertificate own_ = authority_.issue_server({"127.0.0.1"}).value();
  nodebound::openssl::Certificate certificate_ =
      std::move(nodebound::openssl::parse_certificates("own", own_.certificate_pem)->front());
  nodebound::openssl::Key key_ = std::move(*nodebound::openssl::parse_private_key("own", own_.key_pem));
  httplib::SSLServer http_{[this](SSL_CTX& context) {
    SSL_CTX_use_certificate(&context, certificate_.get());
    SSL_CTX_use_PrivateKey(&context, key_.get());
    SSL_CTX_set_verify(&context, verify_mode_, [](int, X509_STORE_CTX*) { return 1; });
    SSL_CTX_set_session_id_context(&context, reinterpret_cast<const unsigned char*>("thief"), 5);
    return true;
  }};
  int port_ = 0;
  std::thread thread_;
};

}  // namespace hostile
