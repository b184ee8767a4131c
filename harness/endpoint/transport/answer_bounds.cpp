#include "harness/endpoint/transport/answer_bounds.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fakes/wire/go/json.h"
#include "reference/authorizer/attributes.h"

namespace nodebound {
namespace {

constexpr std::size_t kibibyte = 1024;
constexpr std::size_t mebibyte = 1024 * kibibyte;

/// etcd stores no object of more than 1.5 MiB, and JSON writes some bytes as six.
constexpr std::size_t most_of_one_object = 4 * mebibyte;
constexpr std::size_t most_kept_lines = mebibyte;

/// For paths that name no resource.
constexpr std::array<std::pair<std::string_view, std::size_t>, 7> of_path = {{
    {"/version", 64 * kibibyte},
    {"/livez", 64 * kibibyte},
    {"/readyz", 64 * kibibyte},
    {"/healthz", 64 * kibibyte},
    {"/health", 64 * kibibyte},
    {"/api", mebibyte},
    {"/apis", mebibyte},
}};

}  // namespace

std::size_t most_body_bytes(const HttpRequest& request, const RequestLimits& limits) {
  const std::string_view path = std::string_view(request.target).substr(0, request.target.find('?'));
  for (const auto& [known, most] : of_path) {
    if (path == known) return most;
  }
  const Attributes asked = attributes_of(request.method, request.target);
  const bool of_many = asked.verb == "list" || asked.verb == "watch" || asked.verb == "deletecollection";
  return asked.resource_request && !of_many ? std::min(most_of_one_object, limits.list) : limits.list;
}

std::size_t most_values_in(std::size_t bytes) {
  // Kubernetes objects have one JSON value in about 33 bytes: what is within its bytes is within this, too.
  constexpr std::size_t usual = 24;
  constexpr std::size_t always = 20'000;
  return std::max(bytes / usual, always);
}

std::optional<std::string> json_excess(std::string_view body, std::size_t most_values) {
  const auto first = body.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || (body[first] != '{' && body[first] != '[')) return std::nullopt;
  std::size_t depth = 0;
  std::size_t values = 1;
  bool in_string = false;
  for (std::size_t at = first; at < body.size(); ++at) {
    const char c = body[at];
    if (in_string) {
      if (c == '\\') ++at;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > deepest_kept) return "is nested deeper than " + std::to_string(deepest_kept) + " levels";
      ++values;
    } else if (c == ']' || c == '}') {
      if (depth > 0) --depth;
    } else if (c == ',') {
      ++values;
    }
    if (values > most_values) return "holds more than " + std::to_string(most_values) + " values";
  }
  return std::nullopt;
}

bool ArrivingBody::announce(std::size_t bytes) {
  if (bytes > most_) return false;
  // A string that grows by doubling exists twice for a moment.
  if (prefix_.empty()) kept_.reserve(bytes);
  return true;
}

bool ArrivingBody::take(std::string_view part) {
  arrived_ += part.size();
  if (arrived_ > most_) return false;
  if (prefix_.empty()) {
    kept_ += part;
    return true;
  }
  take_lines(part);
  return kept_.size() <= most_kept_lines;
}

void ArrivingBody::take_lines(std::string_view part) {
  while (!part.empty()) {
    const std::size_t end = std::min(part.find('\n'), part.size());
    if (!dropped_) line_ += part.substr(0, std::min(end, most_line_bytes));
    dropped_ = dropped_ || line_.size() >= most_line_bytes ||
               std::string_view(line_).substr(0, prefix_.size()) != std::string_view(prefix_).substr(0, line_.size());
    if (dropped_) line_.clear();
    if (end < part.size()) end_line();
    part.remove_prefix(std::min(end + 1, part.size()));
  }
}

void ArrivingBody::end_line() {
  if (!dropped_ && !line_.empty()) kept_ += line_ + "\n";
  line_.clear();
  dropped_ = false;
}

std::string ArrivingBody::whole() {
  if (!prefix_.empty()) end_line();
  return std::move(kept_);
}

}  // namespace nodebound
