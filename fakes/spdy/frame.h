#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace nodebound::spdy {

/// SPDY/3.1, sections 2.2 and 2.6
enum class Type : std::uint16_t { data = 0, syn_stream = 1, syn_reply = 2, rst_stream = 3, ping = 6, goaway = 7 };

struct SpdyFrame {
  Type type = Type::data;  ///< may have another value: types that are not listed are ignored
  bool last = false;       ///< the sender sends no more on this stream
  std::uint32_t stream = 0;
  std::string payload;  ///< of a control frame, all behind the first eight bytes
};

/// The longest frame that a client may send.
inline constexpr std::size_t longest_frame = 1U << 20U;

std::string write(const SpdyFrame& frame);

/// Removes the first frame from a client's bytes; nothing if the frame is incomplete or too long.
std::optional<SpdyFrame> take_frame(std::string& input);

using Headers = std::map<std::string, std::string>;

/// The headers of one direction of a connection: a compressed stream, which every block continues.
class HeaderInflater {
 public:
  HeaderInflater();
  ~HeaderInflater();
  HeaderInflater(const HeaderInflater&) = delete;
  HeaderInflater& operator=(const HeaderInflater&) = delete;

  /// Nothing if the block cannot be read, or is longer than any that a client of Kubernetes sends.
  std::optional<Headers> read(std::string_view block);

 private:
  struct Inflation;
  std::unique_ptr<Inflation> inflation_;
};

class HeaderDeflater {
 public:
  HeaderDeflater();
  ~HeaderDeflater();
  HeaderDeflater(const HeaderDeflater&) = delete;
  HeaderDeflater& operator=(const HeaderDeflater&) = delete;

  std::string write(const Headers& headers);

 private:
  struct Deflation;
  std::unique_ptr<Deflation> deflation_;
};

}  // namespace nodebound::spdy
