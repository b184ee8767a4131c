#include "reference/kubelet/url_path.h"

#include <algorithm>

#include "reference/authorizer/attributes.h"

namespace nodebound {
namespace {

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Characters that need no escape in the path of a URL.
bool is_plain(char c) {
  return is_letter_or_digit(c) || std::string_view("-_.~$&+,/:;=@").find(c) != std::string_view::npos;
}

}  // namespace

std::vector<std::string> path_segments(std::string_view path) {
  std::vector<std::string> out;
  while (path.starts_with('/')) path.remove_prefix(1);
  while (path.ends_with('/')) path.remove_suffix(1);
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    out.emplace_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return out;
}

std::string clean_path(std::string_view path) {
  std::vector<std::string> kept;
  for (std::string& segment : path_segments(path)) {
    if (segment.empty() || segment == ".") continue;
    if (segment != "..") {
      kept.push_back(std::move(segment));
    } else if (!kept.empty()) {
      kept.pop_back();
    }
  }
  std::string out;
  for (const std::string& segment : kept) out += "/" + segment;
  if (out.empty() || path.ends_with('/')) out += "/";
  return out;
}

std::string decoded_segments(std::string_view path) {
  std::string out;
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    for (const char c : percent_decoded(path.substr(begin, end - begin), false)) {
      c == '/' ? out += "%2F" : out += c;
    }
    if (end < path.size()) out += '/';
    begin = end + 1;
  }
  return out;
}

std::string escaped_path(std::string_view path) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : path) {
    if (is_plain(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += {'%', digits[byte / 16], digits[byte % 16]};
  }
  return out;
}

bool is_escaped_path(std::string_view path) {
  for (const char c : path) {
    if (!is_plain(c) && std::string_view("!'()*[]%").find(c) == std::string_view::npos) return false;
  }
  return true;
}

}  // namespace nodebound
