// The bytes of a connection to a kubelet with scripted reviews, and frames of WebSocket and SPDY. The first byte
// chooses the release and port, or frames.
#include <array>
#include <cstdint>
#include <cstdlib>

#include "fakes/kubelet_api/test/support.h"
#include "fakes/spdy/server.h"
#include "fakes/websocket/frame.h"
#include "harness/fuzz/structure.h"

using namespace nodebound;

namespace {

void take_frames(std::string input) {
  while (auto frame = websocket::take_frame(input)) {
    if (frame->payload.size() > websocket::longest_frame) std::abort();
    static_cast<void>(websocket::frame(frame->opcode, frame->payload));
  }
}

// Whoever has nothing to say is answered with no more than a pong for each ping.
void ignore_frames(std::string_view bytes) {
  websocket::IgnoredFrames frames;
  std::size_t replies = 0;
  for (const char& byte : bytes) replies += frames.receive({&byte, 1}).size();
  if (replies > 2 * bytes.size() + 4) std::abort();
}

/// Streams that return what comes.
class EchoStreams final : public spdy::Server {
 private:
  void opened(std::uint32_t stream, const spdy::Headers& headers) override {
    send(stream, headers.empty() ? "" : headers.begin()->first, false);
  }
  void received(std::uint32_t stream, const std::string& bytes, bool last) override { send(stream, bytes, last); }
};

void serve_spdy(std::string_view bytes) {
  EchoStreams streams;
  spdy::HeaderDeflater writer;
  const std::string block = std::string("\0\0\0\1\0\0\0\0\0\0", 10) + writer.write({{"streamtype", "data"}});
  streams.receive(spdy::write({spdy::Type::syn_stream, false, 1, block}));
  streams.receive(bytes);
  std::string out;
  streams.take(out);
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  return fuzz::mutated(data, size, most, seed, 1, fuzz::changed_http);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using Port = KubeletRoutes::Port;
  static std::array<test::ServedKubelet, 4> kubelets = {test::ServedKubelet{"1.36.3"}, test::ServedKubelet{"1.31.0"},
                                                        test::ServedKubelet{"1.20.0"},
                                                        test::ServedKubelet{"1.36.3", Port::read_only}};
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 8 == 7) {
    take_frames(std::string(bytes));
    ignore_frames(bytes);
    serve_spdy(bytes);
    return 0;
  }
  MemoryConnection connection(*kubelets[data[0] % 4].handler);
  const std::size_t half = bytes.size() / 2;
  connection.send(bytes.substr(0, half));
  connection.send(bytes.substr(half));
  // Read a stream to its end, up to a limit.
  for (int i = 0; i < 64 && !connection.send().empty(); ++i) {
  }
  return 0;
}
