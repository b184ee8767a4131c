#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fakes/http/header_reader.h"

namespace nodebound {

/// net/http's answer to a request that it cannot read; it also ends the connection.
struct Objection {
  std::string status;
  std::string body;  ///< empty: the status
};

/// Everything before a request's body, as Go's net/http reads it (readRequest, readTransfer,
/// http1ServerSupportsRequest).
struct RequestHead {
  std::string method;
  std::string target;
  HeaderFields fields;
  bool version_1_0 = false;
  bool chunked = false;
  std::uint64_t length = 0;  ///< of a body that is not in chunks
  bool wants_close = false;
  bool keeps_1_0 = false;  ///< the request is HTTP/1.0, and the client wants to keep the connection
  bool waits_for_continue = false;
  bool expects_else = false;  ///< `Expect` names something that the server cannot do

  [[nodiscard]] bool has_body() const { return chunked || length > 0; }
};

/// Reads the head of one request.
class HeadReader {
 public:
  enum class State { more, done, broken };

  /// `input` begins at the request and contains everything that has come so far.
  State read(std::string_view input);

  [[nodiscard]] std::size_t taken() const { return line_size_ + reader_.taken(); }
  [[nodiscard]] RequestHead& head() { return head_; }
  [[nodiscard]] const Objection& objection() const { return objection_; }

 private:
  [[nodiscard]] std::optional<Objection> line(std::string_view line);
  [[nodiscard]] std::optional<Objection> framing();
  [[nodiscard]] std::optional<Objection> server_side() const;
  void read_wishes();
  State broken(Objection objection);

  std::size_t line_size_ = 0;  ///< 0 until the line has been read
  unsigned major_ = 0;
  unsigned minor_ = 0;
  bool is_preface_ = false;  ///< the line is the beginning of the HTTP/2 preface
  HeaderReader reader_;
  RequestHead head_;
  Objection objection_;
};

}  // namespace nodebound
