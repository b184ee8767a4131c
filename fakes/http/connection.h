#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "fakes/http/handler.h"

namespace nodebound {

struct HttpLimits {
  std::uint32_t header_bytes = (1U << 20U) + 4096;  ///< net/http's default
  std::uint64_t body_bytes = 3U << 20U;             ///< kube-apiserver's MaxRequestBodyBytes
};

/// HTTP/1.1 with one client, apart from the transport: received bytes go in, bytes to send come out. It answers bad
/// requests as Go's net/http does. Not thread-safe.
class HttpConnection {
 public:
  enum class State {
    reading,    ///< waits for more bytes
    streaming,  ///< waits for bytes, or for data from `stream`
    closing     ///< closes when everything returned so far has been sent
  };
  /// Which part of a request it is reading, as the time limits depend on it.
  enum class Phase { between, header, body };

  HttpConnection(HttpHandler& handler, std::shared_ptr<const Peer> peer, const HttpLimits& limits = {});
  ~HttpConnection();

  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  /// Bytes from the client; false if more have come than it is willing to keep.
  bool receive(std::string_view bytes);

  /// Makes progress by at most one answer or one piece of a stream. Returns the bytes to send; if they are empty, it
  /// waits for what `state` says.
  std::string advance();

  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] Phase phase() const;
  [[nodiscard]] BodyStream* stream() const { return stream_.get(); }

  /// How long to wait before sending what `advance` returned. Reading it resets it.
  [[nodiscard]] std::chrono::milliseconds take_delay() { return std::exchange(delay_, {}); }
  /// Whether the connection is to be reset when it closes.
  [[nodiscard]] bool resets() const { return resets_; }

  /// Makes the current answer the last; a stream ends where it is.
  void finish();

  /// Sets the value of the `date` header; if it is empty, the header is not sent.
  void set_date(std::string date) { date_ = std::move(date); }

 private:
  struct Exchange;

  [[nodiscard]] bool begins();
  void read(std::string& out);
  void read_head(std::string& out);
  void read_body(std::string& out);
  [[nodiscard]] IncomingRequest incoming(bool with_body) const;
  void answer_early(std::string& out);
  void answer(std::string& out, const HttpResponse& response, bool closes);
  void reject(std::string& out, std::string_view status, std::string_view body);
  void take(std::string& out);
  void reset();
  template <typename Handle>
  static auto guarded(Handle handle) -> decltype(handle());
  [[nodiscard]] HttpResponse handled(const IncomingRequest& request);
  void write_head(std::string& out, const HttpResponse& response);

  HttpHandler& handler_;
  std::shared_ptr<const Peer> peer_;
  HttpLimits limits_;
  std::unique_ptr<Exchange> exchange_;
  std::string input_;
  std::string date_;
  std::shared_ptr<BodyStream> stream_;
  State state_ = State::reading;
  bool is_first_ = true;  ///< the first request of the connection
  bool after_post_ = false;
  bool keep_alive_ = true;
  bool http_1_0_ = false;
  bool chunked_ = false;
  bool upgraded_ = false;  ///< to another protocol: received bytes go to the stream
  bool finishing_ = false;
  std::chrono::milliseconds delay_{0};
  bool resets_ = false;
};

}  // namespace nodebound
