#include "fakes/kubelet_api/container_stream.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <openssl/sha.h>

#include "fakes/encoding/base64.h"
#include "fakes/kubelet_api/answer.h"
#include "fakes/kubelet_api/websocket.h"
#include "reference/authorizer/attributes.h"

namespace nodebound {
namespace {

constexpr std::string_view guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";  // RFC 6455
constexpr std::string_view v5 = "v5.channel.k8s.io";
constexpr std::string_view v4 = "v4.channel.k8s.io";
constexpr std::string_view v1 = "channel.k8s.io";

std::string accept_of(std::string_view key) {
  const std::string text = std::string(key) + std::string(guid);
  std::array<unsigned char, SHA_DIGEST_LENGTH> digest{};
  SHA1(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  return base64_encode({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

std::vector<std::string> offered(const IncomingRequest& request) {
  std::vector<std::string> out;
  for (const auto& [name, value] : request.headers) {
    if (name != "sec-websocket-protocol") continue;
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

/// The protocol of a WebSocket: the first that is offered and known, the empty one where none is offered.
std::optional<std::string> chosen(const IncomingRequest& request, bool has_v5) {
  const std::vector<std::string> all = offered(request);
  if (all.empty()) return "";
  for (const std::string& one : all) {
    if (one == v4 || one == v1 || (has_v5 && one == v5)) return one;
  }
  return std::nullopt;
}

HttpResponse switched(const std::string& to, std::shared_ptr<BodyStream> stream) {
  HttpResponse out;
  out.status = 101;
  out.headers["connection"] = "Upgrade";
  out.headers["upgrade"] = to;
  out.stream = std::move(stream);
  return out;
}

HttpResponse upgraded(const IncomingRequest& request, const std::string& protocol, std::shared_ptr<BodyStream> stream) {
  HttpResponse out = switched("websocket", std::move(stream));
  out.headers["sec-websocket-accept"] = accept_of(request.header("sec-websocket-key"));
  out.headers["sec-websocket-protocol"] = protocol;
  return out;
}

HttpResponse refused_handshake() {
  HttpResponse out;
  out.status = 403;
  return out;
}

/// Frames that are there from the start; `echoes` says whether it goes on with what the client sends.
class Frames final : public BodyStream {
 public:
  Frames(std::string frames, bool echoes) : out_(std::move(frames)), open_(echoes) {}

  bool take(std::string& out) override {
    const std::lock_guard lock(mutex_);
    out += out_;
    out_.clear();
    return open_;
  }
  void on_ready(std::function<void()> /*notify*/) override {}
  void receive(std::string_view bytes) override {
    const std::lock_guard lock(mutex_);
    if (!open_) return;
    input_.append(bytes);
    while (auto frame = websocket::take_frame(input_)) {
      if (frame->opcode == websocket::Opcode::binary) out_ += websocket::frame(frame->opcode, frame->payload);
      if (frame->opcode != websocket::Opcode::close) continue;
      out_ += websocket::frame(frame->opcode, frame->payload);
      open_ = false;
      return;
    }
    open_ = input_.size() < websocket::longest_frame;
  }

 private:
  std::mutex mutex_;
  std::string input_;
  std::string out_;
  bool open_;
};

std::string on_channel(char channel, std::string_view data) {
  return websocket::frame(websocket::Opcode::binary, channel + std::string(data));
}

}  // namespace

StreamOptions StreamOptions::of(std::string_view target) {
  const auto on = [&](const char* name) { return query_parameter(target, name) == "1"; };
  return {on("input"), on("output"), on("error") && !on("tty")};
}

HttpResponse container_stream(const IncomingRequest& request, const StreamOptions& options, const std::string& output,
                              const KubeletShapes& shapes) {
  if (!asks_for_upgrade(request)) return error_answer(500, "Upgrade request required");
  if (!asks_for_websocket(request)) {
    HttpResponse out = switched(std::string(request.header("upgrade")), std::make_shared<Frames>("", false));
    if (const std::string_view version = request.header("x-stream-protocol-version"); !version.empty()) {
      out.headers["x-stream-protocol-version"] = version.substr(0, version.find(','));
    }
    return out;
  }
  const auto protocol = chosen(request, shapes.websocket_v5);
  if (!protocol) return refused_handshake();
  // An empty message says that the stream is there.
  std::string frames = on_channel(options.out ? '\1' : options.err ? '\2' : '\3', "");
  if (options.out) frames += on_channel('\1', output);
  // What speaks v5 is the kubelet, and a container runtime otherwise.
  const bool metadata = shapes.status_metadata || *protocol == v5;
  if (*protocol == v4 || *protocol == v5) {
    frames += on_channel('\3', metadata ? R"({"metadata":{},"status":"Success"})" : R"({"status":"Success"})");
  }
  constexpr std::string_view normal_closure("\x03\xe8", 2);
  frames += websocket::frame(websocket::Opcode::close, normal_closure);
  return upgraded(request, *protocol, std::make_shared<Frames>(std::move(frames), false));
}

HttpResponse port_forward_stream(const IncomingRequest& request, const std::vector<std::uint16_t>& ports) {
  if (!asks_for_upgrade(request)) return error_answer(500, "Upgrade request required");
  if (!asks_for_websocket(request)) {
    return switched(std::string(request.header("upgrade")), std::make_shared<Frames>("", false));
  }
  const auto protocol = chosen(request, false);
  if (!protocol) return refused_handshake();
  std::string frames;
  char channel = 0;
  for (const std::uint16_t port : ports) {
    // Each has a channel for data and one for errors; both begin with the port, the lower byte first.
    const std::string number = {static_cast<char>(port & 0xFFU), static_cast<char>(port >> 8U)};
    for (int i = 0; i < 2; ++i) frames += on_channel(channel++, number);
  }
  return upgraded(request, *protocol, std::make_shared<Frames>(std::move(frames), true));
}

}  // namespace nodebound
