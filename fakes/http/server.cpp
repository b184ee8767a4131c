#include "fakes/http/server.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "fakes/http/client_certificate.h"
#include "fakes/http/serving_threads.h"
#include "fakes/http/session.h"

namespace nodebound {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr int kBacklog = 4096;

/// kube-apiserver prefers HTTP/2; a client that offers nothing else cannot talk to this server.
int choose_protocol(SSL* /*tls*/, const unsigned char** out, unsigned char* out_size, const unsigned char* offered,
                    unsigned int offered_size, void* /*context*/) {
  static constexpr unsigned char kHttp11[] = "\x08http/1.1";
  unsigned char* chosen = nullptr;
  const int found = SSL_select_next_proto(&chosen, out_size, kHttp11, sizeof kHttp11 - 1, offered, offered_size);
  *out = chosen;
  return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

/// As with kube-apiserver, the handshake accepts any readable certificate: authentication checks it with the request.
int take_certificates(X509_STORE_CTX* context, void* /*argument*/) {
  const STACK_OF(X509)* shown = X509_STORE_CTX_get0_untrusted(context);
  const X509* own = X509_STORE_CTX_get0_cert(context);
  bool readable = own == nullptr || is_readable_in_go(own);
  for (int i = 0; i < sk_X509_num(shown); ++i) readable = readable && is_readable_in_go(sk_X509_value(shown, i));
  X509_STORE_CTX_set_error(context, readable ? X509_V_OK : X509_V_ERR_CERT_REJECTED);
  return readable ? 1 : 0;
}

/// Names the CAs to clients: Go clients send no certificate of another CA.
Result<void> ask_for_certificates(asio::ssl::context& tls, const std::string& ca_pem) {
  error_code error;
  tls.add_certificate_authority(asio::buffer(ca_pem), error);
  if (error) return input_error("--client-ca-file", "expected certificates in PEM (" + error.message() + ")");
  tls.set_verify_mode(asio::ssl::verify_peer, error);
  SSL_CTX_set_cert_verify_callback(tls.native_handle(), take_certificates, nullptr);
  STACK_OF(X509_OBJECT)* trusted = X509_STORE_get0_objects(SSL_CTX_get_cert_store(tls.native_handle()));
  for (int i = 0; i < sk_X509_OBJECT_num(trusted); ++i) {
    SSL_CTX_add_client_CA(tls.native_handle(), X509_OBJECT_get0_X509(sk_X509_OBJECT_value(trusted, i)));
  }
  return {};
}

Result<void> set_up(asio::ssl::context& tls, const HttpsServerOptions& options, const HttpsPort& port) {
  error_code error;
  tls.use_certificate_chain(asio::buffer(port.certificate_pem), error);
  if (error) return input_error("--tls-cert-file", "expected a certificate in PEM (" + error.message() + ")");
  tls.use_private_key(asio::buffer(port.key_pem), asio::ssl::context::pem, error);
  if (error) return input_error("--tls-private-key-file", "expected the certificate's key (" + error.message() + ")");
  SSL_CTX* context = tls.native_handle();
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_alpn_select_cb(context, choose_protocol, nullptr);
  // A resumed session has no certificate chain to authenticate with.
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
  SSL_CTX_set_num_tickets(context, 0);
  return options.client_ca_pem.empty() ? Result<void>() : ask_for_certificates(tls, options.client_ca_pem);
}

}  // namespace

class HttpsServer::Listener {
 public:
  explicit Listener(const HttpsServerOptions& options) : options_(options), sweep_timer_(context_) {}

  Result<void> listen(const std::vector<HttpsPort>& ports) {
    for (const HttpsPort& port : ports) {
      error_code error;
      const auto address = asio::ip::make_address(port.address, error);
      if (error) return input_error("--bind-address", "\"" + port.address + "\" is no IP address");
      Site& site = sites_.emplace_back(context_, port.handler);
      if (options_.tls) {
        if (Result<void> ready = set_up(site.tls, options_, port); !ready) return ready;
      }
      if (Result<void> ready = listen(site, tcp::endpoint(address, port.port)); !ready) return ready;
    }
    return {};
  }

  void run() {
    // OpenSSL writes to sockets without MSG_NOSIGNAL, so a client that hangs up would end this process.
    std::signal(SIGPIPE, SIG_IGN);
    for (Site& site : sites_) accept(site);
    sweep();
    const unsigned threads =
        options_.threads != 0 ? options_.threads : std::max(4U, std::thread::hardware_concurrency());
    threads_.start(threads);
  }

