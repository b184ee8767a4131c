#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nodebound {

/// The part of an answer that follows later, as in a watch. Safe to use from any thread.
class BodyStream {
 public:
  virtual ~BodyStream() = default;
  /// Appends what has come since the last call; false at the end of the stream.
  virtual bool take(std::string& out) = 0;
  /// Sets the callback for new data, which may come from any thread; it replaces the previous one.
  virtual void on_ready(std::function<void()> notify) = 0;
  /// Whether the stream was cut off before its end: then the connection is reset.
  [[nodiscard]] virtual bool broken() const { return false; }
  /// Ends a watch as if its version were no longer known.
  virtual void expire() {}
  /// Bytes from the client, after 101 Switching Protocols.
  virtual void receive(std::string_view /*bytes*/) {}
};

/// What an unhealthy server does to a request; nothing, by default.
struct ServerFault {
  std::uint64_t behind = 0;                             ///< a read is answered from the state this many versions ago
  bool forgetful = false;                               ///< the server knows only the current version
  std::optional<std::size_t> watch_events;              ///< a watch ends after this many events
  bool watch_breaks = false;                            ///< the watch breaks in the middle of the next event instead
  std::optional<std::chrono::milliseconds> watch_time;  ///< a watch ends after this long; needs a clock
};

/// What an unhealthy network does to an answer.
struct NetworkFault {
  std::chrono::milliseconds delay{0};      ///< wait before the first byte
  std::optional<std::size_t> reset_after;  ///< the connection is reset after this many bytes of the body
  bool lost = false;                       ///< the connection is reset before the first byte of the answer
};

/// One HTTP request of the Kubernetes API; who sends it is kept apart.
struct HttpRequest {
  std::string method;  ///< upper case
  std::string target;  ///< path and query, percent-encoded, as on the request line
  std::string content_type;
  std::string body;
  /// An answer to a watch never ends by itself: the exchange is complete when its status and headers have arrived.
  bool watch = false;
  /// Media types that the client accepts, as in the Accept header; empty for any.
  std::string accept = {};
  /// Other headers that affect an answer (`user-agent`), names in lower case.
  std::map<std::string, std::string> headers = {};
  ServerFault server_fault = {};
  bool body_too_large = false;  ///< then `body` is empty
  std::string body_error = {};  ///< why the body could not be read to its end; then `body` is empty, too
};

struct HttpResponse {
  int status = 0;
  std::string content_type;
  std::string body;
  /// Header names in lower case.
  std::map<std::string, std::string> headers;
  /// The stream that follows the body; null if the body is complete.
  std::shared_ptr<BodyStream> stream = nullptr;
  /// Annotations for the audit log, such as `authorization.k8s.io/decision`.
  std::map<std::string, std::string> annotations = {};
  NetworkFault network_fault = {};
  /// Values of `Warning` headers.
  std::vector<std::string> warnings = {};
};

}  // namespace nodebound
