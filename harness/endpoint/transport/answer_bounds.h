#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "harness/endpoint/https_client.h"

namespace nodebound {

/// How long a line before the body may be: the HTTP library matches it against regular expressions that call
/// themselves.
inline constexpr std::size_t most_line_bytes = 8 * 1024;
/// How long all may be that comes before the body: status and headers, those of interim answers, too.
inline constexpr std::size_t most_head_bytes = 64 * 1024;
/// How long all may be that is around the body's bytes, like the sizes of chunks and trailers, beyond several bytes for
/// each of them.
inline constexpr std::size_t most_frame_bytes = 256 * 1024;
/// How many interim answers (1xx) may come before the final one. Go's client takes five.
inline constexpr std::size_t most_interim_answers = 5;

/// How long the body of an answer may be, by what was asked.
std::size_t most_body_bytes(const HttpRequest& request, const RequestLimits& limits);
/// The same where only lines of it are kept.
inline constexpr std::size_t most_streamed_bytes = std::size_t{256} * 1024 * 1024;

/// What is too much of `body`, should it be JSON: the levels of lists and objects in each other, or its values, each of
/// which takes many times the memory of its text.
std::optional<std::string> json_excess(std::string_view body, std::size_t most_values);
/// How many values JSON of at most so many bytes may hold.
std::size_t most_values_in(std::size_t bytes);

/// The body of an answer as it arrives.
class ArrivingBody {
 public:
  /// Keeps all up to `most` bytes or, where `prefix` is not empty, of any number the lines that begin with it.
  ArrivingBody(std::size_t most, std::string_view prefix) : most_(most), prefix_(prefix) {}

  /// False once it is too long.
  bool take(std::string_view part);
  /// Announced by Content-Length; false if that is too long.
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
  bool dropped_ = false;  ///< this line does not begin so, or is too long
};

}  // namespace nodebound