  void stop(milliseconds grace) {
    if (stopped_) return;
    stopped_ = true;
    asio::post(context_, [this] {
      error_code ignored;
      for (Site& site : sites_) site.acceptor.close(ignored);
    });
    each_session([](HttpsSession& session) { session.finish(); });
    {
      std::unique_lock lock(mutex_);
      gone_.wait_for(lock, grace, [this] { return sessions_.empty(); });
    }
    each_session([](HttpsSession& session) { session.abort(); });
    asio::post(context_, [this] { sweep_timer_.cancel(); });
    context_.stop();
    threads_.join();
  }

  [[nodiscard]] std::uint16_t port(std::size_t index) const { return sites_.at(index).port; }

 private:
  /// One of the ports.
  struct Site {
    Site(asio::io_context& context, HttpHandler& to)
        : tls(asio::ssl::context::tls_server), acceptor(context), handler(to) {}

    asio::ssl::context tls;
    tcp::acceptor acceptor;
    HttpHandler& handler;
    std::uint16_t port = 0;
  };

  static Result<void> listen(Site& site, const tcp::endpoint& endpoint) {
    error_code error;
    site.acceptor.open(endpoint.protocol(), error);
    if (!error) site.acceptor.set_option(asio::socket_base::reuse_address(true), error);
    if (!error) site.acceptor.bind(endpoint, error);
    if (!error) site.acceptor.listen(kBacklog, error);
    if (error) {
      return unreachable_error(endpoint.address().to_string() + ":" + std::to_string(endpoint.port()),
                               "cannot listen: " + error.message(), "port 0 picks one that is free");
    }
    site.port = site.acceptor.local_endpoint(error).port();
    return {};
  }

  template <typename Visit>
  void each_session(Visit visit) {
    std::vector<std::shared_ptr<HttpsSession>> alive;
    {
      const std::lock_guard lock(mutex_);
      for (const auto& [key, session] : sessions_) {
        if (auto held = session.lock()) alive.push_back(std::move(held));
      }
    }
    for (const auto& session : alive) visit(*session);
  }

  void accept(Site& site) {
    site.acceptor.async_accept(asio::make_strand(context_), [this, &site](const error_code& error, tcp::socket socket) {
      if (!site.acceptor.is_open()) return;
      if (!error) begin(site, std::move(socket));
      // Probably out of file descriptors: open connections go on, and may end.
      if (error) std::this_thread::sleep_for(milliseconds(10));
      accept(site);
    });
  }

  void begin(Site& site, tcp::socket socket) {
    auto* const made = new HttpsSession(std::move(socket), site.tls, options_, site.handler);
    const std::shared_ptr<HttpsSession> session(made, [this](HttpsSession* ended) {
      delete ended;
      const std::lock_guard lock(mutex_);
      sessions_.erase(ended);
      if (sessions_.empty()) gone_.notify_all();
    });
    {
      const std::lock_guard lock(mutex_);
      sessions_.emplace(made, session);
    }
    session->start();
  }

  void sweep() {
    sweep_timer_.expires_after(milliseconds(100));
    sweep_timer_.async_wait([this](const error_code& error) {
      if (error) return;
      const auto now = steady_clock::now();
      each_session([now](HttpsSession& session) { session.expire(now); });
      sweep();
    });
  }

  const HttpsServerOptions options_;
  std::mutex mutex_;
  std::condition_variable gone_;
  std::unordered_map<HttpsSession*, std::weak_ptr<HttpsSession>> sessions_;
  // Declared after everything that sessions use in their destructors: the context destroys the last sessions.
  asio::io_context context_;
  std::deque<Site> sites_;
  asio::steady_timer sweep_timer_;
  ServingThreads threads_{context_};
  bool stopped_ = false;
};

HttpsServer::HttpsServer(std::unique_ptr<Listener> listener) : listener_(std::move(listener)) {}

HttpsServer::~HttpsServer() {
  stop(milliseconds(0));
}

Result<std::unique_ptr<HttpsServer>> HttpsServer::start(const HttpsServerOptions& options, HttpHandler& handler) {
  return start(options, {HttpsPort{options.address, options.port, options.certificate_pem, options.key_pem, handler}});
}

Result<std::unique_ptr<HttpsServer>> HttpsServer::start(const HttpsServerOptions& options,
                                                        const std::vector<HttpsPort>& ports) {
  auto listener = std::make_unique<Listener>(options);
  if (const Result<void> listening = listener->listen(ports); !listening) return tl::unexpected(listening.error());
  listener->run();
  return std::unique_ptr<HttpsServer>(new HttpsServer(std::move(listener)));
}

std::uint16_t HttpsServer::port(std::size_t index) const {
  return listener_->port(index);
}

void HttpsServer::stop(milliseconds grace) {
  listener_->stop(grace);
}

}  // namespace nodebound
