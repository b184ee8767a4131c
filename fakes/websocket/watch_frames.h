#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "fakes/http/duplex_stream.h"
#include "fakes/http/handler.h"
#include "fakes/websocket/frame.h"

namespace nodebound {

/// A watch as the messages of a WebSocket: an event each, as text or, in protobuf, as bytes. What the client sends is
/// ignored, apart from pings and the end (HandleWS in apiserver's pkg/endpoints/handlers/watch.go).
class WatchFrames final : public DuplexStream {
 public:
  WatchFrames(std::shared_ptr<BodyStream> events, bool protobuf) : events_(std::move(events)), protobuf_(protobuf) {}

  bool take(std::string& out) override;
  void on_ready(std::function<void()> notify) override;
  [[nodiscard]] bool broken() const override { return events_->broken(); }
  void expire() override { events_->expire(); }
  void receive(std::string_view bytes) override;
  [[nodiscard]] bool full() const override;

 private:
  /// Moves the whole events of `text_` to `out`.
  void frame_events(std::string& out);

  const std::shared_ptr<BodyStream> events_;
  const bool protobuf_;
  std::string text_;  ///< events that are not sent yet, as on a watch without WebSocket
  mutable std::mutex mutex_;
  websocket::IgnoredFrames ignored_;
  std::string replies_;
  std::function<void()> notify_;
};

/// The answer to a watch that asks for WebSocket, made from the one that does not.
HttpResponse watch_over_websocket(const IncomingRequest& request, HttpResponse watch);

}  // namespace nodebound
