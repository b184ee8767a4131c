#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "fakes/webhook/webhook_address.h"
#include "fakes/wire/http.h"
#include "reference/result.h"

namespace nodebound::webhook {

/// Why a webhook gave no answer.
struct WebhookFailure {
  enum class Kind {
    not_reached,  ///< no connection: refused, no such host, no handshake
    not_trusted,  ///< its certificate
    reset,        ///< the connection, by the other side
    closed,       ///< before the answer, or in the middle of it
    timeout,
    misled,  ///< too many redirects, or one that leads nowhere
    other    ///< no HTTP, an answer that is too large
  };

  Kind kind = Kind::other;
  /// As client-go words it: `Post "https://webhook:443/authorize?timeout=30s": EOF`.
  std::string text;
};

/// Posts JSON documents to a webhook as client-go's REST client does: it follows redirects, asks again where the answer
/// has a Retry-After, keeps connections, and speaks HTTP/1.1. Thread-safe; `post` blocks.
class WebhookConnection {
 public:
  struct Options {
    /// For one call of `post`, with its redirects and Retry-Afters. It is also in the URL: `?timeout=30s`.
    std::chrono::milliseconds time{30000};
    std::string user_agent = "kube-apiserver";
    /// client-go has no limit.
    std::size_t most_body_bytes = 10U << 20U;
  };

  /// An error if the certificates or the key cannot be used. Nothing is connected yet.
  static Result<std::unique_ptr<WebhookConnection>> open(WebhookAddress address, Options options);
  static Result<std::unique_ptr<WebhookConnection>> open(WebhookAddress address) {
    return open(std::move(address), {});
  }
  ~WebhookConnection();

  WebhookConnection(const WebhookConnection&) = delete;
  WebhookConnection& operator=(const WebhookConnection&) = delete;

  /// The last answer, whatever its status and its media type.
  [[nodiscard]] tl::expected<HttpResponse, WebhookFailure> post(std::string_view json);

  /// The URL of the requests, as errors show it.
  [[nodiscard]] const std::string& url() const;

 private:
  class State;
  explicit WebhookConnection(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace nodebound::webhook
