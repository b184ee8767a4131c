#include "fakes/http/connection.h"

#include <array>
#include <boost/beast/http.hpp>
#include <cstdio>
#include <exception>
#include <stdexcept>

#include "fakes/http/request_line.h"

namespace nodebound {
namespace {

namespace http = boost::beast::http;

/// How much a client may send ahead while an answer is under way.
constexpr std::size_t kAhead = 1U << 16U;
constexpr int kSwitchingProtocols = 101;

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
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

// As net/http takes it from a handler: the connection's end is the body's.
bool is_identity(const HttpResponse& response) {
  const auto found = response.headers.find(transfer_encoding);
  return found != response.headers.end() && found->second == "identity";
}

}  // namespace

struct HttpConnection::Parser {
  http::request_parser<http::string_body> parser;
  std::string target;
  bool has_line = false;
  bool continued = false;

  explicit Parser(const HttpLimits& limits) {
    parser.header_limit(limits.header_bytes);
    parser.body_limit(limits.body_bytes);
    parser.eager(true);
  }

  /// What net/http finds wrong with a header that can be parsed; empty if nothing is.
  [[nodiscard]] std::string_view objection() const {
    const auto& request = parser.get();
    if (request.version() != 10 && request.version() != 11) return "unsupported protocol version";
    const auto hosts = request.count(http::field::host);
    const bool needs_host = request.version() == 11 && request.method() != http::verb::connect;
    if (needs_host && hosts == 0) return "missing required Host header";
    if (hosts > 1) return "too many Host headers";
    return {};
  }

  [[nodiscard]] bool has_unknown_encoding() const {
    const auto& request = parser.get();
    const auto found = request.find(http::field::transfer_encoding);
    return found != request.end() && !boost::beast::iequals(found->value(), "chunked");
  }

