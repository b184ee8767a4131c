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

/// HTTP/1.1 as one client speaks it, apart from what carries the bytes: what has come goes in, what is to be sent comes
/// out. What it cannot read it answers as Go's net/http does. Not thread-safe.
class HttpConnection {
 public:
  enum class State {
    reading,    ///< goes on when more has come
    streaming,  ///< goes on when `stream` has something, too
    closing     ///< whatever has been sent is all
  };
  /// Where in a request it is: what a client may take its time for.
  enum class Phase { between, header, body };

  HttpConnection(HttpHandler& handler, std::shared_ptr<const Peer> peer, const HttpLimits& limits = {});
  ~HttpConnection();

  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  /// Bytes of the client; false if more has come than it is willing to keep.
  bool receive(std::string_view bytes);

  /// Goes on with what has come, for one answer or a piece of one at most. Returns what is to be sent; with nothing to
  /// send it waits, as `state` says.
  std::string advance();

  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] Phase phase() const;
  [[nodiscard]] BodyStream* stream() const { return stream_.get(); }

  /// How long to wait before what `advance` returned is sent; asked for once.
  [[nodiscard]] std::chrono::milliseconds take_delay() { return std::exchange(delay_, {}); }
  /// Whether the connection, once it is closing, is to be reset.
  [[nodiscard]] bool resets() const { return resets_; }

  /// The answer under way is the last: a stream ends where it is.
  void finish();

  /// What ends the header `date`; none is sent where it is empty.
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
  bool is_first_ = true;  ///< of the connection's requests
  bool after_post_ = false;
  bool keep_alive_ = true;
  bool http_1_0_ = false;
  bool chunked_ = false;
  bool upgraded_ = false;  ///< to another protocol: what comes is for the stream
  bool finishing_ = false;
  std::chrono::milliseconds delay_{0};
  bool resets_ = false;
};

}  // namespace nodebound
