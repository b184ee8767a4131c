#include "fakes/webhook/webhook_url.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <vector>

#include "reference/authorizer/attributes.h"
#include "reference/encoding/ascii.h"

namespace nodebound::webhook {
namespace {

/// Whether a text can stand on a request line as it is.
bool is_url_text(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c != '\x7f'; });
}

/// Go's net/url escapes these in a path, although RFC 3986 does not ask for it.
std::string encoded_path(std::string_view path) {
  constexpr std::string_view kept = "$&+,/:;=@";
  std::string out;
  for (const char c : path) {
    if (kept.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += percent_encoded({&c, 1});
    }
  }
  return out;
}

/// Drops empty and dot segments, as Go's path.Join.
std::string cleaned(std::string_view path) {
  std::vector<std::string_view> kept;
  while (!path.empty()) {
    const auto slash = path.find('/');
    const std::string_view segment = path.substr(0, slash);
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
    if (segment == "..") {
      if (!kept.empty()) kept.pop_back();
    } else if (!segment.empty() && segment != ".") {
      kept.push_back(segment);
    }
  }
  std::string out;
  for (const std::string_view segment : kept) out += "/" + std::string(segment);
  return out.empty() ? "/" : out;
}

bool is_port(std::string_view text) {
  std::uint16_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  return problem == std::errc() && end == text.data() + text.size() && number != 0;
}

}  // namespace

Result<WebhookUrl> parse_webhook_url(std::string_view text, const std::string& where) {
  const auto wrong = [&](const std::string& what) {
    return input_error(where, "\"" + std::string(text) + "\" " + what, "expected https://HOST:PORT/PATH");
  };
  if (!is_url_text(text)) return wrong("has blanks or control characters");
  const auto colon = text.find("://");
  if (colon == std::string_view::npos) return wrong("has no scheme");
  const std::string scheme = in_lower_case(text.substr(0, colon));
  if (scheme != "https" && scheme != "http") return wrong("is neither an https nor an http URL");
  WebhookUrl out;
  out.tls = scheme == "https";
  std::string_view rest = text.substr(colon + 3);
  rest = rest.substr(0, rest.find('#'));
  const auto path = rest.find_first_of("/?");
  out.authority = rest.substr(0, path);
  rest.remove_prefix(std::min(path, rest.size()));
  out.target = rest.starts_with('/') ? std::string(rest) : "/" + std::string(rest);
  // Credentials do not belong in a URL: it is printed in errors.
  if (out.authority.find('@') != std::string::npos) return wrong("names a user");
  const std::string_view authority = out.authority;
  const auto bracket = authority.find(']');
  const auto port = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  out.host = authority.substr(0, port);
  if (authority.starts_with('[') && bracket != std::string_view::npos) out.host = authority.substr(1, bracket - 1);
  out.port = out.tls ? "443" : "80";
  if (port != std::string_view::npos && port + 1 < authority.size()) out.port = authority.substr(port + 1);
  if (out.host.empty()) return wrong("has no host");
  if (!is_port(out.port)) return wrong("has no valid port");
  return out;
}

Result<WebhookUrl> resolve_location(const WebhookUrl& base, std::string_view location) {
  const std::string where = "Location";
  if (location.find("://") != std::string_view::npos && !location.starts_with('/')) {
    return parse_webhook_url(location, where);
  }
  const std::string scheme = base.tls ? "https:" : "http:";
  if (location.starts_with("//")) return parse_webhook_url(scheme + std::string(location), where);
  const std::string server = scheme + "//" + base.authority;
  if (location.starts_with('/')) return parse_webhook_url(server + std::string(location), where);
  const std::string path = base.target.substr(0, base.target.find('?'));
  if (location.starts_with('?')) return parse_webhook_url(server + path + std::string(location), where);
  const std::string_view query = location.substr(std::min(location.find_first_of("?#"), location.size()));
  const std::string_view own = location.substr(0, location.size() - query.size());
  std::string joined = cleaned(path.substr(0, path.rfind('/') + 1) + std::string(own));
  if (own.ends_with('/') && joined != "/") joined += '/';
  return parse_webhook_url(server + joined + std::string(query), where);
}

std::string posted_path(const WebhookUrl& url) {
  return encoded_path(cleaned(percent_decoded(url.target.substr(0, url.target.find('?')), false)));
}

}  // namespace nodebound::webhook
