#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fakes/apiserver/http.h"
#include "reference/result.h"

namespace nodebound {

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

/// Where a server is and how to know it.
struct ServerAddress {
  /// Plain HTTP is for loopback only: it carries credentials in clear.
  bool tls = true;
  std::string host;
  std::uint16_t port = 443;
  /// Put before every target, for servers behind a path; without a trailing slash.
  std::string base_path;
  /// The name in the server's certificate; empty where that is the host.
  std::string server_name;
  /// The only authorities that are believed, in PEM; empty: those of the system.
  std::string ca_pem;
  bool skip_verification = false;
  /// The only certificate that is believed, whoever signed it and whatever its names: as parse_fingerprint() gives it.
  std::string fingerprint = {};
};

/// A SHA-256 fingerprint of a certificate in 64 digits, from what openssl prints (`AB:CD:…`) or `sha256:abcd…`.
Result<std::string> parse_fingerprint(const std::string& text, const std::string& where);

/// That of the certificate which the server shows now, whoever that is; nothing is sent.
Result<std::string> shown_fingerprint(const ServerAddress& server);

/// What a connection presents to be taken for a subject.
struct Credentials {
  /// In PEM; both empty where there is no client certificate.
  std::string certificate_pem;
  std::string key_pem;
  /// Sent with every request: a bearer token, impersonation.
  HttpHeaders headers;
};

/// What one request may cost. What goes past it is an error that says so, and nothing that can be judged.
struct RequestLimits {
  std::chrono::milliseconds connect{10'000};
  /// The whole exchange: the connection that it may need, the request, and the answer up to its last byte.
  std::chrono::milliseconds answer{60'000};
  /// How many bytes a list of objects may have. What is asked for alone has bounds of its own.
  std::size_t list{std::size_t{8} * 1024 * 1024};
};

/// Whether a request is repeated by itself.
enum class Repeats {
  if_closed,  ///< once, where a connection that had been used before turns out to be closed and nothing has arrived
  never
};

/// One kept-alive connection to one server with one set of credentials; for one thread.
class HttpClient {
 public:
  virtual ~HttpClient() = default;

  /// Never follows a redirect. Ends when the request's time is up or a signal comes, whatever the server does.
  virtual Result<HttpResponse> send(const HttpRequest& request) = 0;
  /// The same, for answers too long to be kept: the body holds only the lines that begin with `prefix`.
  virtual Result<HttpResponse> send_for_lines(const HttpRequest& request, std::string_view /*prefix*/) {
    return send(request);
  }
};

/// Connects at the first request. Fails on PEM texts that cannot be read, and on header values that would break a line.
Result<std::unique_ptr<HttpClient>> make_http_client(const ServerAddress& server, const Credentials& credentials,
                                                     const RequestLimits& limits, Repeats repeats = Repeats::if_closed);

/// Whether an error of a client means that there was nobody to connect to.
bool no_connection(const Error& error);

/// `https://host:port/base`, for messages.
std::string url_of(const ServerAddress& server);

}  // namespace nodebound
