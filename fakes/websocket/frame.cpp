#include "fakes/websocket/frame.h"

#include <algorithm>

namespace nodebound::websocket {
namespace {

constexpr unsigned last_frame = 0x80;
constexpr unsigned masked = 0x80;
constexpr std::size_t mask_size = 4;
constexpr std::size_t longest_control_payload = 125;
/// Status 1002, a violation of the protocol (RFC 6455, 7.4.1).
constexpr std::string_view protocol_error("\x03\xea", 2);

unsigned byte(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

/// The number in the `size` bytes at `at`.
std::uint64_t number(std::string_view text, std::size_t at, std::size_t size) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < size; ++i) out = out << 8U | byte(text, at + i);
  return out;
}

}  // namespace

std::string frame(Opcode opcode, std::string_view payload) {
  std::string out(1, static_cast<char>(last_frame | static_cast<unsigned>(opcode)));
  std::size_t bytes = 0;
  if (payload.size() < 126) {
    out += static_cast<char>(payload.size());
  } else {
    bytes = payload.size() < 65536 ? 2 : 8;
    out += static_cast<char>(bytes == 2 ? 126 : 127);
  }
  for (; bytes > 0; --bytes) out += static_cast<char>(payload.size() >> (8 * (bytes - 1)) & 0xFFU);
  return out.append(payload);
}

std::optional<Frame> take_frame(std::string& input) {
  if (input.size() < 2) return std::nullopt;
  std::size_t at = 2;
  std::uint64_t length = byte(input, 1) & 0x7FU;
  const std::size_t more = length == 126 ? 2 : length == 127 ? 8 : 0;
  if (input.size() < at + more) return std::nullopt;
  if (more > 0) length = number(input, at, more);
  at += more;
  const std::size_t mask = (byte(input, 1) & masked) != 0 ? mask_size : 0;
  if (length > longest_frame || input.size() < at + mask + length) return std::nullopt;
  Frame out{static_cast<Opcode>(byte(input, 0) & 0x0FU), input.substr(at + mask, length), mask > 0};
  for (std::size_t i = 0; mask > 0 && i < length; ++i) {
    out.payload[i] = static_cast<char>(static_cast<unsigned char>(out.payload[i]) ^ byte(input, at + i % mask_size));
  }
  input.erase(0, at + mask + length);
  return out;
}

std::size_t IgnoredFrames::header_size() const {
  if (header_.size() < 2) return 2;
  const unsigned length = byte(header_, 1) & 0x7FU;
  return 2 + (length == 126 ? 2U : length == 127 ? 8U : 0U) + ((byte(header_, 1) & masked) != 0 ? mask_size : 0U);
}

void IgnoredFrames::end_header(std::string& replies) {
  const unsigned length = byte(header_, 1) & 0x7FU;
  const bool has_mask = (byte(header_, 1) & masked) != 0;
  remaining_ = length == 126 ? number(header_, 2, 2) : length == 127 ? number(header_, 2, 8) : length;
  remaining_ &= ~(std::uint64_t{1} << 63U);
  // A client masks what it sends.
  if (!has_mask) {
    replies += frame(Opcode::close, protocol_error);
    closed_ = true;
    return;
  }
  in_payload_ = true;
}

void IgnoredFrames::end_frame(std::string& replies) {
  const auto opcode = static_cast<Opcode>(byte(header_, 0) & 0x0FU);
  if (opcode == Opcode::close) closed_ = true;
  if (opcode == Opcode::ping) {
    const std::string_view mask = std::string_view(header_).substr(header_.size() - mask_size);
    for (std::size_t i = 0; i < payload_.size(); ++i) {
      payload_[i] = static_cast<char>(static_cast<unsigned char>(payload_[i]) ^ byte(mask, i % mask_size));
    }
    replies += frame(Opcode::pong, payload_);
  }
  header_.clear();
  payload_.clear();
  in_payload_ = false;
}

std::string IgnoredFrames::receive(std::string_view bytes) {
  std::string replies;
  while (!closed_) {
    if (!in_payload_) {
      if (bytes.empty()) break;
      header_ += bytes.front();
      bytes.remove_prefix(1);
      if (header_.size() >= 2 && header_.size() == header_size()) end_header(replies);
    }
    if (!in_payload_ || closed_) continue;
    const std::size_t size = static_cast<std::size_t>(std::min<std::uint64_t>(remaining_, bytes.size()));
    payload_.append(bytes.substr(0, std::min(size, longest_control_payload - payload_.size())));
    bytes.remove_prefix(size);
    remaining_ -= size;
    if (remaining_ > 0) break;
    end_frame(replies);
  }
  return replies;
}

}  // namespace nodebound::websocket
