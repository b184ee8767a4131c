#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fakes/http/handler.h"
#include "reference/release/release.h"

namespace nodebound::kubelet_api {

/// The options of an exec or attach (remotecommand.Options).
struct StreamOptions {
  bool in = false;
  bool out = false;
  bool err = false;
  bool tty = false;

  static StreamOptions of(std::string_view target);
  [[nodiscard]] bool any() const { return in || out || err; }
};

/// The answer to an exec or attach that asks for an upgrade: sends `output` on standard output, then the status
/// (k8s.io/cri-streaming, remotecommand). It does not read what the client sends.
HttpResponse container_stream(const IncomingRequest& request, const StreamOptions& options, const std::string& output,
                              const Release& kubelet);

/// The same for a port-forward: it returns what it receives for a port.
HttpResponse port_forward_stream(const IncomingRequest& request, const std::vector<std::uint16_t>& ports,
                                 const Release& kubelet);

}  // namespace nodebound::kubelet_api
