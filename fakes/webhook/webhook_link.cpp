#include "fakes/webhook/webhook_link.h"

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http.hpp>
#include <cstdint>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/sslerr.h>
#include <openssl/x509v3.h>
#include <utility>

#include "fakes/webhook/certificate_names.h"

namespace nodebound::webhook {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using Kind = WebhookFailure::Kind;

constexpr std::uint32_t most_head_bytes = 10U << 20U;  ///< net/http's default
constexpr int most_informational = 5;                  ///< net/http takes no more answers of 1xx

bool is_ip_address(const std::string& host) {
  boost::system::error_code error;
  asio::ip::make_address(host, error);
  return !error;
}

HttpResponse response_of(http::response<http::string_body>&& parsed) {
  HttpResponse out;
  out.status = static_cast<int>(parsed.result_int());
  for (const auto& field : parsed.base()) {
    std::string name(field.name_string());
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    // Of a header that occurs twice, Go's Header.Get sees the first.
    out.headers.emplace(std::move(name), std::string(field.value()));
  }
  if (const auto type = out.headers.find("content-type"); type != out.headers.end()) out.content_type = type->second;
  out.body = std::move(parsed.body());
  return out;
}

}  // namespace

WebhookLink::WebhookLink(asio::ssl::context& tls, WebhookUrl url, Trust trust, Peer peer)
    : stream_(context_, tls),
      url_(std::move(url)),
      trust_(std::move(trust)),
      peer_(std::move(peer)),
      buffer_(most_head_bytes + 65536) {}

/// Runs one operation on this thread; an error if time is up.
template <typename Start>
WebhookLink::Error WebhookLink::run(Clock::time_point deadline, Start start) {
  Error out;
  start([&out](const Error& error, auto&&...) { out = error; });
  context_.restart();
  context_.run_until(deadline);
  if (context_.stopped()) return out;
  Error ignored;
  stream_.next_layer().close(ignored);
  context_.stop();
  return asio::error::timed_out;
}

const std::string& WebhookLink::expected_name() const {
  return trust_.server_name.empty() ? url_.host : trust_.server_name;
}

WebhookFailure WebhookLink::failure_of(const Error& error, bool dialing) const {
  const std::string dial = "dial tcp " + peer_.host + ":" + peer_.port + ": ";
  if (error == asio::error::timed_out) return {Kind::timeout, "context deadline exceeded"};
  if (error == asio::error::host_not_found || error == asio::error::host_not_found_try_again ||
      error == asio::error::no_data) {
    return {Kind::not_reached, "dial tcp: lookup " + peer_.host + ": no such host"};
  }
  if (error == asio::error::connection_refused) return {Kind::not_reached, dial + "connect: connection refused"};
  if (error == asio::error::host_unreachable) return {Kind::not_reached, dial + "connect: no route to host"};
  if (error == asio::error::network_unreachable) return {Kind::not_reached, dial + "connect: network is unreachable"};
  if (dialing && !stream_.next_layer().is_open()) return {Kind::not_reached, dial + error.message()};
  if (error == asio::error::connection_reset || error == asio::error::broken_pipe) {
    Error ignored;
    const auto own = stream_.next_layer().local_endpoint(ignored);
    const bool writing = error == asio::error::broken_pipe;
    return {Kind::reset, std::string(writing ? "write" : "read") + " tcp " + own.address().to_string() + ":" +
                             std::to_string(own.port()) + "->" + peer_.host + ":" + peer_.port +
                             (writing ? ": write: broken pipe" : ": read: connection reset by peer")};
  }
  if (error == http::error::end_of_stream || error == asio::error::eof || error == asio::ssl::error::stream_truncated) {
    return {Kind::closed, "EOF"};
  }
  if (error == http::error::partial_message) return {Kind::closed, "unexpected EOF"};
  if (error == http::error::header_limit || error == http::error::buffer_overflow) {
    return {Kind::other,
            "net/http: server response headers exceeded " + std::to_string(most_head_bytes) + " bytes; aborted"};
  }
  if (error.category() == http::make_error_code(http::error::bad_status).category()) {
    return {Kind::other, "net/http: HTTP/1.x transport connection broken: malformed HTTP response"};
  }
  if (error.category() == asio::error::get_ssl_category()) return {Kind::other, "tls: " + error.message()};
  return {Kind::other, error.message()};
}

std::optional<WebhookFailure> WebhookLink::connect(Clock::time_point deadline) {
  tcp::resolver resolver(context_);
  tcp::resolver::results_type endpoints;
  Error error = run(deadline, [&](auto done) {
    resolver.async_resolve(peer_.host, peer_.port, [&endpoints, done](const Error& failed, const auto& found) mutable {
      endpoints = found;
      done(failed);
    });
  });
  if (!error) {
    error = run(deadline, [&](auto done) { asio::async_connect(stream_.next_layer(), endpoints, std::move(done)); });
  }
  if (error) return failure_of(error, true);
  stream_.next_layer().set_option(tcp::no_delay(true), error);
  return url_.tls ? shake_hands(deadline) : std::nullopt;
}

