#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "fakes/http/duplex_stream.h"
#include "fakes/http/handler.h"
#include "fakes/spdy/frame.h"

namespace nodebound::spdy {

/// The server's side of a SPDY connection, as far as Kubernetes uses it: the client opens streams, all are accepted,
/// and there is no flow control. Thread-safe.
class Server : public DuplexStream {
 public:
  bool take(std::string& out) override;
  void on_ready(std::function<void()> /*notify*/) override {}
  void receive(std::string_view bytes) override;
  [[nodiscard]] bool full() const override;

 protected:
  /// Called with the lock held.
  virtual void opened(std::uint32_t stream, const Headers& headers) = 0;
  virtual void received(std::uint32_t stream, const std::string& bytes, bool last) = 0;

  void send(std::uint32_t stream, std::string bytes, bool last);
  /// Ends the connection when all that was sent has gone out.
  void end() { open_ = false; }
  [[nodiscard]] const std::map<std::uint32_t, Headers>& streams() const { return streams_; }

 private:
  void handle(const SpdyFrame& frame);
  void accept(const SpdyFrame& frame);

  mutable std::mutex mutex_;
  std::string input_;
  std::string out_;
  HeaderInflater reader_;
  HeaderDeflater writer_;
  std::map<std::uint32_t, Headers> streams_;
  bool open_ = true;
};

}  // namespace nodebound::spdy
