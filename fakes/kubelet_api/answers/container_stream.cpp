#include "fakes/kubelet_api/answers/container_stream.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "fakes/http/duplex_stream.h"
#include "fakes/kubelet_api/answers/answer.h"
#include "fakes/spdy/server.h"
#include "fakes/websocket/frame.h"
#include "fakes/websocket/handshake.h"
#include "reference/authorizer/attributes.h"
#include "reference/encoding/base64.h"
#include "reference/release/kubelet_trait_ids.h"

namespace nodebound::kubelet_api {
namespace {

constexpr std::string_view v5 = "v5.channel.k8s.io";
constexpr std::string_view v4 = "v4.channel.k8s.io";
constexpr std::string_view v4_base64 = "v4.base64.channel.k8s.io";
constexpr std::string_view v1 = "channel.k8s.io";
constexpr std::string_view v1_base64 = "base64.channel.k8s.io";

using Protocols = std::vector<std::string_view>;

/// The first protocol that is both offered and known.
std::optional<std::string> agreed(const std::vector<std::string>& offers, const Protocols& known) {
  for (const std::string& one : offers) {
    if (std::find(known.begin(), known.end(), one) != known.end()) return one;
  }
  return std::nullopt;
}

/// The agreed WebSocket subprotocol; the empty one if none is offered.
std::optional<std::string> chosen(const IncomingRequest& request, const Protocols& known) {
  const std::vector<std::string> offers = websocket::offered(request, "sec-websocket-protocol");
  return offers.empty() ? std::optional<std::string>("") : agreed(offers, known);
}

HttpResponse upgraded(const IncomingRequest& request, const std::string& protocol, std::shared_ptr<BodyStream> stream) {
  HttpResponse out = switched("websocket", std::move(stream));
  out.headers["sec-websocket-accept"] = websocket::accept_of(request.header("sec-websocket-key"));
  out.headers["sec-websocket-protocol"] = protocol;
  return out;
}

/// How a subprotocol encodes the data of a channel: as it is or, in older ones, as base64 text.
class Codec {
 public:
  explicit Codec(std::string_view protocol) : base64_(protocol.find("base64") != std::string_view::npos) {}

  [[nodiscard]] websocket::Opcode opcode() const {
    return base64_ ? websocket::Opcode::text : websocket::Opcode::binary;
  }
  [[nodiscard]] std::string frame(unsigned channel, std::string_view data) const {
    const std::string payload = base64_ ? base64_encode(data) : std::string(data);
    return websocket::frame(opcode(), static_cast<char>(channel + (base64_ ? '0' : 0)) + payload);
  }

 private:
  bool base64_;
};

/// Sends prepared frames; with `echo` it then returns what the client sends, in frames of that kind.
class Frames final : public DuplexStream {
 public:
  explicit Frames(std::string frames, std::optional<websocket::Opcode> echo = std::nullopt)
      : out_(std::move(frames)), echo_(echo), open_(echo.has_value()) {}

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
      const bool data = frame->opcode == websocket::Opcode::binary || frame->opcode == websocket::Opcode::text;
      if (data) out_ += websocket::frame(*echo_, frame->payload);
      if (frame->opcode != websocket::Opcode::close) continue;
      out_ += websocket::frame(frame->opcode, frame->payload);
      open_ = false;
      return;
    }
    open_ = input_.size() < websocket::longest_frame;
  }
  [[nodiscard]] bool full() const override {
    const std::lock_guard lock(mutex_);
    return out_.size() > websocket::longest_frame;
  }

 private:
  mutable std::mutex mutex_;
  std::string input_;
  std::string out_;
  std::optional<websocket::Opcode> echo_;
  bool open_;
};

constexpr std::string_view normal_closure("\x03\xe8", 2);

/// Exec or attach over SPDY: when the client has opened its streams, it gets the output and the status.
class SpdyContainer final : public spdy::Server {
 public:
  SpdyContainer(std::size_t streams, std::string output, std::string status)
      : expected_(streams), output_(std::move(output)), status_(std::move(status)) {}

