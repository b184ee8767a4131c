#pragma once

#include <string>

#include "fakes/http/handler.h"

namespace nodebound::authentication {

struct WebsocketToken {
  std::string token;  ///< empty if there is none
  std::string error;
};

/// The token among the subprotocols of a WebSocket request
/// (staging/src/k8s.io/apiserver/pkg/authentication/request/websocket/protocol.go).
WebsocketToken websocket_token(const IncomingRequest& request);

}  // namespace nodebound::authentication
