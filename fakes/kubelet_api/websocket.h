#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace nodebound::websocket {

/// RFC 6455, 5.2
enum class Opcode : unsigned char { continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };

struct Frame {
  Opcode opcode;
  std::string payload;
};

/// The longest frame that a client may send.
inline constexpr std::size_t longest_frame = 1U << 20U;

/// A whole message as a server sends it.
std::string frame(Opcode opcode, std::string_view payload);

/// Removes the first frame from a client's bytes; nothing if the frame is incomplete or too long.
std::optional<Frame> take_frame(std::string& input);

}  // namespace nodebound::websocket
