#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace nodebound {

/// The body of a request, with a length or in chunks, as Go's net/http reads it. Trailer fields are not added to the
/// header: they could change who asks.
class BodyReader {
 public:
  enum class State { more, done, broken };

  BodyReader(bool chunked, std::uint64_t length);

  /// Reads as much as it can from the beginning of `input`; returns how much that was.
  std::size_t read(std::string_view input);

  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] std::string& body() { return body_; }
  /// How many bytes of the body have come, kept or not.
  [[nodiscard]] std::uint64_t received() const { return received_; }
  /// How many bytes are still to come; 0 for a body in chunks.
  [[nodiscard]] std::uint64_t remaining() const { return chunked_ ? 0 : left_; }
  /// Drops everything that comes from now on.
  void discard() { keeps_ = false; }
  /// What is wrong with the body, in the words of net/http.
  [[nodiscard]] const std::string& error() const { return error_; }

 private:
  enum class Part { size, data, data_end, trailer };

  std::size_t read_data(std::string_view input);
  std::size_t read_size(std::string_view input);
  std::size_t read_data_end(std::string_view input);
  std::size_t read_trailer(std::string_view input);
  std::size_t broken(std::string error);
  [[nodiscard]] std::string begin_chunk(std::string_view line);

  bool chunked_;
  std::uint64_t left_;  ///< bytes left of the body, or of the current chunk
  State state_;
  Part part_;
  bool keeps_ = true;
  std::uint64_t received_ = 0;
  std::int64_t excess_ = 0;  ///< bytes that are not data
  std::string body_;
  std::string error_;
};

}  // namespace nodebound
