#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <tl/expected.hpp>

#include "fakes/http/handler.h"
#include "fakes/wire/onward.h"
#include "reference/result.h"

namespace nodebound::proxy {

/// Connections to the servers that requests are passed on to. One thread moves the bytes of all of them; no more are
/// kept for either side than it is about to read. Thread-safe.
class Backends {
 public:
  struct Options {
    std::string certificate_pem;  ///< shown to kubelets; empty: none is
    std::string key_pem;
    std::string kubelet_ca_pem;              ///< empty: the serving certificates of kubelets are not verified
    std::chrono::milliseconds time{30'000};  ///< for an answer to begin, from the start of the connection
    std::size_t head_bytes = 1U << 20U;      ///< the longest header of an answer
    std::size_t waiting_bytes = 1U << 18U;   ///< bytes of each direction that wait for the other side to read
  };

  /// Why there is no answer, in the words of Go's net and net/http.
  struct Failure {
    bool dialing = false;  ///< there was no connection
    std::string what;
  };

  struct Answer {
    int status = 0;
    HeaderFields headers;
    std::shared_ptr<BodyStream> body;  ///< after 101 Switching Protocols, all bytes of the other side
  };

  static Result<std::unique_ptr<Backends>> make(Options options);
  ~Backends();

  Backends(const Backends&) = delete;
  Backends& operator=(const Backends&) = delete;

  /// Sends a request, whose bytes are `head` and `body`, and waits until the answer begins. `is_head` is for a method
  /// whose answers have no body.
  tl::expected<Answer, Failure> ask(const Onward& to, const std::string& bytes, bool is_head);

 private:
  class Loop;
  explicit Backends(std::unique_ptr<Loop> loop);
  std::unique_ptr<Loop> loop_;
};

}  // namespace nodebound::proxy
