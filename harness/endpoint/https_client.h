#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fakes/wire/http.h"
#include "reference/result.h"

namespace nodebound {

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

/// Where a server is and how to recognise it.
struct ServerAddress {
  /// Plain HTTP is for loopback only, because it sends credentials in clear text.
  bool tls = true;
  std::string host;
  std::uint16_t port = 443;
  /// Prefix of every request path, for servers behind a path; without a trailing slash.
  std::string base_path;
  /// The name in the server's certificate; empty if it is the host.
  std::string server_name;
  /// The only trusted authorities, in PEM; empty: those of the system.
  std::string ca_pem;
  bool skip_verification = false;
  /// The only trusted certificate, whatever its signer and names, in the form that parse_fingerprint() returns.
  std::string fingerprint = {};
};

/// A SHA-256 fingerprint of a certificate in 64 digits, from what openssl prints (`AB:CD:…`) or `sha256:abcd…`.
Result<std::string> parse_fingerprint(const std::string& text, const std::string& where);

/// The fingerprint of the certificate that the server shows now, trusted or not. Sends nothing.
Result<std::string> shown_fingerprint(const ServerAddress& server);

/// What a connection presents to identify its subject.
struct Credentials {
  /// In PEM; both are empty without a client certificate.
  std::string certificate_pem;
  std::string key_pem;
  /// Sent with every request: a bearer token, or impersonation headers.
  HttpHeaders headers;
};

/// Limits of one request. Exceeding one is an error that says so, and the answer is never judged.
struct RequestLimits {
  std::chrono::milliseconds connect{10'000};
  /// Covers the whole exchange: connecting if necessary, the request, and the answer up to its last byte.
  std::chrono::milliseconds answer{60'000};
  /// The most bytes that a list of objects may have. Other answers have limits of their own.
  std::size_t list{std::size_t{8} * 1024 * 1024};
};

/// Whether the client repeats a request by itself.
enum class Repeats {
  if_closed,  ///< once, if a reused connection turns out to be closed before anything has arrived
  never
};

/// One kept-alive connection to one server with one set of credentials. For one thread.
class HttpClient {
 public:
  virtual ~HttpClient() = default;

  /// Never follows a redirect. Returns when the request's time is up or a signal arrives, whatever the server does.
  virtual Result<HttpResponse> send(const HttpRequest& request) = 0;
  /// The same for answers that are too long to keep: the body holds only the lines that begin with `prefix`.
  virtual Result<HttpResponse> send_for_lines(const HttpRequest& request, std::string_view /*prefix*/) {
    return send(request);
  }
  /// The same for an answer that goes on, as a watch's: shows each line of its body as it comes, as long as `take` says
  /// so. Then, and if the answer is an error, the body is empty.
  using TakeLine = std::function<bool(std::string_view)>;
  virtual Result<HttpResponse> send_for_each_line(const HttpRequest& request, const TakeLine& /*take*/) {
    return send(request);
  }
};

/// Connects at the first request. Fails on unreadable PEM texts, and on header values that would break a line.
Result<std::unique_ptr<HttpClient>> make_http_client(const ServerAddress& server, const Credentials& credentials,
                                                     const RequestLimits& limits, Repeats repeats = Repeats::if_closed);

/// `https://host:port/base`, for messages.
std::string url_of(const ServerAddress& server);

}  // namespace nodebound
