#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fakes/wire/http.h"

namespace nodebound {

/// Header fields in the order of arrival, names in lower case.
using HeaderFields = std::vector<std::pair<std::string, std::string>>;

/// What is known of the client's end of a connection.
struct Peer {
  std::string address;  ///< without a port
  /// The certificate chain that it presented, in DER, its own certificate first. The TLS handshake proves that it has
  /// the key of the first; nothing else is verified.
  std::vector<std::string> certificates;
};

/// A request as it arrived.
struct IncomingRequest {
  std::string method;
  std::string target;  ///< path and query, percent-encoded; the path is empty only if none was sent; or `*`
  HeaderFields headers;
  std::string body;
  bool body_too_large = false;  ///< then `body` is empty
  std::shared_ptr<const Peer> peer = nullptr;
  std::string body_error = {};  ///< why the body could not be read to its end; then `body` is empty, too

  /// The first field with that name, given in lower case; empty if there is none.
  [[nodiscard]] std::string_view header(std::string_view name) const {
    for (const auto& [own, value] : headers) {
      if (own == name) return value;
    }
    return {};
  }
};

/// Answers requests, whatever transport carries them.
class HttpHandler {
 public:
  virtual ~HttpHandler() = default;

  /// Called from several threads at once. An exception becomes an internal error. It must not block unless it says so
  /// (Waiting, serving_threads.h).
  virtual HttpResponse handle(const IncomingRequest& request) = 0;

  /// Answers a request whose body has not come or cannot be read, if the answer does not need the body; nothing if
  /// `handle` must be called with what there is of it.
  virtual std::optional<HttpResponse> handle_without_body(const IncomingRequest& /*request*/) { return std::nullopt; }
};

}  // namespace nodebound
