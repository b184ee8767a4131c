#pragma once

#include <string>
#include <string_view>

#include "fakes/http/connection.h"

namespace nodebound {

/// A connection without a network: the same bytes in and out as over TLS, for simulation, fuzzing and tests.
class MemoryConnection {
 public:
  explicit MemoryConnection(HttpHandler& handler, Peer peer = {"127.0.0.1", {}}, const HttpLimits& limits = {})
      : connection_(handler, std::make_shared<const Peer>(std::move(peer)), limits) {}

  /// What a server would have sent by now. Call it again without bytes to read more of a stream.
  std::string send(std::string_view bytes = {}) {
    std::string out;
    if (!connection_.receive(bytes)) connection_.finish();
    for (std::string piece = connection_.advance(); !piece.empty(); piece = connection_.advance()) out += piece;
    return out;
  }

  [[nodiscard]] bool closed() const { return connection_.state() == HttpConnection::State::closing; }
  [[nodiscard]] HttpConnection& connection() { return connection_; }

 private:
  HttpConnection connection_;
};

}  // namespace nodebound
