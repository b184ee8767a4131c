#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace nodebound {

/// The first line of a request as net/http reads it (readRequest, net/url's ParseRequestURI).
struct RequestLine {
  std::string_view method;
  std::string_view sent;  ///< the target as it stands in the line
  std::string target;     ///< its path, which may be empty, and query; or `*`
  unsigned major = 0;     ///< of the version
  unsigned minor = 0;

  /// `line` is without its end, and must outlive what is returned; nothing if net/http cannot read it.
  static std::optional<RequestLine> of(std::string_view line);
};

}  // namespace nodebound
