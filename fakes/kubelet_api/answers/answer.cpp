#include "fakes/kubelet_api/answers/answer.h"

#include <algorithm>
#include <utility>

#include "fakes/wire/text_stream.h"

namespace nodebound::kubelet_api {
namespace {

std::string_view reason_of(int status) {
  return status == 301 ? "Moved Permanently" : "Temporary Redirect";
}

std::string html_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&#34;";
    } else if (c == '\'') {
      out += "&#39;";
    } else {
      out += c;
    }
  }
  return out;
}

// Bytes that are not ASCII are escaped in a header, as net/http does (hexEscapeNonASCII).
std::string ascii(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else {
      out += {'%', digits[byte / 16], digits[byte % 16]};
    }
  }
  return out;
}

}  // namespace

HttpResponse text_answer(int status, std::string body) {
  HttpResponse out;
  out.status = status;
  out.content_type = plain_text;
  out.body = std::move(body);
  return out;
}

HttpResponse error_answer(int status, std::string_view message) {
  HttpResponse out = text_answer(status, std::string(message) + "\n");
  out.headers["x-content-type-options"] = "nosniff";
  return out;
}

HttpResponse json_answer(std::string body) {
  HttpResponse out = text_answer(200, std::move(body));
  out.content_type = "application/json";
  return out;
}

HttpResponse empty_answer(int status, std::string_view method) {
  HttpResponse out;
  out.status = status;
  if (method == "HEAD") out.stream = std::make_shared<TextStream>("");
  return out;
}

HttpResponse redirect_answer(int status, std::string_view method, const std::string& location) {
  const bool shown = method == "GET";
  HttpResponse out = empty_answer(status, method);
  out.headers["location"] = ascii(location);
  if (shown || method == "HEAD") out.content_type = "text/html; charset=utf-8";
  if (shown) out.body = "<a href=\"" + html_escaped(location) + "\">" + std::string(reason_of(status)) + "</a>.\n\n";
  return out;
}

HttpResponse as_written(HttpResponse answer, std::string_view method) {
  constexpr std::size_t kept_back = 2048;
  const bool has_length = answer.headers.contains("accept-ranges");
  if (answer.stream || has_length || answer.body.size() <= kept_back || method == "HEAD") return answer;
  answer.stream = std::make_shared<TextStream>(std::exchange(answer.body, {}));
  return answer;
}

HttpResponse chunked_answer(int status, std::string content_type, std::string body) {
  HttpResponse out;
  out.status = status;
  out.content_type = std::move(content_type);
  out.stream = std::make_shared<TextStream>(std::move(body));
  return out;
}

}  // namespace nodebound::kubelet_api