 private:
  void opened(std::uint32_t /*stream*/, const spdy::Headers& /*headers*/) override {
    if (streams().size() < expected_) return;
    for (const auto& [stream, headers] : streams()) {
      const auto found = headers.find("streamtype");
      const std::string type = found == headers.end() ? "" : found->second;
      if (type == "stdout") send(stream, output_, true);
      if (type == "stderr") send(stream, "", true);
      if (type == "error") send(stream, status_, true);
    }
    end();
  }
  void received(std::uint32_t /*stream*/, const std::string& /*bytes*/, bool /*last*/) override {}

  std::size_t expected_;
  std::string output_;
  std::string status_;
};

/// A port-forward over SPDY: each connection has a data and an error stream, and returns what it receives.
class SpdyPorts final : public spdy::Server {
 private:
  void opened(std::uint32_t /*stream*/, const spdy::Headers& /*headers*/) override {}
  void received(std::uint32_t stream, const std::string& bytes, bool last) override {
    const std::string request = header(stream, "requestid");
    if (header(stream, "streamtype") != "data") return;
    send(stream, bytes, last);
    if (!last) return;
    for (const auto& [other, headers] : streams()) {
      if (other != stream && header(other, "requestid") == request) send(other, "", true);
    }
  }
  [[nodiscard]] std::string header(std::uint32_t stream, const std::string& name) const {
    const spdy::Headers& headers = streams().at(stream);
    const auto found = headers.find(name);
    return found == headers.end() ? "" : found->second;
  }
};

/// The status of a command that has ended well.
std::string success(bool metadata) {
  return metadata ? R"({"metadata":{},"status":"Success"})" : R"({"status":"Success"})";
}

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : " ") + name;
  return "[" + out + "]";
}

/// The headers that reach a container runtime, under their Go names: with two that the kubelet adds, without Host, and
/// without the bearer token of a client that shows no certificate.
std::map<std::string, std::vector<std::string>> passed_on(const IncomingRequest& request) {
  std::map<std::string, std::vector<std::string>> out = {{"User-Agent", {"Go-http-client/1.1"}}};
  const bool certificate = request.peer && !request.peer->certificates.empty();
  for (auto [name, value] : request.headers) {
    if (name == "host" || (name == "authorization" && !certificate)) continue;
    for (std::size_t i = 0; i < name.size(); i = std::min(name.find('-', i), name.size() - 1) + 1) {
      if (name[i] >= 'a' && name[i] <= 'z') name[i] = static_cast<char>(name[i] - 'a' + 'A');
    }
    if (name == "User-Agent") out.erase(name);
    out[name].push_back(value);
  }
  auto& via = out["X-Forwarded-For"];
  const std::string address = request.peer ? request.peer->address : "";
  via = {via.empty() ? address : via.front() + ", " + address};
  return out;
}

// Headers as Go's %#v writes them.
std::string go_text(const std::map<std::string, std::vector<std::string>>& headers) {
  std::string out;
  for (const auto& [name, values] : headers) {
    std::string list;
    for (const std::string& value : values) list += (list.empty() ? "\"" : ", \"") + value + "\"";
    out += out.empty() ? "\"" : ", \"";
    out.append(name).append("\":[]string{").append(list).append("}");
  }
  return "http.Header{" + out + "}";
}

// A refusal by the container runtime, after which the kubelet closes the connection.
HttpResponse passed_back(int status, const std::string& message) {
  HttpResponse out = error_answer(status, message);
  out.headers["connection"] = "close";
  return out;
}

/// SPDY; Kubernetes agrees on its protocol in headers of its own (httpstream.Handshake).
HttpResponse over_spdy(const IncomingRequest& request, const std::vector<std::string>& known, const Release& kubelet,
                       bool port_forward,
                       const std::function<std::shared_ptr<BodyStream>(const std::string&)>& stream) {
  const auto offers = websocket::offered(request, "x-stream-protocol-version");
  const std::string unable = "unable to upgrade: ";
  if (offers.empty() && kubelet.has(KubeletTrait::stream_protocol_missed)) {
    const bool given = std::any_of(request.headers.begin(), request.headers.end(),
                                   [](const auto& one) { return one.first == "x-stream-protocol-version"; });
    return passed_back(
        400, unable + "header X-Stream-Protocol-Version " +
                 (given ? "contains [], but no valid protocols"
                        : "does not exist in request with " + std::to_string(passed_on(request).size()) + " headers"));
  }
  if (offers.empty() && port_forward) return error_answer(500, "invalid upgrade response: status code 200");
  if (offers.empty()) return passed_back(400, unable + "X-Stream-Protocol-Version is required");
  const auto protocol = agreed(offers, Protocols(known.begin(), known.end()));
  if (!protocol) {
    const std::string mistake = unable + "unable to negotiate protocol: client supports " + listed(offers) +
                                ", server accepts " + listed(known);
    // In some releases the refusal is written twice.
    const bool twice = !kubelet.has(KubeletTrait::stream_protocol_missed) && !port_forward;
    return passed_back(403, twice ? mistake + "\n" + mistake : mistake);
  }
  if (!asks_for_spdy(request)) {
    return passed_back(400, unable + "missing upgrade headers in request: " + go_text(passed_on(request)));
  }
  HttpResponse out = switched("SPDY/3.1", stream(*protocol));
  out.headers["x-stream-protocol-version"] = *protocol;
  return out;
}

}  // namespace

