#include "fakes/websocket/watch_frames.h"

#include <algorithm>

#include "fakes/websocket/handshake.h"

namespace nodebound {
namespace {

constexpr std::size_t most_replies = 1U << 14U;
constexpr std::size_t length_size = 4;
/// Status 1000, a normal closure (RFC 6455, 7.4.1).
constexpr std::string_view closed_normally("\x03\xe8", 2);
constexpr std::string_view token_protocol = "base64url.bearer.authorization.k8s.io.";

/// How many bytes the first event takes of a watch in protobuf, which begins with its length; 0: not all have come.
std::size_t size_of_first(std::string_view text) {
  if (text.size() < length_size) return 0;
  std::size_t size = 0;
  for (std::size_t i = 0; i < length_size; ++i) size = size << 8U | static_cast<unsigned char>(text[i]);
  return text.size() < length_size + size ? 0 : length_size + size;
}

// Go's x/net/websocket parses the header with url.ParseRequestURI: a URL with a scheme, or a path.
bool is_origin(std::string_view origin) {
  return origin.starts_with('/') || (origin.find(':') != std::string_view::npos && !origin.starts_with(':'));
}

}  // namespace

void WatchFrames::frame_events(std::string& out) {
  std::size_t begin = 0;
  if (!protobuf_) {
    // JSON text has no line ends but the one after each event.
    for (std::size_t end = 0; (end = text_.find('\n', begin)) != std::string::npos; begin = end + 1)
      out += websocket::frame(websocket::Opcode::text, std::string_view(text_).substr(begin, end + 1 - begin));
  } else {
    for (std::size_t size = 0; (size = size_of_first(std::string_view(text_).substr(begin))) != 0; begin += size)
      out += websocket::frame(websocket::Opcode::binary,
                              std::string_view(text_).substr(begin + length_size, size - length_size));
  }
  text_.erase(0, begin);
}

bool WatchFrames::take(std::string& out) {
  bool closed = false;
  {
    const std::lock_guard lock(mutex_);
    out += std::exchange(replies_, {});
    closed = ignored_.closed();
  }
  if (closed) return false;
  const bool more = events_->take(text_);
  frame_events(out);
  if (!more && !events_->broken()) out += websocket::frame(websocket::Opcode::close, closed_normally);
  return more;
}

void WatchFrames::on_ready(std::function<void()> notify) {
  {
    const std::lock_guard lock(mutex_);
    notify_ = notify;
  }
  events_->on_ready(std::move(notify));
}

void WatchFrames::receive(std::string_view bytes) {
  std::function<void()> notify;
  {
    const std::lock_guard lock(mutex_);
    replies_ += ignored_.receive(bytes);
    if (!replies_.empty() || ignored_.closed()) notify = notify_;
  }
  if (notify) notify();
}

bool WatchFrames::full() const {
  const std::lock_guard lock(mutex_);
  return replies_.size() > most_replies;
}

HttpResponse watch_over_websocket(const IncomingRequest& request, HttpResponse watch) {
  if (auto mistake = websocket::mistake_of(request)) return std::move(*mistake);
  // Browsers say where a script comes from; without that word the handshake is refused.
  if (!is_origin(request.header("origin"))) return websocket::refused(403, "");
  auto protocols = websocket::offered(request, "sec-websocket-protocol");
  // Authentication has taken the token out (protocol.go in apiserver's pkg/authentication/request/websocket).
  std::erase_if(protocols, [](const std::string& one) { return one.starts_with(token_protocol); });
  if (protocols.size() > 1) return websocket::refused(400, "");
  const bool protobuf = watch.content_type.starts_with("application/vnd.kubernetes.protobuf");
  HttpResponse out = switched("websocket", std::make_shared<WatchFrames>(std::move(watch.stream), protobuf));
  out.headers["sec-websocket-accept"] = websocket::accept_of(request.header("sec-websocket-key"));
  if (!protocols.empty()) out.headers["sec-websocket-protocol"] = protocols.front();
  out.annotations = std::move(watch.annotations);
  if (const auto rule = watch.headers.find("x-nodebound-rule"); rule != watch.headers.end()) out.headers.insert(*rule);
  return out;
}

}  // namespace nodebound
