#include "harness/simulate/skew_policy.h"

#include <algorithm>

namespace nodebound {
namespace {

int oldest_kubelet_minor(int server) {
  const int three_back = server - 3;
  return server >= 28 && three_back >= 25 ? three_back : server - 2;
}

bool all_fit(const std::vector<Plan::Kubelet>& kubelets, const Version& server) {
  return std::all_of(kubelets.begin(), kubelets.end(),
                     [&](const Plan::Kubelet& kubelet) { return wrong_skew(kubelet.version, server).empty(); });
}

}  // namespace

std::string wrong_skew(const Version& kubelet, const Version& server) {
  const bool newer = kubelet.minor > server.minor;
  const int oldest = oldest_kubelet_minor(server.minor);
  if (!newer && kubelet.minor >= oldest) return {};
  return "the version skew policy does not allow kubelets " + kubelet.text() + " at a control plane " + server.text() +
         ": " + (newer ? "a kubelet is never newer" : "the oldest is 1." + std::to_string(oldest));
}

std::string wrong_upgrade(const Version& from, const Version& to) {
  const std::string way = "from " + from.text() + " to " + to.text();
  if (to.minor > from.minor + 1) return "a control plane is upgraded minor by minor, but this goes " + way;
  if (to.minor + 1 < from.minor) return "a control plane is downgraded by one minor at most, but this goes " + way;
  return {};
}

bool keeps_to_policy(const Plan& plan) {
  Version server = plan.control_plane.version;
  std::vector<Plan::Kubelet> kubelets;
  kubelets.reserve(plan.pools.size());
  for (const Plan::Pool& pool : plan.pools) kubelets.push_back(pool.kubelet);
  for (const Plan::Step& step : plan.steps) {
    for (const Plan::Action& action : step.actions) {
      if (const auto* change = std::get_if<Plan::ChangeControlPlane>(&action)) {
        if (!wrong_upgrade(server, change->to.version).empty()) return false;
        server = change->to.version;
      } else if (const auto* pool = std::get_if<Plan::ChangePool>(&action)) {
        kubelets[pool->pool] = pool->to;
      }
      if (!all_fit(kubelets, server)) return false;
    }
  }
  return true;
}

}  // namespace nodebound
