#include "harness/journal/stored_path.h"

#include <algorithm>
#include <vector>

#include "reference/authorizer/attributes.h"

namespace nodebound::journal {
namespace {

constexpr std::size_t longest_name = 253;
constexpr std::size_t longest_label = 63;

std::vector<std::string_view> segments_of(std::string_view path) {
  std::vector<std::string_view> out;
  while (path.starts_with('/')) {
    path.remove_prefix(1);
    const std::size_t end = std::min(path.find('/'), path.size());
    out.push_back(path.substr(0, end));
    path.remove_prefix(end);
  }
  if (!path.empty()) out.clear();
  return out;
}

bool is_lower_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool is_dns_label(std::string_view text) {
  return !text.empty() && text.size() <= longest_label && is_lower_or_digit(text.front()) &&
         is_lower_or_digit(text.back()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_lower_or_digit(c) || c == '-'; });
}

bool is_dns_subdomain(std::string_view text) {
  if (text.size() > longest_name) return false;
  for (;;) {
    const std::size_t dot = text.find('.');
    if (!is_dns_label(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

bool takes_digits(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  const auto count = static_cast<std::size_t>(end - text.begin());
  text.remove_prefix(count);
  return count > 0 && count < 4;
}

// `v1`, `v2beta1`
bool is_version(std::string_view text) {
  if (!text.starts_with('v')) return false;
  text.remove_prefix(1);
  if (!takes_digits(text)) return false;
  if (text.empty()) return true;
  for (const std::string_view word : {"alpha", "beta"}) {
    if (!text.starts_with(word)) continue;
    text.remove_prefix(word.size());
    return takes_digits(text) && text.empty();
  }
  return false;
}

// In a namespace's path, a subresource is where a resource would be.
bool is_resource(std::string_view text) {
  return is_dns_label(text) && text != "status" && text != "finalize";
}

// Not all kinds have DNS names, but no name is more or less than one segment of a path.
bool is_plain_name(std::string_view name) {
  return !name.empty() && name.size() <= longest_name && name != "." && name != ".." &&
         std::all_of(name.begin(), name.end(), [](char c) { return c >= ' ' && c <= '~' && c != '/' && c != '%'; });
}

bool is_name_segment(std::string_view segment) {
  const std::string name = percent_decoded(segment, false);
  return is_plain_name(name) && percent_encoded(name) == segment;
}

// The part after group and version; empty if the path does not begin like an API path.
std::vector<std::string_view> behind_version(std::string_view path) {
  std::vector<std::string_view> segments = segments_of(path);
  const bool core = segments.size() > 2 && segments[0] == "api" && segments[1] == "v1";
  const bool grouped =
      segments.size() > 3 && segments[0] == "apis" && is_dns_subdomain(segments[1]) && is_version(segments[2]);
  if (!core && !grouped) return {};
  segments.erase(segments.begin(), segments.begin() + (core ? 2 : 3));
  return segments;
}

bool is_namespaced(const std::vector<std::string_view>& segments, std::size_t count) {
  return segments.size() == count && segments[0] == "namespaces" && is_dns_label(segments[1]) &&
         is_resource(segments[2]);
}

}  // namespace

bool is_object_path(std::string_view path) {
  const std::vector<std::string_view> segments = behind_version(path);
  if (segments.size() == 2) return is_resource(segments[0]) && is_name_segment(segments[1]);
  return is_namespaced(segments, 4) && is_name_segment(segments[3]);
}

bool is_collection_path(std::string_view path) {
  const std::vector<std::string_view> segments = behind_version(path);
  return segments.size() == 1 ? is_resource(segments[0]) : is_namespaced(segments, 3);
}

std::string stored_path(std::string_view collection, std::string_view name) {
  if (!is_collection_path(collection) || !is_plain_name(name)) return {};
  return std::string(collection) + "/" + percent_encoded(name);
}

std::string object_path_of(std::string_view target) {
  const std::string_view path = target.substr(0, target.find('?'));
  const std::string_view parent = path.substr(0, path.rfind('/'));
  return std::string(!is_object_path(path) && is_object_path(parent) ? parent : path);
}

bool is_namespace_path(std::string_view path) {
  static constexpr std::string_view beginning = "/api/v1/namespaces/";
  return is_object_path(path) && path.starts_with(beginning) &&
         path.find('/', beginning.size()) == std::string_view::npos;
}

}  // namespace nodebound::journal
