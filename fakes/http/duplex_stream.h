#pragma once

#include "fakes/wire/http.h"

namespace nodebound {

/// A stream that also takes bytes from the client, after 101 Switching Protocols.
class DuplexStream : public BodyStream {
 public:
  /// Whether it takes no more bytes until it is ready again: who never reads then holds up who sends, and nothing piles
  /// up in between.
  [[nodiscard]] virtual bool full() const = 0;
};

}  // namespace nodebound
