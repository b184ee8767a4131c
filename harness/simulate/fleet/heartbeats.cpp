#include "harness/simulate/fleet/heartbeats.h"

namespace nodebound::simulate {

bool is_heartbeat(const HttpRequest& request, const HttpResponse& response) {
  if (response.status < 200 || response.status >= 300 || request.method == "GET") return false;
  const bool is_status = request.target.ends_with("/status") && request.target.starts_with("/api/v1/nodes/");
  const bool is_lease = request.target.find("/namespaces/kube-node-lease/leases") != std::string::npos;
  const bool is_node = request.method == "POST" && request.target == "/api/v1/nodes";
  return is_status || is_lease || is_node;
}

}  // namespace nodebound::simulate
