#include "fakes/kubelet_api/answers/form.h"

#include <algorithm>
#include <cctype>

#include "reference/authorizer/attributes.h"
#include "reference/encoding/ascii.h"
#include "reference/release/refusal_text.h"

namespace nodebound::kubelet_api {
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

// The error of mime.ParseMediaType for the type before the parameters.
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

bool is_url_encoded(std::string_view header) {
  std::string type = in_lower_case(header.substr(0, header.find(';')));
  std::erase_if(type, [](char c) { return c == ' ' || c == '\t'; });
  return type == "application/x-www-form-urlencoded";
}

bool is_hexadecimal(char c) {
  return std::isxdigit(static_cast<unsigned char>(c)) != 0;
}

// The error of url.QueryUnescape for a name or value.
std::optional<std::string> escape_mistake(std::string_view text) {
  for (std::size_t i = text.find('%'); i != std::string_view::npos; i = text.find('%', i + 1)) {
    if (i + 2 < text.size() && is_hexadecimal(text[i + 1]) && is_hexadecimal(text[i + 2])) continue;
    return "invalid URL escape " + go_quoted(text.substr(i, 3));
  }
  return std::nullopt;
}

// The error of url.ParseQuery: for semicolons the last, for bad escapes the first.
std::optional<std::string> query_mistake(std::string_view query) {
  std::optional<std::string> out;
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (pair.find(';') != std::string_view::npos) {
      out = "invalid semicolon separator in query";
      continue;
    }
    if (out) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    out = escape_mistake(pair.substr(0, equals));
    if (!out && equals < pair.size()) out = escape_mistake(pair.substr(equals + 1));
  }
  return out;
}

}  // namespace

std::optional<std::string> form_mistake(const IncomingRequest& request) {
  const bool has_form = request.method == "POST" || request.method == "PUT" || request.method == "PATCH";
  const std::string_view type = request.header("content-type");
  // A request without a body or content type has no form to read.
  if (has_form && !type.empty()) {
    if (auto mistake = media_type_mistake(type)) return mistake;
    if (is_url_encoded(type)) {
      if (auto mistake = query_mistake(request.body)) return mistake;
    }
  }
  const std::size_t question = request.target.find('?');
  return question == std::string::npos ? std::nullopt : query_mistake(request.target.substr(question + 1));
}

bool has_query_parameter(std::string_view target, std::string_view name) {
  return !query_parameters(target, name).empty();
}

}  // namespace nodebound::kubelet_api
