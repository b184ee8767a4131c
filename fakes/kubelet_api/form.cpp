#include "fakes/kubelet_api/form.h"

#include "reference/authorizer/attributes.h"

namespace nodebound {
namespace {

bool is_token_character(char c) {
  constexpr std::string_view specials = "!#$%&'*+-.^_`|~";
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || (c >= '0' && c <= '9') || specials.find(c) != std::string_view::npos;
}

std::string_view take_token(std::string_view& rest) {
  std::size_t end = 0;
  while (end < rest.size() && is_token_character(rest[end])) ++end;
  const std::string_view token = rest.substr(0, end);
  rest.remove_prefix(end);
  return token;
}

// What mime.ParseMediaType says of the type before the parameters.
std::optional<std::string> media_type_mistake(std::string_view header) {
  std::string_view rest = header.substr(0, header.find(';'));
  while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\t')) rest.remove_prefix(1);
  while (!rest.empty() && (rest.back() == ' ' || rest.back() == '\t')) rest.remove_suffix(1);
  if (take_token(rest).empty()) return "mime: no media type";
  if (rest.empty()) return std::nullopt;
  if (rest.front() != '/') return "mime: expected slash after first token";
  rest.remove_prefix(1);
  if (take_token(rest).empty()) return "mime: expected token after slash";
  if (!rest.empty()) return "mime: unexpected content after media subtype";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> form_mistake(const IncomingRequest& request) {
  const bool has_form = request.method == "POST" || request.method == "PUT" || request.method == "PATCH";
  const std::string_view type = request.header("content-type");
  // Without a body there is nothing to read, and without a type it is not read.
  if (!has_form || type.empty()) return std::nullopt;
  return media_type_mistake(type);
}

bool has_query_parameter(std::string_view target, std::string_view name) {
  return !query_parameters(target, name).empty();
}

}  // namespace nodebound
