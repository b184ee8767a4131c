#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nodebound::websocket {

/// RFC 6455, 5.2
enum class Opcode : unsigned char { continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };

struct Frame {
  Opcode opcode;
  std::string payload;
  bool masked = false;
};

/// The longest frame that a client may send.
inline constexpr std::size_t longest_frame = 1U << 20U;

/// A whole message as a server sends it.
std::string frame(Opcode opcode, std::string_view payload);

/// Removes the first frame from a client's bytes; nothing if the frame is incomplete or too long.
std::optional<Frame> take_frame(std::string& input);

/// Reads what a client sends who has nothing to say but whether it is still there, as on a watch. It keeps no more of
/// it than a control frame, however long a frame is.
class IgnoredFrames {
 public:
  /// The frames that answer these bytes: pongs, and the close that ends the connection.
  std::string receive(std::string_view bytes);

  /// Whether the client has closed the connection or broken the protocol.
  [[nodiscard]] bool closed() const { return closed_; }

 private:
  void end_header(std::string& replies);
  void end_frame(std::string& replies);
  [[nodiscard]] std::size_t header_size() const;

  std::string header_;
  std::string payload_;          ///< the beginning of it
  std::uint64_t remaining_ = 0;  ///< bytes of the payload that have not come
  bool in_payload_ = false;
  bool closed_ = false;
};

}  // namespace nodebound::websocket
