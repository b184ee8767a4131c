#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nodebound {

/// The segments a and b of `/a/b/`; none for `/`.
std::vector<std::string> path_segments(std::string_view path);

/// The path without empty, `.` and `..` segments; a slash at its end stays (Go's net/http, cleanPath).
std::string clean_path(std::string_view path);

/// Decodes each segment of an escaped path; an escaped slash stays escaped, because it separates nothing.
std::string decoded_segments(std::string_view path);

/// A decoded path as Go's net/url writes it into a URL.
std::string escaped_path(std::string_view path);

/// Whether Go's net/url accepts the text as an escaped path, and so keeps it as it was sent.
bool is_escaped_path(std::string_view path);

}  // namespace nodebound
