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

namespace nodebound {

/// What an answer goes on sending. Safe to use from any thread.
class BodyStream {
 public:
  virtual ~BodyStream() = default;
  /// Appends what has come since the last call; false once nothing more will ever come.
  virtual bool take(std::string& out) = 0;
  /// `notify` is called, from any thread, when there may be something to take; it replaces the one before.
  virtual void on_ready(std::function<void()> notify) = 0;
  /// Whether it did not come to its end, once there is no more: then the connection is reset.
  [[nodiscard]] virtual bool broken() const { return false; }
  /// Ends a watch as one is ended whose version is no longer known.
  virtual void expire() {}
  /// Bytes of the client, after 101 Switching Protocols.
  virtual void receive(std::string_view /*bytes*/) {}
};

/// What a server that is not well does to a request; it is well where nothing is set.
struct Illness {
  std::uint64_t behind = 0;                             ///< a read is answered from so many versions ago
  bool forgetful = false;                               ///< no version but the current one is known
  std::optional<std::size_t> watch_events;              ///< a watch ends after so many
  bool watch_breaks = false;                            ///< or rather in the middle of the next
  std::optional<std::chrono::milliseconds> watch_time;  ///< a watch ends after so long; needs a clock
};

/// What a network that is not well does to an answer.
struct Mishap {
  std::chrono::milliseconds delay{0};      ///< before its first byte
  std::optional<std::size_t> reset_after;  ///< the connection is reset after so many bytes of the body
  bool lost = false;                       ///< it is reset before the first byte of the answer
};

/// One HTTP request of the Kubernetes API, apart from who sends it.
struct HttpRequest {
  std::string method;  ///< upper case
  std::string target;  ///< path and query, percent-encoded, as on the request line
  std::string content_type;
  std::string body;
  /// The answer to a watch never ends by itself: the exchange is over when its status and headers have arrived.
  bool watch = false;
  /// Media types that the client takes, as in the header; empty for any.
  std::string accept = {};
  /// Other headers that matter to an answer (`user-agent`), names in lower case.
  std::map<std::string, std::string> headers = {};
  Illness illness = {};
};

struct HttpResponse {
  int status = 0;
  std::string content_type;
  std::string body;
  /// Header names in lower case.
  std::map<std::string, std::string> headers;
  /// What follows the body, as it comes; null if the body is all.
  std::shared_ptr<BodyStream> stream = nullptr;
  /// What the audit log notes of the request besides, as `authorization.k8s.io/decision`.
  std::map<std::string, std::string> annotations = {};
  Mishap mishap = {};
};

}  // namespace nodebound
