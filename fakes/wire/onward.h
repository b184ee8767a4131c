#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fakes/wire/http.h"

namespace nodebound {

/// Where an API server passes a request on to: a kubelet, or the network address of a pod.
struct Onward {
  /// How the request is passed on, and what becomes of the answer.
  enum class Kind {
    log,      ///< a GET; only the body is passed back
    upgrade,  ///< the connection is handed over; without an upgrade there is no answer
    proxy     ///< whatever was asked, and whatever is answered
  };

  Kind kind = Kind::proxy;
  bool tls = true;
  /// It is a kubelet's own port: it is shown the client certificate, and its serving certificate is verified.
  bool kubelet = true;
  bool skip_verification = false;  ///< the client asked for that (insecureSkipTLSVerifyBackend)
  bool global_only = false;        ///< only global unicast addresses are permitted (CVE-2020-8562)
  bool redirects = false;          ///< nothing is asked: if the address is permitted, the own answer is the right one
  /// A Node's addresses with their types, one of which becomes the host.
  std::vector<std::pair<std::string, std::string>> addresses = {};
  std::string host = {};  ///< an IP address, or a name
  std::string port = {};
  std::string target = {};  ///< path and query, percent-encoded
  std::string prefix = {};  ///< of a proxy: the path before the proxied one, which is put before redirects
  std::string name = {};    ///< of the pod, for the words of a refusal

  /// `host:port`, with brackets around an IPv6 address.
  [[nodiscard]] std::string authority() const {
    return (host.find(':') == std::string::npos ? host : "[" + host + "]") + ":" + port;
  }
};

/// Marks an answer that another server should give. The answer itself holds if nobody passes the request on: the stream
/// is empty.
class PassedOn final : public BodyStream {
 public:
  explicit PassedOn(Onward to) : to_(std::move(to)) {}

  [[nodiscard]] const Onward& to() const { return to_; }

  bool take(std::string& /*out*/) override { return false; }
  void on_ready(std::function<void()> /*notify*/) override {}

 private:
  Onward to_;
};

}  // namespace nodebound
