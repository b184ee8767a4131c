#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace nodebound {

/// The first line of a request as net/http reads it (readRequest, net/url's ParseRequestURI).
struct RequestLine {
  std::string_view method;
  std::string_view sent;  ///< the target as sent
  std::string target;     ///< path, which may be empty, and query; or `*`
  unsigned major = 0;     ///< of the HTTP version
  unsigned minor = 0;

  /// `line` comes without its line end and must outlive the result. Nothing if net/http cannot read it.
  static std::optional<RequestLine> of(std::string_view line);
};

}  // namespace nodebound
