#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <future>
#include <mutex>
#include <optional>

#include "fakes/http/duplex_stream.h"
#include "fakes/proxy/backend.h"

namespace nodebound::proxy {

/// One connection. Everything about its socket happens on the thread of `context`.
class BackendLink : public std::enable_shared_from_this<BackendLink> {
 public:
  using Error = boost::system::error_code;
  using Clock = std::chrono::steady_clock;
  using Endpoints = boost::asio::ip::tcp::resolver::results_type;

  BackendLink(boost::asio::io_context& context, boost::asio::ssl::context& tls, const Onward& to,
              const Backends::Options& options);

  BackendLink(const BackendLink&) = delete;
  BackendLink& operator=(const BackendLink&) = delete;

  /// From any other thread: sends the request and waits until the answer begins.
  tl::expected<Backends::Answer, Backends::Failure> ask(const std::string& bytes, bool is_head);

  /// From any thread.
  void close();

  // The body, from any thread.
  bool take(std::string& out);
  void receive(std::string_view bytes);
  [[nodiscard]] bool full() const;
  [[nodiscard]] bool cut_off() const;
  void on_ready(std::function<void()> notify);

 private:
  using Stream = boost::asio::ssl::stream<boost::asio::ip::tcp::socket>;
  using Parser = boost::beast::http::response_parser<boost::beast::http::buffer_body>;
  static constexpr std::size_t piece_size = 16384;

  /// Starts an operation on the thread of the connections, and waits for it; an error if time is up.
  template <typename Start>
  Error wait_for(Start start);
  [[nodiscard]] Backends::Failure failure_of(const Error& error, bool dialing) const;
  std::optional<Backends::Failure> connect();
  std::optional<Backends::Failure> shake_hands();
  [[nodiscard]] Error read_head(bool is_head);
  void begin_body();

  /// Calls `use` with the stream that carries the bytes: TLS, or the socket itself.
  template <typename Use>
  void over_transport(Use use) {
    to_.tls ? use(stream_) : use(stream_.next_layer());
  }

  // On the thread of the connections.
  void read();
  void write();
  void came(const Error& error, std::size_t bytes);
  void end(bool whole);

  boost::asio::io_context& context_;
  Stream stream_;
  const Onward to_;
  const Backends::Options& options_;
  const Clock::time_point deadline_;
  boost::beast::flat_buffer buffer_;
  std::optional<Parser> parser_;
  std::array<char, piece_size> piece_{};
  bool upgraded_ = false;
  bool reading_ = false;
  bool writing_ = false;
  std::string written_;

  mutable std::mutex mutex_;
  std::string in_;   ///< from the other side
  std::string out_;  ///< for it
  std::function<void()> notify_;
  bool ended_ = false;
  bool cut_off_ = false;
};

}  // namespace nodebound::proxy
