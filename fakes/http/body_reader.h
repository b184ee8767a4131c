#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace nodebound {

/// The body of a request, of a length or in chunks, as Go's net/http reads it. Fields that follow the last chunk are no
/// part of the header: they would say who asks.
class BodyReader {
 public:
  enum class State { more, done, broken };

  BodyReader(bool chunked, std::uint64_t length);

  /// Takes what it can of what `input` begins with; says how much that was.
  std::size_t read(std::string_view input);

  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] std::string& body() { return body_; }
  /// How much has come of it, kept or not.
  [[nodiscard]] std::uint64_t received() const { return received_; }
  /// How much is to come; 0 of a body in chunks.
  [[nodiscard]] std::uint64_t remaining() const { return chunked_ ? 0 : left_; }
  /// From now on, what comes is not kept.
  void discard() { keeps_ = false; }
  /// What is wrong with it, in the words of net/http.
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
  std::uint64_t left_;  ///< of the body, or of its chunk
  State state_;
  Part part_;
  bool keeps_ = true;
  std::uint64_t received_ = 0;
  std::int64_t excess_ = 0;  ///< of bytes that are no data
  std::string body_;
  std::string error_;
};

}  // namespace nodebound
