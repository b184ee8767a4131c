#include "harness/draft/upgrade_steps.h"

#include <algorithm>

#include "harness/simulate/plan/skew_policy.h"

namespace nodebound::draft {
namespace {

// The first releases of the minors after `from`, up to `to`; the last is `to` itself.
std::vector<Version> minors_between(const Catalogue& catalogue, const Version& from, const Version& to) {
  const std::vector<Version> points = catalogue.turning_points();
  std::vector<Version> out;
  for (auto version = std::upper_bound(points.begin(), points.end(), from);
       version != std::lower_bound(points.begin(), points.end(), to); ++version) {
    if (version->short_text() == version->minor_text() && !version->same_minor(to)) out.push_back(*version);
  }
  out.push_back(to);
  return out;
}

}  // namespace

Result<std::vector<UpgradeStep>> upgrade_steps(const Catalogue& catalogue, const std::vector<CountedPool>& pools,
                                               const Version& from, const Version& to) {
  if (std::max(from, to) == from) {
    return input_error("--to",
                       "the cluster has " + from.text() + " already, and " + to.text() + " is no later release");
  }
  std::vector<Version> kubelets;
  for (const CountedPool& pool : pools) {
    if (const std::string wrong = simulate::wrong_skew(pool.kubelet, from); !wrong.empty()) {
      return input_error("pool " + pool.name, wrong, "bring the pool within the version skew policy first");
    }
    kubelets.push_back(pool.kubelet);
  }
  std::vector<UpgradeStep> out;
  Version servers = from;
  for (const Version& next : minors_between(catalogue, from, to)) {
    for (std::size_t i = 0; i < pools.size(); ++i) {
      if (simulate::wrong_skew(kubelets[i], next).empty()) continue;
      out.push_back({pools[i].name, servers});
      kubelets[i] = servers;
    }
    out.push_back({"", next});
    servers = next;
    for (std::size_t i = 0; i < pools.size(); ++i) {
      if (kubelets[i] == next) continue;
      out.push_back({pools[i].name, next});
      kubelets[i] = next;
    }
  }
  return out;
}

}  // namespace nodebound::draft
