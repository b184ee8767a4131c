#include "fakes/http/request_line.h"

#include <algorithm>

#include "reference/encoding/ascii.h"

namespace nodebound {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '\x7f';
}

bool has_valid_escapes(std::string_view path) {
  for (std::size_t i = path.find('%'); i != std::string_view::npos; i = path.find('%', i + 1)) {
    if (i + 2 >= path.size() || !is_hex(path[i + 1]) || !is_hex(path[i + 2])) return false;
  }
  return true;
}

// In a host, `%` is the only ASCII character that may be escaped.
bool is_host(std::string_view host) {
  if (!has_valid_escapes(host) || host.find_first_of(" #/?@\\^`{|}") != std::string_view::npos) return false;
  for (std::size_t i = host.find('%'); i != std::string_view::npos; i = host.find('%', i + 1)) {
    if (is_digit(host[i + 1]) && host[i + 1] < '8' && host.substr(i, 3) != "%25") return false;
  }
  return true;
}

bool is_user(std::string_view user) {
  constexpr std::string_view marks = "-._:~!$&'()*+,;=%@";
  return has_valid_escapes(user) && std::all_of(user.begin(), user.end(), [&](char c) {
           return is_letter(c) || is_digit(c) || marks.find(c) != std::string_view::npos;
         });
}

bool is_port(std::string_view text) {
  return text.empty() || (text.front() == ':' && std::all_of(text.begin() + 1, text.end(), is_digit));
}

/// Checks host and port of a URL, with an optional user before them; the contents of an IPv6 address's brackets are not
/// checked.
bool is_authority(std::string_view text) {
  if (const std::size_t at = text.rfind('@'); at != std::string_view::npos) {
    if (!is_user(text.substr(0, at))) return false;
    text.remove_prefix(at + 1);
  }
  const std::size_t bracket = text.rfind('[');
  if (bracket != std::string_view::npos) {
    const std::size_t end = text.rfind(']');
    return bracket == 0 && end != std::string_view::npos && is_port(text.substr(end + 1));
  }
  const std::size_t colon = std::min(text.find(':'), text.size());
  return is_host(text.substr(0, colon)) && is_port(text.substr(colon));
}

/// The length of a URL's scheme; 0 without a scheme, nothing if the URL begins with a colon.
std::optional<std::size_t> scheme_length(std::string_view url) {
  for (std::size_t i = 0; i < url.size(); ++i) {
    if (url[i] == ':') return i == 0 ? std::nullopt : std::optional(i);
    const bool later = i > 0 && (is_digit(url[i]) || url[i] == '+' || url[i] == '-' || url[i] == '.');
    if (!is_letter(url[i]) && !later) break;
  }
  return 0;
}

std::optional<std::string> path_and_query(std::string_view method, std::string_view sent) {
  if (sent == "*" && method != "CONNECT") return "*";
  // CONNECT takes an authority, and whatever follows it is a path.
  const std::string url = (method == "CONNECT" && !sent.starts_with('/') ? "http://" : "") + std::string(sent);
  const auto scheme = scheme_length(url);
  if (!scheme || std::any_of(url.begin(), url.end(), is_control)) return std::nullopt;
  std::string_view rest = std::string_view(url).substr(*scheme > 0 ? *scheme + 1 : 0);
  const std::size_t question = std::min(rest.find('?'), rest.size());
  const std::string query(rest.substr(question));
  rest = rest.substr(0, question);
  if (!rest.starts_with('/')) return *scheme > 0 ? std::optional(query) : std::nullopt;
  if (*scheme > 0 && rest.starts_with("//")) {
    const std::size_t end = std::min(rest.find('/', 2), rest.size());
    if (!is_authority(rest.substr(2, end - 2))) return std::nullopt;
    rest.remove_prefix(end);
  }
  return has_valid_escapes(rest) ? std::optional(std::string(rest) + query) : std::nullopt;
}

bool is_version(std::string_view text) {
  return text.size() == 8 && text.starts_with("HTTP/") && is_digit(text[5]) && text[6] == '.' && is_digit(text[7]);
}

}  // namespace

std::optional<RequestLine> RequestLine::of(std::string_view line) {
  const std::size_t method = line.find(' ');
  const std::size_t target = method == std::string_view::npos ? method : line.find(' ', method + 1);
  if (target == std::string_view::npos || !is_version(line.substr(target + 1))) return std::nullopt;
  const std::string_view sent = line.substr(method + 1, target - method - 1);
  auto read = path_and_query(line.substr(0, method), sent);
  if (!read) return std::nullopt;
  const auto digit = [&](std::size_t at) { return static_cast<unsigned>(line[target + 1 + at] - '0'); };
  return RequestLine{line.substr(0, method), sent, std::move(*read), digit(5), digit(7)};
}

}  // namespace nodebound
