#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fakes/http/handler.h"
#include "fakes/kubelet_api/shapes.h"

namespace nodebound {

/// What an exec or attach asks to have of a container (remotecommand.Options).
struct StreamOptions {
  bool in = false;
  bool out = false;
  bool err = false;

  static StreamOptions of(std::string_view target);
  [[nodiscard]] bool any() const { return in || out || err; }
};

/// The answer to an exec or attach that asks for an upgrade: `output` on standard output, and the status at the end
/// (k8s.io/cri-streaming, remotecommand). What the client sends is not read. SPDY is agreed to, and ended at once.
HttpResponse container_stream(const IncomingRequest& request, const StreamOptions& options, const std::string& output,
                              const KubeletShapes& shapes);

/// The same of a port-forward over WebSocket: what comes for a port goes back.
HttpResponse port_forward_stream(const IncomingRequest& request, const std::vector<std::uint16_t>& ports,
                                 const KubeletShapes& shapes);

}  // namespace nodebound
