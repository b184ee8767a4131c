#include "fakes/spdy/server.h"

namespace nodebound::spdy {
namespace {

constexpr std::size_t most_streams = 1000;
constexpr std::size_t most_unread = 1U << 18U;
constexpr std::size_t syn_stream_head = 10;  ///< two streams, priority and slot

}  // namespace

bool Server::take(std::string& out) {
  const std::lock_guard lock(mutex_);
  out += out_;
  out_.clear();
  return open_;
}

bool Server::full() const {
  const std::lock_guard lock(mutex_);
  return out_.size() > most_unread;
}

void Server::receive(std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  if (!open_) return;
  input_ += bytes;
  while (open_) {
    const auto frame = take_frame(input_);
    if (!frame) break;
    handle(*frame);
  }
  if (input_.size() > longest_frame) open_ = false;
}

void Server::handle(const SpdyFrame& frame) {
  if (frame.type == Type::syn_stream) return accept(frame);
  if (frame.type == Type::ping) {
    out_ += write(frame);
  } else if (frame.type == Type::rst_stream) {
    streams_.erase(frame.stream);
  } else if (frame.type == Type::goaway) {
    open_ = false;
  } else if (frame.type == Type::data && streams_.contains(frame.stream)) {
    received(frame.stream, frame.payload, frame.last);
  }
}

void Server::accept(const SpdyFrame& frame) {
  const std::string_view payload = frame.payload;
  auto headers = payload.size() < syn_stream_head ? std::nullopt : reader_.read(payload.substr(syn_stream_head));
  if (!headers || streams_.size() >= most_streams) return end();
  streams_[frame.stream] = *headers;
  SpdyFrame reply{Type::syn_reply, false, frame.stream, frame.payload.substr(0, 4)};
  reply.payload += writer_.write({});
  out_ += write(reply);
  opened(frame.stream, *headers);
}

void Server::send(std::uint32_t stream, std::string bytes, bool last) {
  out_ += write({Type::data, last, stream, std::move(bytes)});
}

}  // namespace nodebound::spdy
