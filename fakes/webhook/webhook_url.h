#pragma once

#include <string>
#include <string_view>

#include "reference/result.h"

namespace nodebound::webhook {

/// An http or https URL as Go's net/url takes it apart.
struct WebhookUrl {
  bool tls = true;
  std::string authority;  ///< host and port as written
  std::string host;       ///< without brackets
  std::string port;       ///< the scheme's own if none is written
  std::string target;     ///< path and query, percent-encoded; begins with a slash

  [[nodiscard]] std::string text() const { return (tls ? "https://" : "http://") + authority + target; }
  /// What connections to it have in common.
  [[nodiscard]] std::string server() const { return (tls ? "https://" : "http://") + host + " " + port; }
};

/// Parses an absolute URL; a fragment is dropped.
Result<WebhookUrl> parse_webhook_url(std::string_view text, const std::string& where);

/// Where a Location header of an answer of `base` leads.
Result<WebhookUrl> resolve_location(const WebhookUrl& base, std::string_view location);

/// The path to which client-go posts: the URL's own, cleaned, without its query.
std::string posted_path(const WebhookUrl& url);

}  // namespace nodebound::webhook
