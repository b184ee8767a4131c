#include "harness/simulate/plan/skew_policy.h"

#include <algorithm>

namespace nodebound::simulate {
namespace {

int oldest_kubelet_minor(int server) {
  const int three_back = server - 3;
  return server >= 28 && three_back >= 25 ? three_back : server - 2;
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

std::string VersionSkew::wrong_at(Plan::Time time, const std::vector<Version>& servers) const {
  const auto [oldest, newest] = std::minmax_element(servers.begin(), servers.end());
  if (oldest->minor + 1 < newest->minor) {
    return "API servers behind one address are within one minor of each other, but these would be " + oldest->text() +
           " and " + newest->text();
  }
  for (const Pool& pool : pools_) {
    std::vector<Version> kubelets = {pool.version};
    for (const auto& [version, until] : pool.left) {
      if (time < until) kubelets.push_back(version);
    }
    for (const Version& kubelet : kubelets) {
      std::string wrong = wrong_skew(kubelet, *oldest);
      if (wrong.empty()) wrong = wrong_skew(kubelet, *newest);
      if (!wrong.empty()) return "pool \"" + pool.name + "\": " + wrong;
    }
  }
  return {};
}

std::string VersionSkew::wrong(Plan::Time now) const {
  std::vector<Version> servers = servers_;
  std::string out = wrong_at(now, servers);
  for (std::size_t i = 0; i < to_come_.size() && out.empty(); ++i) {
    servers[to_come_[i].server] = to_come_[i].to;
    const bool last_at_once = i + 1 == to_come_.size() || to_come_[i + 1].at != to_come_[i].at;
    if (last_at_once) out = wrong_at(to_come_[i].at, servers);
  }
  return out;
}

void VersionSkew::go_on(Plan::Time until) {
  const auto due = std::find_if(to_come_.begin(), to_come_.end(), [&](const auto& one) { return one.at > until; });
  std::for_each(to_come_.begin(), due, [&](const Replacement& one) { servers_[one.server] = one.to; });
  to_come_.erase(to_come_.begin(), due);
}

std::string VersionSkew::add_pool(const Plan::Pool& pool) {
  pools_.push_back({pool.name, pool.nodes.size(), pool.kubelet.version, {}});
  return wrong(Plan::Time(0));
}

std::string VersionSkew::carry_out(const Plan::ChangeControlPlane& change, Plan::Time at) {
  go_on(at);
  if (!to_come_.empty()) return "the API servers of the step above are not all replaced yet";
  std::size_t number = 0;
  for (const auto& [server, to] : change.to) {
    std::string wrong = wrong_upgrade(servers_[server], to.version);
    if (!wrong.empty()) return wrong;
    to_come_.push_back({at + change.after(number++), server, to.version});
  }
  go_on(at);
  return wrong(at);
}

std::string VersionSkew::carry_out(const Plan::ChangePool& change, Plan::Time at) {
  go_on(at);
  Pool& pool = pools_[change.pool];
  // A plan does not define which of two overlapping changes a node ends up with.
  if (!pool.left.empty() && at < pool.left.back().second) {
    return "pool \"" + pool.name +
           "\" is still being changed by a step above: expected a time when that is done, or a " +
           "shorter one between its nodes";
  }
  pool.left.emplace_back(pool.version, at + change.after(pool.nodes - 1));
  pool.version = change.to.version;
  return wrong(at);
}

bool keeps_to_policy(const Plan& plan) {
  VersionSkew skew(plan);
  for (const Plan::Pool& pool : plan.pools) {
    if (!skew.add_pool(pool).empty()) return false;
  }
  for (const Plan::Step& step : plan.steps) {
    for (const Plan::Action& action : step.actions) {
      const auto* servers = std::get_if<Plan::ChangeControlPlane>(&action);
      if (servers != nullptr && !skew.carry_out(*servers, step.at).empty()) return false;
      const auto* pool = std::get_if<Plan::ChangePool>(&action);
      if (pool != nullptr && !skew.carry_out(*pool, step.at).empty()) return false;
    }
  }
  return true;
}

}  // namespace nodebound::simulate
