#pragma once

#include <array>
#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <mutex>
#include <optional>

#include "fakes/http/server.h"

namespace nodebound {

/// One connection of an HttpsServer. Everything but `expire` runs on the executor of its socket, a strand.
class HttpsSession : public std::enable_shared_from_this<HttpsSession> {
 public:
  HttpsSession(boost::asio::ip::tcp::socket socket, boost::asio::ssl::context& tls, const HttpsServerOptions& options,
               HttpHandler& handler);
  ~HttpsSession();

  HttpsSession(const HttpsSession&) = delete;
  HttpsSession& operator=(const HttpsSession&) = delete;

  void start();
  /// From any thread: closes the connection if its time is up.
  void expire(std::chrono::steady_clock::time_point now);
  /// From any thread: makes the current answer the last.
  void finish();
  /// From any thread: closes the connection at once.
  void abort();

 private:
  using Time = std::chrono::milliseconds;

  /// Tells a session of new data in its stream, as long as the session exists. Streams may outlive the server, so they
  /// hold nothing that depends on it.
  class Wake {
   public:
    explicit Wake(HttpsSession& session) : session_(&session) {}
    void operator()();
    void forget();

   private:
    std::mutex mutex_;
    HttpsSession* session_;
  };

  void allow(Time time);
  void detect_tls();
  void handshake(std::size_t bytes_read);
  void answer_plain_http(std::size_t bytes_read);
  void serve();
  void step();
  void wait(Time time);
  void send();
  void write();
  void read();
  /// Calls `use` with the stream that carries the bytes: TLS, or the socket itself.
  template <typename Use>
  void over_transport(Use use) {
    options_.tls ? use(stream_) : use(stream_.next_layer());
  }
  void watch_stream();
  void close();
  void reset();
  void drain();
  void end();

  boost::asio::ssl::stream<boost::asio::ip::tcp::socket> stream_;
  const HttpsServerOptions& options_;
  HttpHandler& handler_;
  std::optional<HttpConnection> connection_;
  std::array<char, 16384> buffer_{};
  std::optional<boost::asio::steady_timer> delay_;
  std::string out_;
  std::size_t written_ = 0;
  std::atomic<std::chrono::steady_clock::rep> deadline_;
  BodyStream* watched_ = nullptr;
  const std::shared_ptr<Wake> wake_ = std::make_shared<Wake>(*this);
  bool reading_ = false;
  bool writing_ = false;
  bool ended_ = false;
};

/// The current time for the `date` header; formatted once a second.
const std::string& http_date();

}  // namespace nodebound
