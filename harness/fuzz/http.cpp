// The bytes of one client's connection, in pieces.
#include <cstdint>

#include "fakes/http/memory_connection.h"
#include "harness/fuzz/structure.h"

using namespace nodebound;

namespace {

/// A stream that ends after two pieces.
class ShortStream final : public BodyStream {
 public:
  bool take(std::string& out) override {
    out += "piece\n";
    return ++taken_ < 2;
  }
  void on_ready(std::function<void()>) override {}

 private:
  int taken_ = 0;
};

class Echo final : public HttpHandler {
 public:
  HttpResponse handle(const IncomingRequest& request) override {
    HttpResponse response;
    response.status = request.body_too_large ? 413 : 200;
    response.content_type = "text/plain";
    response.body = request.method + request.target + request.body;
    if (request.target.ends_with("watch=1")) response.stream = std::make_shared<ShortStream>();
    return response;
  }
};

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  return fuzz::mutated(data, size, most, seed, 1, fuzz::changed_http);
}

// The first byte gives the length of the pieces.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t piece = data[0] == 0 ? size : data[0];
  std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  Echo handler;
  MemoryConnection connection(handler, {"127.0.0.1", {}}, {.header_bytes = 1U << 20U, .body_bytes = 4096});
  while (!bytes.empty() && !connection.closed()) {
    connection.send(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
  }
  return 0;
}
