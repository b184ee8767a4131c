#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fakes/apiserver/http.h"

namespace nodebound {

/// Names in lower case, in the order in which they came.
using HeaderFields = std::vector<std::pair<std::string, std::string>>;

/// What is known of the other end of a connection.
struct Peer {
  std::string address;  ///< without a port
  /// The chain that it presented, in DER, its own first. It has the key of the first; nothing else is verified.
  std::vector<std::string> certificates;
};

/// A request as it came over a connection.
struct IncomingRequest {
  std::string method;
  std::string target;  ///< path, empty only where none was sent, and query, both percent-encoded; or `*`
  HeaderFields headers;
  std::string body;
  bool body_too_large = false;  ///< then it is left out
  std::shared_ptr<const Peer> peer = nullptr;
  std::string body_error = {};  ///< why the body could not be read to its end; then it is left out, too

  /// The first of that name, in lower case; empty if there is none.
  [[nodiscard]] std::string_view header(std::string_view name) const {
    for (const auto& [own, value] : headers) {
      if (own == name) return value;
    }
    return {};
  }
};

/// What answers requests, whatever carries them.
class HttpHandler {
 public:
  virtual ~HttpHandler() = default;

  /// Called from several threads at once. What it throws is answered as an internal error. It must not wait, unless it
  /// says so (Waiting, serving_threads.h).
  virtual HttpResponse handle(const IncomingRequest& request) = 0;

  /// The answer to a request without its body, which has not come or cannot be read, where nobody would look at that;
  /// nothing where `handle` is to be called with what there is of it.
  virtual std::optional<HttpResponse> handle_without_body(const IncomingRequest& /*request*/) { return std::nullopt; }
};

}  // namespace nodebound
