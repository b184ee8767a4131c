#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
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
};

/// What a connection presents to be taken for a subject.
struct Credentials {
  /// In PEM; both empty where there is no client certificate.
  std::string certificate_pem;
  std::string key_pem;
  /// Sent with every request: a bearer token, impersonation.
  HttpHeaders headers;
};

struct Timeouts {
  std::chrono::milliseconds connect{10'000};
  /// The longest silence of the server, not the longest exchange.
  std::chrono::milliseconds answer{60'000};
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

  /// Never follows a redirect.
  virtual Result<HttpResponse> send(const HttpRequest& request) = 0;
};

/// Connects at the first request. Fails on PEM texts that cannot be read, and on header values that would break a line.
Result<std::unique_ptr<HttpClient>> make_http_client(const ServerAddress& server, const Credentials& credentials,
                                                     const Timeouts& timeouts, Repeats repeats = Repeats::if_closed);

/// `https://host:port/base`, for messages.
std::string url_of(const ServerAddress& server);

}  // namespace nodebound
