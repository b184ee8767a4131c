#include "harness/endpoint/https_client.h"

#include <algorithm>
#include <csignal>
#include <httplib.h>
#include <mutex>

#include "harness/endpoint/transport/answer_bounds.h"
#include "harness/endpoint/transport/connection.h"
#include "reference/encoding/ascii.h"

namespace nodebound {
namespace {

bool is_header_text(const std::string& text) {
  return std::none_of(text.begin(), text.end(), [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

bool is_request_line_text(const std::string& text) {
  return is_header_text(text) && text.find(' ') == text.npos;
}

/// One request under way, and its result so far.
struct Exchange {
  Patience patience;
  ArrivingBody body;
  httplib::Response head = {};
  bool answer_began = false;  ///< the final status and headers are there
  bool no_more_needed = false;
  bool new_connection = false;
  bool answered = false;
  bool ended = false;  ///< the server has closed the connection
  Break broken = Break::none;
};

/// No line begins so, and none is kept.
constexpr std::string_view no_line = "\n";

/// Lines of a body, shown as they come.
class LineFeed {
 public:
  explicit LineFeed(const HttpClient::TakeLine& take) : take_(take) {}

  /// Why no more is wanted.
  enum class End { none, enough, too_long };
  End feed(std::string_view part) {
    unread_.append(part);
    std::size_t from = 0;
    for (std::size_t end = 0; (end = unread_.find('\n', from)) != std::string::npos; from = end + 1) {
      if (end > from && !take_(std::string_view(unread_).substr(from, end - from))) return End::enough;
    }
    unread_.erase(0, from);
    // An event holds one object.
    constexpr std::size_t longest = std::size_t{8} << 20U;
    return unread_.size() > longest ? End::too_long : End::none;
  }

 private:
  const HttpClient::TakeLine& take_;
  std::string unread_;
};

/// The stream that the HTTP library reads from and writes to, within the limits of one exchange.
class BoundedStream final : public httplib::Stream {
 public:
  BoundedStream(Connection& connection, int socket, Exchange& exchange)
      : connection_(connection), socket_(socket), exchange_(exchange) {}

  // Debian 13's version of the library has more of these functions than Debian 12's, so none says `override`.
  // NOLINTBEGIN(modernize-use-override,cppcoreguidelines-explicit-virtual-functions)
  bool is_readable() const { return true; }
  bool is_writable() const { return true; }
  bool wait_readable() const { return true; }
  bool wait_writable() const { return true; }
  time_t duration() const { return 0; }
  ssize_t read(char* to, std::size_t size) {
    const ssize_t got = connection_.read(to, exchange_.answer_began ? size : 1, exchange_.patience);
    if (got < 0) return note(connection_.broken());
    if (got == 0) exchange_.ended = true;
    if (got == 0) return 0;
    framed_ += static_cast<std::size_t>(got);
    const Break excess = exchange_.answer_began ? excess_of_body() : excess_of_head(*to);
    return excess == Break::none ? got : note(excess);
  }
  ssize_t write(const char* from, std::size_t size) {
    const ssize_t sent = connection_.write(from, size, exchange_.patience);
    return sent < 0 ? note(connection_.broken()) : sent;
  }
  void get_remote_ip_and_port(std::string& /*ip*/, int& /*port*/) const {}
  void get_local_ip_and_port(std::string& /*ip*/, int& /*port*/) const {}
  socket_t socket() const { return socket_; }
  // NOLINTEND(modernize-use-override,cppcoreguidelines-explicit-virtual-functions)

 private:
  ssize_t note(Break why) {
    exchange_.broken = why;
    return -1;
  }

  // A chunk of one byte takes six bytes in all.
  [[nodiscard]] Break excess_of_body() const {
    if (framed_ > most_head_bytes + 2 * exchange_.body.most()) return Break::long_body;
    return framed_ > most_frame_bytes + 8 * exchange_.body.arrived() ? Break::long_frame : Break::none;
  }

  // Called for each byte that precedes the body.
  Break excess_of_head(char last) {
    if (framed_ > most_head_bytes) return Break::long_head;
    if (last != '\n') {
      if (last != '\r') ++line_;
      return line_ > most_line_bytes ? Break::long_line : Break::none;
    }
    if (std::exchange(line_, 0) == 0) ++heads_;
    return heads_ > most_interim_answers + 1 ? Break::interim : Break::none;
  }

  Connection& connection_;
  int socket_;
  Exchange& exchange_;
  std::size_t framed_ = 0;  ///< bytes of this answer, including everything around its body
  std::size_t line_ = 0;
  std::size_t heads_ = 0;
};

/// The HTTP library on our own connections, so that every wait of the library has an end.
class BoundedHttp final : public httplib::ClientImpl {
 public:
  BoundedHttp(const ServerAddress& server, TlsContext tls, std::chrono::milliseconds connect_time)
      : ClientImpl(server.host, server.port), connection_(server, std::move(tls)), connect_time_(connect_time) {
    set_keep_alive(true);
    set_follow_location(false);
    set_url_encode(false);
    set_decompress(false);
  }

  void carry_out(httplib::Request& request, Exchange& exchange) {
    exchange_ = &exchange;
    // Bytes that arrive before the request cannot be its answer.
    if (!connection_.is_quiet()) stop();
    httplib::Error error = httplib::Error::Success;
    exchange.answered = send(request, exchange.head, error);
    exchange_ = nullptr;
  }

  [[nodiscard]] const std::string& certificate_problem() const { return connection_.certificate_problem(); }

 private:
  // NOLINTBEGIN(modernize-use-override,cppcoreguidelines-explicit-virtual-functions)
  bool create_and_connect_socket(Socket& socket, httplib::Error& error) {
    exchange_->new_connection = true;
    const int connected = connection_.open(exchange_->patience, connect_time_);
    if (connected >= 0) {
      socket.sock = connected;
      return true;
    }
    exchange_->broken = connection_.broken();
    error = httplib::Error::Connection;
    return false;
  }

  void shutdown_ssl(Socket& /*socket*/, bool /*gracefully*/) { connection_.leave(); }

  // Debian 12's version of the library calls the first, later versions the second.
  bool process_socket(const Socket& socket, std::function<bool(httplib::Stream&)> work) {
    BoundedStream stream(connection_, socket.sock, *exchange_);
    return work(stream);
  }
  bool process_socket(const Socket& socket, std::chrono::time_point<std::chrono::steady_clock> /*start*/,
                      std::function<bool(httplib::Stream&)> work) {
    return process_socket(socket, std::move(work));
  }
  // NOLINTEND(modernize-use-override,cppcoreguidelines-explicit-virtual-functions)

  Connection connection_;
  std::chrono::milliseconds connect_time_;
  Exchange* exchange_ = nullptr;
};

class HttplibClient : public HttpClient {
 public:
  HttplibClient(const ServerAddress& server, const HttpHeaders& headers, const RequestLimits& limits, TlsContext tls,
                Repeats repeats);

  Result<HttpResponse> send(const HttpRequest& request) override { return send_for_lines(request, {}); }
  Result<HttpResponse> send_for_lines(const HttpRequest& request, std::string_view prefix) override;
  Result<HttpResponse> send_for_each_line(const HttpRequest& request, const TakeLine& take) override;

 private:
  [[nodiscard]] httplib::Request on_the_wire(const HttpRequest& request) const;
  Exchange exchange(const HttpRequest& request, std::string_view prefix, const Patience& patience,
                    LineFeed* feed = nullptr);
  [[nodiscard]] Result<HttpResponse> whole(const HttpRequest& request, Exchange& exchange) const;

  std::string url_;
  std::string base_path_;
  httplib::Headers headers_;
  RequestLimits limits_;
  Repeats repeats_;
  BoundedHttp http_;
};

HttplibClient::HttplibClient(const ServerAddress& server, const HttpHeaders& headers, const RequestLimits& limits,
                             TlsContext tls, Repeats repeats)
    : url_(url_of(server)),
      base_path_(server.base_path),
      limits_(limits),
      repeats_(repeats),
      http_(server, std::move(tls), limits.connect) {
  const std::string host = server.host.find(':') == std::string::npos ? server.host : "[" + server.host + "]";
  headers_ = {{"Host", host + ":" + std::to_string(server.port)},
              {"Accept", "application/json"},
              {"Accept-Encoding", "identity"},
              {"User-Agent", "nodebound"}};
  for (const auto& [name, value] : headers) headers_.emplace(name, value);
}

httplib::Request HttplibClient::on_the_wire(const HttpRequest& request) const {
  httplib::Request wire;
  wire.method = request.method;
  wire.path = base_path_ + request.target;
  wire.headers = headers_;
  wire.body = request.body;
  if (!request.body.empty()) {
    wire.set_header("Content-Type", request.content_type.empty() ? "application/json" : request.content_type);
  }
  for (const auto& [name, value] : request.headers) {
    wire.headers.erase(name);
    wire.set_header(name, value);
  }
  return wire;
}

Exchange HttplibClient::exchange(const HttpRequest& request, std::string_view prefix, const Patience& patience,
                                 LineFeed* feed) {
  Exchange out{patience, {prefix.empty() ? most_body_bytes(request, limits_) : most_streamed_bytes, prefix}};
  httplib::Request wire = on_the_wire(request);
  wire.response_handler = [&](const httplib::Response& head) {
    out.answer_began = true;
    // After a protocol switch there is no body, and the connection has no end.
    const bool switched = head.status == 101;
    if (head.status < 200 && !switched) {
      out.broken = Break::interim;
      return false;
    }
    const std::string length = head.get_header_value("Content-Length");
    if (!length.empty() && !out.body.announce(std::strtoull(length.c_str(), nullptr, 10))) {
      out.broken = Break::long_body;
      return false;
    }
    out.no_more_needed = switched || (request.watch && head.status == 200);
    if (out.no_more_needed || feed != nullptr) out.head = head;
    return !out.no_more_needed;
  };
  wire.content_receiver = [&](const char* data, std::size_t size, auto /*offset*/, auto /*total*/) {
    const LineFeed::End end = feed == nullptr ? LineFeed::End::none : feed->feed({data, size});
    if (end == LineFeed::End::enough) out.no_more_needed = true;
    if (end == LineFeed::End::too_long) out.broken = Break::long_body;
    if (end != LineFeed::End::none) return false;
    if (out.body.take({data, size})) return true;
    out.broken = Break::long_body;
    return false;
  };
  http_.carry_out(wire, out);
  if (!out.answered && !out.no_more_needed && out.broken == Break::none) {
    out.broken = out.ended ? Break::closed : Break::not_http;
  }
  return out;
}

Result<HttpResponse> HttplibClient::send_for_lines(const HttpRequest& request, std::string_view prefix) {
  if (!is_request_line_text(request.target) || !is_request_line_text(request.method) ||
      !is_header_text(request.content_type)) {
    return input_error(url_, "a request line cannot hold spaces or line breaks; expected a percent-encoded target");
  }
  const Patience patience(limits_.answer);
  Exchange first = exchange(request, prefix, patience);
  const bool closed_while_idle = first.broken == Break::closed && !first.new_connection && !first.answer_began;
  if (repeats_ == Repeats::never || !closed_while_idle) return whole(request, first);
  Exchange second = exchange(request, prefix, patience);
  return whole(request, second);
}

Result<HttpResponse> HttplibClient::send_for_each_line(const HttpRequest& request, const TakeLine& take) {
  LineFeed feed(take);
  Exchange only = exchange(request, no_line, Patience(limits_.answer), &feed);
  return whole(request, only);
}

Result<HttpResponse> HttplibClient::whole(const HttpRequest& request, Exchange& exchange) const {
  if (exchange.broken != Break::none) {
    return tl::unexpected(error_of({exchange.broken, request.method + " " + url_ + request.target, limits_,
                                    exchange.body.most(), exchange.answer_began, http_.certificate_problem()}));
  }
  HttpResponse out;
  out.status = exchange.head.status;
  out.body = exchange.body.whole();
  if (const auto excess = json_excess(out.body, most_values_in(limits_.list))) {
    return unreachable_error(request.method + " " + url_ + request.target, "the JSON of the answer " + *excess);
  }
  for (const auto& [field, value] : exchange.head.headers) {
    const std::string name = in_lower_case(field);
    if (name == "warning") out.warnings.push_back(value);
    std::string& known = out.headers[name];
    known += known.empty() ? value : ", " + value;
  }
  if (const auto type = out.headers.find("content-type"); type != out.headers.end()) out.content_type = type->second;
  return out;
}

/// OpenSSL writes to sockets without MSG_NOSIGNAL, so a server that hangs up would end this process.
void ignore_broken_pipes() {
  static std::once_flag once;
  std::call_once(once, [] { std::signal(SIGPIPE, SIG_IGN); });
}

}  // namespace

std::string url_of(const ServerAddress& server) {
  const std::string host = server.host.find(':') == std::string::npos ? server.host : "[" + server.host + "]";
  return (server.tls ? "https://" : "http://") + host + ":" + std::to_string(server.port) + server.base_path;
}

Result<std::unique_ptr<HttpClient>> make_http_client(const ServerAddress& server, const Credentials& credentials,
                                                     const RequestLimits& limits, Repeats repeats) {
  ignore_broken_pipes();
  for (const auto& [name, value] : credentials.headers) {
    if (!is_request_line_text(name) || !is_header_text(value)) {
      return input_error(url_of(server), "the value of header " + name + " cannot be sent: it holds a line break");
    }
  }
  TlsContext tls;
  if (server.tls) {
    auto made = make_tls_context(server, credentials);
    if (!made) return tl::unexpected(made.error());
    tls = std::move(*made);
  }
  return std::make_unique<HttplibClient>(server, credentials.headers, limits, std::move(tls), repeats);
}

}  // namespace nodebound
