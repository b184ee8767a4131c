#include "fakes/authentication/websocket_token.h"

#include <algorithm>

#include "fakes/websocket/handshake.h"
#include "reference/encoding/ascii.h"
#include "reference/encoding/base64.h"
#include "reference/encoding/utf8.h"

namespace nodebound::authentication {
namespace {}  // namespace

WebsocketToken websocket_token(const IncomingRequest& request) {
  constexpr std::string_view prefix = "base64url.bearer.authorization.k8s.io.";
  if (!asks_for_websocket(request)) return {};
  WebsocketToken out;
  bool found = false;
  bool has_other = false;
  for (const auto& [name, value] : request.headers) {
    if (name != "sec-websocket-protocol") continue;
    for (std::size_t begin = 0; begin <= value.size();) {
      const std::size_t end = std::min(value.find(',', begin), value.size());
      const std::string_view protocol = trimmed(std::string_view(value).substr(begin, end - begin), " \t");
      begin = end + 1;
      if (!protocol.starts_with(prefix)) {
        has_other = true;
        continue;
      }
      if (found) return {{}, "multiple base64.bearer.authorization tokens specified"};
      found = true;
      auto token = base64url_decode(protocol.substr(prefix.size()));
      if (!token) return {{}, "invalid base64.bearer.authorization token encoding"};
      if (!is_utf8(*token)) return {{}, "invalid base64.bearer.authorization token"};
      out.token = std::move(*token);
    }
  }
  // Without the token there must still be a subprotocol for the server to choose.
  if (!out.token.empty() && !has_other) return {{}, "missing additional subprotocol"};
  return out;
}

}  // namespace nodebound::authentication
