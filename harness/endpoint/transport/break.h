#pragma once

#include <string>

#include "harness/endpoint/https_client.h"
#include "reference/result.h"

namespace nodebound {

/// Why an exchange ended without a whole answer.
enum class Break {
  none,
  unknown_host,
  refused,
  not_in_time,  ///< no connection
  handshake,
  certificate,
  host_name,
  other_certificate,   ///< another one than the pinned certificate
  client_certificate,  ///< the server wants one, or another one
  closed,
  not_http,
  deadline,
  signal,
  long_line,
  long_head,
  long_body,
  long_frame,
  interim,  ///< an interim answer (1xx) instead of the final one
};

struct BrokenExchange {
  Break why;
  std::string where;  ///< method and URL
  RequestLimits limits;
  std::size_t most_body;  ///< bytes that its answer may have
  bool answer_began;
  std::string certificate_problem;  ///< or the fingerprint of the certificate that is not pinned
};

/// What it means for the caller, and what to do.
Error error_of(const BrokenExchange& exchange);

}  // namespace nodebound
