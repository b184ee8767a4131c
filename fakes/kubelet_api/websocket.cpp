#include "fakes/kubelet_api/websocket.h"

#include <cstdint>

namespace nodebound::websocket {
namespace {

constexpr unsigned last_frame = 0x80;
constexpr unsigned masked = 0x80;
constexpr std::size_t mask_size = 4;

unsigned byte(const std::string& text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

/// The number in the `size` bytes at `at`.
std::uint64_t number(const std::string& text, std::size_t at, std::size_t size) {
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
  Frame out{static_cast<Opcode>(byte(input, 0) & 0x0FU), input.substr(at + mask, length)};
  for (std::size_t i = 0; mask > 0 && i < length; ++i) {
    out.payload[i] = static_cast<char>(static_cast<unsigned char>(out.payload[i]) ^ byte(input, at + i % mask_size));
  }
  input.erase(0, at + mask + length);
  return out;
}

}  // namespace nodebound::websocket
