#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nodebound {

/// `/a/b/` as its segments a and b; none of `/`.
std::vector<std::string> path_segments(std::string_view path);

/// A path without empty, `.` and `..` segments; a slash at its end stays (Go's net/http, cleanPath).
std::string clean_path(std::string_view path);

/// Each segment of an escaped path decoded; a slash that was escaped stays so, as it separates nothing.
std::string decoded_segments(std::string_view path);

/// A decoded path as Go's net/url writes it into a URL.
std::string escaped_path(std::string_view path);

/// Whether Go's net/url takes this for the escaped form of a path, and so leaves it as it was sent.
bool is_escaped_path(std::string_view path);

}  // namespace nodebound
