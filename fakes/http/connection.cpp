#include "fakes/http/connection.h"

#include <array>
#include <boost/beast/http/status.hpp>
#include <cstdio>
#include <exception>
#include <optional>
#include <utility>

#include "fakes/http/body_reader.h"
#include "fakes/http/request_head.h"

namespace nodebound {
namespace {

namespace http = boost::beast::http;

/// How many bytes a client may send ahead before it has its answer.
constexpr std::size_t kAhead = 1U << 16U;
constexpr std::size_t kPeeked = 4;
/// How much of an unneeded body net/http reads after the answer (maxPostHandlerReadBytes).
constexpr std::uint64_t kPassedOver = 256U << 10U;
constexpr int kSwitchingProtocols = 101;
constexpr int kTooLarge = 413;
constexpr int kExpectationFailed = 417;

/// The status texts of net/http, some from older standards.
std::string_view reason_of(int status) {
  if (status == kTooLarge) return "Request Entity Too Large";
  const auto reason = http::obsolete_reason(http::int_to_status(static_cast<unsigned>(status)));
  return {reason.data(), reason.size()};
}

void append_chunk(std::string& out, std::string_view bytes) {
  if (bytes.empty()) return;  // an empty chunk would end the body
  std::array<char, 20> size{};
  const int length = std::snprintf(size.data(), size.size(), "%zx\r\n", bytes.size());
  out.append(size.data(), static_cast<std::size_t>(length));
  out += bytes;
  out += "\r\n";
}

void append_field(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ").append(value).append("\r\n");
}

constexpr const char* transfer_encoding = "transfer-encoding";

// As in net/http, a handler may choose `identity`: then the end of the connection ends the body.
bool is_identity(const HttpResponse& response) {
  const auto found = response.headers.find(transfer_encoding);
  return found != response.headers.end() && found->second == "identity";
}

}  // namespace

/// The request that is being read.
struct HttpConnection::Exchange {
  HeadReader reader;
  std::optional<BodyReader> body;      ///< set once the head has been read
  std::optional<HttpResponse> answer;  ///< an answer that did not need the body
  bool asked = false;                  ///< whether `answer` was asked for
  bool continued = false;

