#include "harness/endpoint/transport/break.h"

#include "harness/endpoint/signals.h"
#include "harness/endpoint/transport/answer_bounds.h"

namespace nodebound {
namespace {

Error::Connection connection_after(Break why) {
  switch (why) {
    case Break::unknown_host:
    case Break::refused:
    case Break::not_in_time:
      return Error::Connection::not_made;
    case Break::host_name:
    case Break::certificate:
    case Break::other_certificate:
      return Error::Connection::not_trusted;
    case Break::client_certificate:
      return Error::Connection::certificate_wanted;
    case Break::closed:
    case Break::none:
      return Error::Connection::closed;
    default:
      return Error::Connection::other;
  }
}

}  // namespace

Error error_of(const BrokenExchange& exchange) {
  const auto error = [&](std::string what, std::string hint = {}) {
    return Error{Error::Kind::unreachable, exchange.where, std::move(what), std::move(hint),
                 connection_after(exchange.why)};
  };
  const auto seconds = [](std::chrono::milliseconds time) {
    return time.count() % 1000 == 0 ? std::to_string(time.count() / 1000) + " s" : std::to_string(time.count()) + " ms";
  };
  const auto bytes = [](std::size_t number) { return std::to_string(number / 1024) + " KiB"; };
  switch (exchange.why) {
    case Break::unknown_host:
    case Break::refused:
      return error("no connection: it was refused, or the host is not known", "check the address, and that it listens");
    case Break::not_in_time:
      return error("no connection within " + seconds(exchange.limits.connect),
                   "check the address and what lies between");
    case Break::handshake:
      return error("the TLS handshake failed", "check that this port speaks HTTPS, in TLS 1.2 or newer");
    case Break::host_name:
      return error("the server's certificate is not for this host name",
                   "give the name it has: tls-server-name in the kubeconfig");
    case Break::certificate:
      return error("the server's certificate is not to be believed: " + exchange.certificate_problem,
                   "check certificate-authority-data in the kubeconfig");
    case Break::other_certificate:
      return error("the server's certificate is not the one that is pinned: its fingerprint is " +
                   exchange.certificate_problem);
    case Break::client_certificate:
      return error("the server ended the TLS handshake: it wants a client certificate that it believes");
    case Break::deadline:
      return error("no answer within " + seconds(exchange.limits.answer) +
                       (exchange.answer_began ? ": its body has no end" : ""),
                   "--request-timeout gives it longer");
    case Break::signal:
      return error("not waited for: " + interruption());
    case Break::long_line:
      return error("a line of the answer's head is longer than " + bytes(most_line_bytes));
    case Break::long_head:
      return error("the answer's headers are longer than " + bytes(most_head_bytes));
    case Break::long_body:
      return error("the answer is longer than the " + bytes(exchange.most_body) + " that it may have",
                   "--list-limit lets lists be longer");
    case Break::long_frame:
      return error("what is around the answer's body, like the sizes of chunks, is longer than the " +
                   bytes(most_frame_bytes) + " that it may be");
    case Break::interim:
      return error("interim answers (1xx) in the place of a final one");
    case Break::not_http:
      return error("the answer is not HTTP/1.1", "check that this is the port of an API server");
    case Break::closed:
    case Break::none:
      break;
  }
  return error("the connection was closed before the answer was complete");
}

}  // namespace nodebound
