#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/http/handler.h"

namespace nodebound {

/// Whether a request asks for an upgrade, whether to WebSocket, SPDY or anything else.
bool asks_for_upgrade(const IncomingRequest& request);
bool asks_for_websocket(const IncomingRequest& request);
bool asks_for_spdy(const IncomingRequest& request);

/// 101 Switching Protocols.
HttpResponse switched(const std::string& to, std::shared_ptr<BodyStream> stream);

namespace websocket {

/// The elements of all headers with a name, separated by commas.
std::vector<std::string> offered(const IncomingRequest& request, std::string_view header);

/// The value of `Sec-WebSocket-Accept` for a key (RFC 6455, 4.2.2).
std::string accept_of(std::string_view key);

/// The refusal of a handshake that breaks RFC 6455, 4.2.1, as Go's x/net/websocket writes it.
std::optional<HttpResponse> mistake_of(const IncomingRequest& request);

/// A refusal written directly to the connection: only the connection's end marks the end of the text.
HttpResponse refused(int status, std::string text);

}  // namespace websocket
}  // namespace nodebound