  RequestHead& head() { return reader.head(); }
};

HttpConnection::HttpConnection(HttpHandler& handler, std::shared_ptr<const Peer> peer, const HttpLimits& limits)
    : handler_(handler), peer_(std::move(peer)), limits_(limits) {}

HttpConnection::~HttpConnection() = default;

HttpConnection::Phase HttpConnection::phase() const {
  if (!exchange_) return Phase::between;
  return exchange_->body ? Phase::body : Phase::header;
}

bool HttpConnection::receive(std::string_view bytes) {
  if (state_ == State::closing) return true;
  if (state_ == State::streaming && upgraded_) {
    stream_->receive(bytes);
    return true;
  }
  if (state_ == State::streaming && input_.size() + bytes.size() > kAhead) return false;
  input_ += bytes;
  return true;
}

void HttpConnection::finish() {
  finishing_ = true;
  // The client will send an incomplete next request again, to another server.
  if (state_ == State::reading && phase() == Phase::between) state_ = State::closing;
}

std::string HttpConnection::advance() {
  std::string out;
  if (state_ == State::streaming) take(out);
  while (out.empty() && state_ == State::reading && !input_.empty()) {
    const std::size_t before = input_.size();
    read(out);
    if (input_.size() == before && out.empty()) break;
  }
  return out;
}

// net/http waits for four bytes before it starts to read a request; after a POST it skips line ends there.
bool HttpConnection::begins() {
  if (!is_first_) {
    if (input_.size() < kPeeked) return false;
    if (after_post_) input_.erase(0, std::min(input_.find_first_not_of("\r\n"), kPeeked));
  }
  is_first_ = false;
  after_post_ = false;
  exchange_ = std::make_unique<Exchange>();
  return !input_.empty();
}

void HttpConnection::read(std::string& out) {
  if (!exchange_ && !begins()) return;
  if (!exchange_->body) read_head(out);
  if (exchange_ && exchange_->body) read_body(out);
}

void HttpConnection::read_head(std::string& out) {
  constexpr const char* too_long = "431 Request Header Fields Too Large";
  HeadReader& reader = exchange_->reader;
  const HeadReader::State state = reader.read(input_);
  if (state == HeadReader::State::broken) return reject(out, reader.objection().status, reader.objection().body);
  const std::size_t size = state == HeadReader::State::done ? reader.taken() : input_.size();
  if (size > limits_.header_bytes) return reject(out, too_long, too_long);
  if (state == HeadReader::State::more) return;
  input_.erase(0, size);
  const RequestHead& head = reader.head();
  after_post_ = head.method == "POST";
  exchange_->body.emplace(head.chunked, head.length);
  if (!head.expects_else) return;
  HttpResponse response;
  response.status = kExpectationFailed;
  response.headers["connection"] = "close";
  answer(out, response, true);
}

IncomingRequest HttpConnection::incoming(bool with_body) const {
  IncomingRequest request;
  RequestHead& head = exchange_->head();
  BodyReader& body = *exchange_->body;
  request.method = head.method;
  request.target = head.target;
  request.headers = with_body ? std::move(head.fields) : head.fields;
  request.peer = peer_;
  if (!with_body) return request;
  request.body_too_large = body.received() > limits_.body_bytes;
  request.body_error = body.error();
  if (!request.body_too_large && request.body_error.empty()) request.body = std::move(body.body());
  return request;
}

void HttpConnection::read_body(std::string& out) {
  BodyReader& body = *exchange_->body;
  const RequestHead& head = exchange_->head();
  input_.erase(0, body.read(input_));
  if (exchange_->answer) return answer_early(out);
  const bool is_too_large = body.received() > limits_.body_bytes;
  const bool is_whole = body.state() == BodyReader::State::done && !is_too_large;
  if ((!is_whole || head.waits_for_continue) && !std::exchange(exchange_->asked, true)) {
    exchange_->answer = guarded([&] { return handler_.handle_without_body(incoming(false)); });
    if (exchange_->answer) {
      body.discard();
      return answer_early(out);
    }
  }
  if (head.waits_for_continue && !std::exchange(exchange_->continued, true)) out += "HTTP/1.1 100 Continue\r\n\r\n";
  if (body.state() == BodyReader::State::more && !is_too_large) return;
  const IncomingRequest request = incoming(true);
  // The unread rest of a body would be taken for the next request.
  answer(out, handled(request), !is_whole);
}

// Skips a body that nobody reads, unless it is long, or the client waits for 100 Continue to send it.
void HttpConnection::answer_early(std::string& out) {
  const BodyReader& body = *exchange_->body;
  const RequestHead& head = exchange_->head();
  const bool is_long = head.length >= kPassedOver || body.received() > kPassedOver;
  const bool closes = is_long || head.waits_for_continue || body.state() == BodyReader::State::broken;
  const bool closes_anyway = head.version_1_0 ? !head.keeps_1_0 : head.wants_close;
  if (!closes && !closes_anyway && body.state() == BodyReader::State::more) return;
  const HttpResponse response = std::move(*exchange_->answer);
  answer(out, response, closes);
}

void HttpConnection::reject(std::string& out, std::string_view status, std::string_view body) {
  out += "HTTP/1.1 ";
  out += status;
  out += "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n";
  out += body.empty() ? status : body;
  state_ = State::closing;
  exchange_.reset();
}

template <typename Handle>
auto HttpConnection::guarded(Handle handle) -> decltype(handle()) {
  try {
    return handle();
  } catch (const std::exception&) {
    // The error's text would not help a client, and might tell it too much.
    HttpResponse response;
    response.status = 500;
    response.content_type = "text/plain; charset=utf-8";
    response.body = "This request caused apiserver to panic. Look in the logs for details.\n";
    return response;
  }
}

HttpResponse HttpConnection::handled(const IncomingRequest& request) {
  // net/http itself answers requests about the server as a whole.
  if (request.method == "OPTIONS" && request.target == "*") {
    HttpResponse response;
    response.status = 200;
    return response;
  }
  return guarded([&] { return handler_.handle(request); });
}

void HttpConnection::answer(std::string& out, const HttpResponse& response, bool closes) {
  const RequestHead head = std::move(exchange_->head());
  exchange_.reset();
  http_1_0_ = head.version_1_0;
  const bool is_head = head.method == "HEAD";
  const bool streamed = response.stream != nullptr && !is_head;
  keep_alive_ = (http_1_0_ ? head.keeps_1_0 : !head.wants_close) && !closes && !finishing_;
  const auto told = response.headers.find("connection");
  if (told != response.headers.end() && told->second == "close") keep_alive_ = false;
  delay_ = response.network_fault.delay;
  if (response.network_fault.lost) return reset();
  upgraded_ = streamed && response.status == kSwitchingProtocols;
  chunked_ = streamed && !upgraded_ && !http_1_0_ && !is_identity(response);
  if (streamed && !chunked_) keep_alive_ = false;
  write_head(out, response);
  if (const auto cut = response.network_fault.reset_after; cut && !streamed) {
    if (!is_head) out.append(response.body, 0, *cut);
    return reset();
  }
  if (!is_head) {
    if (chunked_) {
      append_chunk(out, response.body);
    } else {
      out += response.body;
    }
  }
  state_ = keep_alive_ ? State::reading : State::closing;
  if (!streamed) return;
  stream_ = response.stream;
  state_ = State::streaming;
  // Bytes that came with the request already belong to the new protocol.
  if (upgraded_ && !input_.empty()) stream_->receive(std::exchange(input_, {}));
}

void HttpConnection::reset() {
  resets_ = true;
  state_ = State::closing;
}

void HttpConnection::write_head(std::string& out, const HttpResponse& response) {
  const std::string_view reason = reason_of(response.status);
  out.reserve(512 + response.body.size());
  out += http_1_0_ ? "HTTP/1.0 " : "HTTP/1.1 ";
  out.append(std::to_string(response.status)).append(" ").append(reason).append("\r\n");
  for (const auto& [name, value] : response.headers) {
    if (name != transfer_encoding) append_field(out, name, value);
  }
  for (const std::string& warning : response.warnings) append_field(out, "warning", warning);
  if (!response.content_type.empty()) append_field(out, "content-type", response.content_type);
  if (!date_.empty()) append_field(out, "date", date_);
  if (chunked_) {
    out += "transfer-encoding: chunked\r\n";
  } else if (!response.stream) {
    append_field(out, "content-length", std::to_string(response.body.size()));
  }
  if (response.headers.contains("connection")) {
    // The header is set by the handler: an upgrade, or close.
  } else if (keep_alive_ && http_1_0_) {
    out += "connection: keep-alive\r\n";
  } else if (!keep_alive_ && !http_1_0_) {
    out += "connection: close\r\n";
  }
  out += "\r\n";
}

void HttpConnection::take(std::string& out) {
  std::string piece;
  const bool more = stream_->take(piece) && !finishing_;
  if (chunked_) {
    append_chunk(out, piece);
  } else {
    out += piece;
  }
  if (more) return;
  if (stream_->broken()) {
    stream_.reset();
    return reset();
  }
  if (chunked_) out += "0\r\n\r\n";
  stream_.reset();
  state_ = keep_alive_ && !finishing_ ? State::reading : State::closing;
}

}  // namespace nodebound