  [[nodiscard]] bool waits_for_continue() const {
    return parser.get().version() == 11 && boost::beast::iequals(parser.get()[http::field::expect], "100-continue");
  }
};

HttpConnection::HttpConnection(HttpHandler& handler, std::shared_ptr<const Peer> peer, const HttpLimits& limits)
    : handler_(handler), peer_(std::move(peer)), limits_(limits) {}

HttpConnection::~HttpConnection() = default;

HttpConnection::Phase HttpConnection::phase() const {
  if (!parser_) return Phase::between;
  return parser_->parser.is_header_done() ? Phase::body : Phase::header;
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
  // What a client sent of its next request it will send again, to another server.
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

void HttpConnection::read_line(std::string& out) {
  const std::size_t end = input_.find('\n');
  if (std::min(end, input_.size()) > limits_.header_bytes) {
    return reject(out, "431 Request Header Fields Too Large", "431 Request Header Fields Too Large");
  }
  if (end == std::string::npos) return;
  std::string_view line(input_.data(), end);
  if (line.ends_with('\r')) line.remove_suffix(1);
  auto read = RequestLine::of(line);
  if (!read) return reject(out, "400 Bad Request", {});
  parser_->target = std::move(read->target);
  parser_->has_line = true;
  parser_->parser.header_limit(limits_.header_bytes - static_cast<std::uint32_t>(read->sent.size()));
  // Beast knows fewer targets than net/http.
  input_.replace(static_cast<std::size_t>(read->sent.data() - input_.data()), read->sent.size(), "/");
}

void HttpConnection::read(std::string& out) {
  if (!parser_) {
    // net/http passes over empty lines between requests.
    input_.erase(0, input_.find_first_not_of("\r\n"));
    if (input_.empty()) return;
    parser_ = std::make_unique<Parser>(limits_);
  }
  if (!parser_->has_line) read_line(out);
  if (!parser_ || !parser_->has_line) return;
  boost::beast::error_code error;
  auto& parser = parser_->parser;
  // The parser takes it for granted that the last chunk, seen before, has come to this much.
  constexpr std::size_t shortest_end = std::string_view("0\r\n\r\n").size();
  if (parser.is_header_done() && parser.chunked() && input_.size() < shortest_end) return;
  try {
    input_.erase(0, parser.put(boost::asio::const_buffer(input_.data(), input_.size()), error));
  } catch (const std::length_error&) {
    // It keeps no field of 64 KiB, however long all may be together.
    error = http::error::header_limit;
  }
  if (error == http::error::need_more) error = {};
  if (error == http::error::header_limit) {
    return reject(out, "431 Request Header Fields Too Large", "431 Request Header Fields Too Large");
  }
  const bool too_large = error == http::error::body_limit;
  if (error && !too_large) {
    if (error == http::error::bad_version) {
      return reject(out, "505 HTTP Version Not Supported: unsupported protocol version", {});
    }
    if (error == http::error::bad_field) return reject(out, "400 Bad Request: invalid header name", {});
    if (error == http::error::bad_value) return reject(out, "400 Bad Request: invalid header value", {});
    return reject(out, "400 Bad Request", {});
  }
  if (!parser.is_header_done() && !too_large) return;
  if (const std::string_view objection = parser_->objection(); !objection.empty()) {
    const bool version = objection.starts_with("unsupported");
    return reject(out, (version ? "505 HTTP Version Not Supported: " : "400 Bad Request: ") + std::string(objection),
                  {});
  }
  if (parser_->has_unknown_encoding()) return reject(out, "501 Not Implemented", "Unsupported transfer encoding");
  if (too_large || parser.is_done()) return answer(out, too_large);
  if (!parser_->continued && parser_->waits_for_continue()) out += "HTTP/1.1 100 Continue\r\n\r\n";
  parser_->continued = true;
}

void HttpConnection::reject(std::string& out, std::string_view status, std::string_view body) {
  out += "HTTP/1.1 ";
  out += status;
  out += "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n";
  out += body.empty() ? status : body;
  state_ = State::closing;
  parser_.reset();
}

HttpResponse HttpConnection::handled(const IncomingRequest& request) {
  HttpResponse response;
  response.status = 200;
  // net/http answers by itself what is asked of the server as a whole.
  if (request.method == "OPTIONS" && request.target == "*") return response;
  try {
    return handler_.handle(request);
  } catch (const std::exception&) {
    // Whatever went wrong is of no use to a client, and may say more than it should know.
    response.status = 500;
    response.content_type = "text/plain; charset=utf-8";
    response.body = "This request caused apiserver to panic. Look in the logs for details.\n";
    return response;
  }
}

void HttpConnection::answer(std::string& out, bool body_too_large) {
  auto message = parser_->parser.release();
  IncomingRequest request;
  request.target = std::move(parser_->target);
  parser_.reset();
  request.method = std::string(message.method_string());
  request.peer = peer_;
  request.body_too_large = body_too_large;
  if (!body_too_large) request.body = std::move(message.body());
  for (const auto& field : message) {
    const auto name = field.name_string();
    const auto value = field.value();
    request.headers.emplace_back(lower({name.data(), name.size()}), std::string(value.data(), value.size()));
  }
  http_1_0_ = message.version() == 10;
  // What is left of a body that is too large would be read as the next request.
  keep_alive_ = message.keep_alive() && !body_too_large && !finishing_;

  const HttpResponse response = handled(request);
  const auto told = response.headers.find("connection");
  if (told != response.headers.end() && told->second == "close") keep_alive_ = false;
  delay_ = response.mishap.delay;
  if (response.mishap.lost) return reset();
  const bool head = request.method == "HEAD";
  const bool streamed = response.stream != nullptr && !head;
  upgraded_ = streamed && response.status == kSwitchingProtocols;
  chunked_ = streamed && !upgraded_ && !http_1_0_ && !is_identity(response);
  if (streamed && !chunked_) keep_alive_ = false;
  write_head(out, response);
  if (const auto cut = response.mishap.reset_after; cut && !streamed) {
    if (!head) out.append(response.body, 0, *cut);
    return reset();
  }
  if (!head) {
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
  // What came with the request is of the new protocol already.
  if (upgraded_ && !input_.empty()) stream_->receive(std::exchange(input_, {}));
}

void HttpConnection::reset() {
  resets_ = true;
  state_ = State::closing;
}

void HttpConnection::write_head(std::string& out, const HttpResponse& response) {
  const auto reason = http::obsolete_reason(http::int_to_status(static_cast<unsigned>(response.status)));
  out.reserve(512 + response.body.size());
  out += http_1_0_ ? "HTTP/1.0 " : "HTTP/1.1 ";
  out.append(std::to_string(response.status)).append(" ").append(reason.data(), reason.size()).append("\r\n");
  for (const auto& [name, value] : response.headers) {
    if (name != transfer_encoding) append_field(out, name, value);
  }
  if (!response.content_type.empty()) append_field(out, "content-type", response.content_type);
  if (!date_.empty()) append_field(out, "date", date_);
  if (chunked_) {
    out += "transfer-encoding: chunked\r\n";
  } else if (!response.stream) {
    append_field(out, "content-length", std::to_string(response.body.size()));
  }
  if (response.headers.contains("connection")) {
    // It is the handler's: an upgrade, or to close.
  } else if (!keep_alive_) {
    out += "connection: close\r\n";
  } else if (http_1_0_) {
    out += "connection: keep-alive\r\n";
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
