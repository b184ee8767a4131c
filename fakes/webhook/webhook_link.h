#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "fakes/webhook/webhook_connection.h"
#include "fakes/webhook/webhook_url.h"
#include "fakes/wire/http.h"

namespace nodebound::webhook {

/// One connection to a webhook's server, for one thread at a time.
class WebhookLink {
 public:
  using Clock = std::chrono::steady_clock;

  struct Trust {
    std::string server_name;  ///< empty: the URL's host
    bool skip_verification = false;
  };

  struct Peer {
    std::string host;
    std::string port;
  };

  WebhookLink(boost::asio::ssl::context& tls, WebhookUrl url, Trust trust, Peer peer);

  WebhookLink(const WebhookLink&) = delete;
  WebhookLink& operator=(const WebhookLink&) = delete;

  std::optional<WebhookFailure> connect(Clock::time_point deadline);

  /// Sends a request and reads the answer to its end. A failure before the head of the answer lacks the method and the
  /// URL, which client-go puts before it; one within the body has them all.
  struct Broken {
    WebhookFailure failure;
    bool in_body = false;
  };
  tl::expected<HttpResponse, Broken> ask(const std::string& request, Clock::time_point deadline,
                                         std::size_t most_body_bytes);

  /// Whether the connection can carry another request.
  [[nodiscard]] bool reusable();

 private:
  using Error = boost::system::error_code;

  template <typename Start>
  Error run(Clock::time_point deadline, Start start);
  [[nodiscard]] WebhookFailure failure_of(const Error& error, bool dialing) const;
  [[nodiscard]] WebhookFailure not_trusted(const Error& error);
  std::optional<WebhookFailure> shake_hands(Clock::time_point deadline);
  [[nodiscard]] const std::string& expected_name() const;

  template <typename Use>
  void over_transport(Use use) {
    url_.tls ? use(stream_) : use(stream_.next_layer());
  }

  boost::asio::io_context context_;
  boost::asio::ssl::stream<boost::asio::ip::tcp::socket> stream_;
  const WebhookUrl url_;
  const Trust trust_;
  const Peer peer_;
  boost::beast::flat_buffer buffer_;
  bool keeps_alive_ = false;
  std::string problem_;  ///< with the server's certificate
};

}  // namespace nodebound::webhook
