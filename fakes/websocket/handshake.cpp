#include "fakes/websocket/handshake.h"

#include <algorithm>
#include <array>
#include <openssl/sha.h>

#include "fakes/wire/text_stream.h"
#include "reference/encoding/ascii.h"
#include "reference/encoding/base64.h"

namespace nodebound {
namespace {

constexpr std::string_view guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";  // RFC 6455

}  // namespace

bool asks_for_upgrade(const IncomingRequest& request) {
  return std::any_of(request.headers.begin(), request.headers.end(), [](const auto& field) {
    return field.first == "connection" && in_lower_case(field.second).find("upgrade") != std::string::npos;
  });
}

bool asks_for_spdy(const IncomingRequest& request) {
  return in_lower_case(request.header("upgrade")).find("spdy/3.1") != std::string::npos && asks_for_upgrade(request);
}

bool asks_for_websocket(const IncomingRequest& request) {
  return in_lower_case(request.header("upgrade")) == "websocket" && asks_for_upgrade(request);
}

HttpResponse switched(const std::string& to, std::shared_ptr<BodyStream> stream) {
  HttpResponse out;
  out.status = 101;
  out.headers["connection"] = "Upgrade";
  out.headers["upgrade"] = to;
  out.stream = std::move(stream);
  return out;
}

namespace websocket {

std::vector<std::string> offered(const IncomingRequest& request, std::string_view header) {
  std::vector<std::string> out;
  for (const auto& [name, value] : request.headers) {
    if (name != header) continue;
    for (std::size_t begin = 0; begin <= value.size();) {
      const std::size_t end = std::min(value.find(',', begin), value.size());
      std::string_view one = std::string_view(value).substr(begin, end - begin);
      begin = end + 1;
      one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
      while (one.ends_with(' ')) one.remove_suffix(1);
      if (!one.empty()) out.emplace_back(one);
    }
  }
  return out;
}

std::string accept_of(std::string_view key) {
  const std::string text = std::string(key) + std::string(guid);
  std::array<unsigned char, SHA_DIGEST_LENGTH> digest{};
  SHA1(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  return base64_encode({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

HttpResponse refused(int status, std::string text) {
  HttpResponse out;
  out.status = status;
  out.headers["transfer-encoding"] = "identity";
  out.stream = std::make_shared<TextStream>(std::move(text));
  return out;
}

std::optional<HttpResponse> mistake_of(const IncomingRequest& request) {
  if (request.method != "GET") return refused(405, "bad method");
  if (request.header("sec-websocket-key").empty()) return refused(400, "mismatch challenge/response");
  if (request.header("sec-websocket-version") == "13") return std::nullopt;
  HttpResponse out = refused(400, "missing or bad WebSocket Version");
  out.headers["sec-websocket-version"] = "13";
  return out;
}

}  // namespace websocket
}  // namespace nodebound
