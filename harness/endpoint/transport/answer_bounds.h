#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "harness/endpoint/https_client.h"

namespace nodebound {

/// The longest line before the body. The HTTP library matches it with recursive regular expressions.
inline constexpr std::size_t most_line_bytes = 8 * 1024;
/// The most bytes before the body: status and headers, including those of interim answers.
inline constexpr std::size_t most_head_bytes = 64 * 1024;
/// The most bytes of framing around the body, such as chunk sizes and trailers, beyond a few bytes for each byte of the
/// body.
inline constexpr std::size_t most_frame_bytes = 256 * 1024;
/// The most interim answers (1xx) before the final one. Go's client accepts five.
inline constexpr std::size_t most_interim_answers = 5;

/// The longest body of an answer, by what was asked.
std::size_t most_body_bytes(const HttpRequest& request, const RequestLimits& limits);
/// The same if only some lines of the body are kept.
inline constexpr std::size_t most_streamed_bytes = std::size_t{256} * 1024 * 1024;

/// What exceeds the limits of JSON in `body`: its nesting depth, or its number of values, each of which takes many
/// times the memory of its text.
std::optional<std::string> json_excess(std::string_view body, std::size_t most_values);
/// The most values that JSON of this many bytes may hold.
std::size_t most_values_in(std::size_t bytes);

/// The body of an answer while it arrives.
class ArrivingBody {
 public:
  /// A body of up to `most` bytes. Keeps all of it or, if `prefix` is not empty, only the lines that begin with it.
  ArrivingBody(std::size_t most, std::string_view prefix) : most_(most), prefix_(prefix) {}

  /// False once the body, or what is kept of its lines, is too long.
  bool take(std::string_view part);
  /// The length that Content-Length announces; false if it is too long.
  bool announce(std::size_t bytes);
  [[nodiscard]] std::size_t most() const { return most_; }
  [[nodiscard]] std::size_t arrived() const { return arrived_; }
  std::string whole();

 private:
  void take_lines(std::string_view part);
  void end_line();

  std::size_t most_;
  std::string prefix_;
  std::size_t arrived_ = 0;
  std::string kept_;
  std::string line_;
  bool dropped_ = false;  ///< this line lacks the prefix, or is too long
};

}  // namespace nodebound