std::optional<WebhookFailure> WebhookLink::shake_hands(Clock::time_point deadline) {
  SSL* session = stream_.native_handle();
  const std::string& name = expected_name();
  if (!is_ip_address(name)) SSL_set_tlsext_host_name(session, name.c_str());
  stream_.set_verify_mode(trust_.skip_verification ? asio::ssl::verify_none : asio::ssl::verify_peer);
  if (!trust_.skip_verification) {
    // After a failed handshake the session no longer has the certificate.
    stream_.set_verify_callback([this](bool trusted, asio::ssl::verify_context& shown) {
      X509_STORE_CTX* store = shown.native_handle();
      if (!trusted) {
        problem_ =
            certificate_problem(X509_STORE_CTX_get_error(store), X509_STORE_CTX_get0_cert(store), expected_name());
      }
      return trusted;
    });
    X509_VERIFY_PARAM* expected = SSL_get0_param(session);
    // As in Go, only the names in subjectAltName count.
    X509_VERIFY_PARAM_set_hostflags(expected,
                                    X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    if (is_ip_address(name)) {
      X509_VERIFY_PARAM_set1_ip_asc(expected, name.c_str());
    } else {
      X509_VERIFY_PARAM_set1_host(expected, name.c_str(), name.size());
    }
  }
  const Error error =
      run(deadline, [&](auto done) { stream_.async_handshake(asio::ssl::stream_base::client, std::move(done)); });
  if (!error) return std::nullopt;
  return not_trusted(error);
}

WebhookFailure WebhookLink::not_trusted(const Error& error) {
  if (!problem_.empty()) return {Kind::not_trusted, "tls: failed to verify certificate: x509: " + problem_};
  if (error.category() == asio::error::get_ssl_category()) {
    const auto code = static_cast<unsigned long>(error.value());
    const int reason = ERR_GET_REASON(code);
    if (reason == SSL_R_WRONG_VERSION_NUMBER) {
      return {Kind::not_reached, "http: server gave HTTP response to HTTPS client"};
    }
    if (reason >= SSL_AD_REASON_OFFSET) {
      return {Kind::not_reached,
              std::string("remote error: tls: ") + SSL_alert_desc_string_long(reason - SSL_AD_REASON_OFFSET)};
    }
    return {Kind::not_reached, "tls: " + error.message()};
  }
  return failure_of(error, true);
}

tl::expected<HttpResponse, WebhookLink::Broken> WebhookLink::ask(const std::string& request, Clock::time_point deadline,
                                                                 std::size_t most_body_bytes) {
  keeps_alive_ = false;
  Error error = run(deadline, [&](auto done) {
    over_transport([&](auto& stream) { asio::async_write(stream, asio::buffer(request), std::move(done)); });
  });
  // A server may answer and close before it has read the request.
  std::optional<http::response_parser<http::string_body>> parser;
  for (int i = 0; i <= most_informational; ++i) {
    parser.emplace();
    parser->header_limit(most_head_bytes);
    parser->body_limit(most_body_bytes);
    if (error == asio::error::timed_out) break;
    const Error written = error;
    error = run(deadline, [&](auto done) {
      over_transport([&](auto& stream) { http::async_read_header(stream, buffer_, *parser, std::move(done)); });
    });
    if (error && written) error = written;
    if (error || parser->get().result_int() >= 200) break;
  }
  if (error == http::error::body_limit) {
    return tl::unexpected(
        Broken{{Kind::other, "the answer is larger than " + std::to_string(most_body_bytes) + " bytes"}, true});
  }
  if (error) return tl::unexpected(Broken{failure_of(error, false), false});
  error = run(deadline, [&](auto done) {
    over_transport([&](auto& stream) { http::async_read(stream, buffer_, *parser, std::move(done)); });
  });
  if (error) {
    const auto unread = [](std::string why) {
      return "unexpected error when reading response body. Please retry. Original error: " + std::move(why);
    };
    Broken out{failure_of(error, false), true};
    if (error == http::error::body_limit) {
      out.failure = {Kind::other, "the answer is larger than " + std::to_string(most_body_bytes) + " bytes"};
    } else if (error == asio::error::timed_out) {
      out.failure.text =
          unread("context deadline exceeded (Client.Timeout or context cancellation while reading body)");
    } else {
      if (out.failure.kind == Kind::closed) out.failure.text = "unexpected EOF";
      out.failure.text = unread(out.failure.text);
    }
    return tl::unexpected(std::move(out));
  }
  keeps_alive_ = parser->keep_alive();
  return response_of(parser->release());
}

bool WebhookLink::reusable() {
  if (!keeps_alive_ || buffer_.size() != 0) return false;
  // A server that waits for a request has nothing to send: what has come is the end of the connection.
  auto& socket = stream_.next_layer();
  Error error;
  socket.non_blocking(true, error);
  std::array<char, 1> byte{};
  socket.receive(asio::buffer(byte), tcp::socket::message_peek, error);
  return error == asio::error::would_block;
}

}  // namespace nodebound::webhook