StreamOptions StreamOptions::of(std::string_view target) {
  const auto on = [&](const char* name) { return query_parameter(target, name) == "1"; };
  return {on("input"), on("output"), on("error") && !on("tty"), on("tty")};
}

HttpResponse container_stream(const IncomingRequest& request, const StreamOptions& options, const std::string& output,
                              const Release& kubelet) {
  if (!asks_for_upgrade(request)) return error_answer(500, "Upgrade request required");
  if (!asks_for_websocket(request)) {
    const auto stream = [&](const std::string& protocol) {
      // The stream of errors is always there; since v3 a terminal has one for its size.
      const bool sized = options.tty && (protocol == v4 || protocol == "v3.channel.k8s.io");
      const std::size_t streams = 1U + (options.in ? 1U : 0U) + (options.out ? 1U : 0U) + (options.err ? 1U : 0U);
      return std::make_shared<SpdyContainer>(streams + (sized ? 1U : 0U), output,
                                             protocol == v4 ? success(kubelet.has(KubeletTrait::status_metadata)) : "");
    };
    return over_spdy(request, {"v4.channel.k8s.io", "v3.channel.k8s.io", "v2.channel.k8s.io", "channel.k8s.io"},
                     kubelet, false, stream);
  }
  if (auto mistake = websocket::mistake_of(request)) return std::move(*mistake);
  Protocols known = {v4, v4_base64, v1, v1_base64};
  if (kubelet.has(KubeletTrait::websocket_v5)) known.push_back(v5);
  const auto protocol = chosen(request, known);
  if (!protocol) return websocket::refused(403, "");
  // An empty message tells the client that the stream is ready.
  const Codec codec(*protocol);
  std::string frames = codec.frame(options.out ? 1 : options.err ? 2 : 3, "");
  if (options.out) frames += codec.frame(1, output);
  // v5 is spoken by the kubelet itself, older protocols by the container runtime.
  const bool metadata = kubelet.has(KubeletTrait::status_metadata) || *protocol == v5;
  if (*protocol == v4 || *protocol == v4_base64 || *protocol == v5) {
    frames += codec.frame(3, success(metadata));
  }
  frames += websocket::frame(websocket::Opcode::close, normal_closure);
  return upgraded(request, *protocol, std::make_shared<Frames>(std::move(frames)));
}

HttpResponse port_forward_stream(const IncomingRequest& request, const std::vector<std::uint16_t>& ports,
                                 const Release& kubelet) {
  if (!asks_for_upgrade(request)) return error_answer(500, "Upgrade request required");
  if (!asks_for_websocket(request)) {
    return over_spdy(request, {"portforward.k8s.io"}, kubelet, true,
                     [](const std::string&) { return std::make_shared<SpdyPorts>(); });
  }
  if (auto mistake = websocket::mistake_of(request)) return std::move(*mistake);
  const auto protocol = chosen(request, {v4, v4_base64});
  if (!protocol) return websocket::refused(403, "");
  const Codec codec(*protocol);
  std::string frames;
  unsigned channel = 0;
  for (const std::uint16_t port : ports) {
    // Each port has a data and an error channel; both begin with the port, lower byte first.
    const std::string number = {static_cast<char>(port & 0xFFU), static_cast<char>(port >> 8U)};
    for (int i = 0; i < 2; ++i) frames += codec.frame(channel++, number);
  }
  return upgraded(request, *protocol, std::make_shared<Frames>(std::move(frames), codec.opcode()));
}

}  // namespace nodebound::kubelet_api
