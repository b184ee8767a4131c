#include "harness/simulate/control_plane/simulated_control_plane.h"

#include <utility>

namespace nodebound::simulate {

SimulatedControlPlane::SimulatedControlPlane(const Plan& plan, PlannedServers& servers, EventQueue& events,
                                             RefusalLedger& ledger, VersionLog& versions, Callbacks callbacks)
    : plan_(plan),
      servers_(servers),
      events_(events),
      ledger_(ledger),
      versions_(versions),
      all_servers_restart_(std::move(callbacks.all_servers_restart)),
      balancer_(servers, events.clock(), plan.seed),
      administrator_(balancer_),
      certificates_(administrator_, events, std::move(callbacks.judged), std::move(callbacks.certificate_signed)),
      bootstrap_tokens_(administrator_, events.clock()),
      daemon_sets_(plan, balancer_),
      pod_placement_(plan, balancer_, administrator_, daemon_sets_) {}

Result<void> SimulatedControlPlane::start() {
  for (std::size_t i = 0; i < plan_.servers; ++i) {
    if (Result<void> started = balancer_.start(i, plan_.control_plane); !started) return started;
  }
  ledger_.servers_are(balancer_.kinds(), events_.clock().since_begin());
  versions_.note("", plan_.control_plane.version, plan_.servers);
  administrator_.make_namespace("kube-system");
  administrator_.make_namespace(workload_namespace);
  for (const Plan::DaemonSet& set : plan_.daemon_sets) administrator_.make_namespace(set.namespace_);
  certificates_.change(plan_.certificates);
  for (const Plan::BootstrapToken& token : plan_.bootstrap_tokens) {
    if (Result<void> made = bootstrap_tokens_.make(token, plan_.file); !made) return made;
  }
  for (const Object& object : plan_.objects) {
    if (Result<void> made = administrator_.apply(object, plan_.file); !made) return made;
  }
  return {};
}

Result<void> SimulatedControlPlane::change(const Plan::ChangeControlPlane& change) {
  std::map<Plan::Time, Servers> batches;
  std::size_t number = 0;
  for (const auto& [server, to] : change.to) batches[change.after(number++)].emplace(server, to);
  for (const auto& [after, batch] : batches) {
    if (after == Plan::Time(0)) {
      if (Result<void> done = replace(batch); !done) return done;
      continue;
    }
    events_.add(events_.clock().now + after, [this, batch = batch] { return replace(batch); });
  }
  return {};
}

Result<void> SimulatedControlPlane::replace(const Servers& servers) {
  // With several servers, only watches at the replaced ones end, which the servers handle themselves.
  if (servers.size() == balancer_.size()) all_servers_restart_();
  const std::map<Version, std::size_t> before = balancer_.members();
  for (const auto& [number, to] : servers) {
    if (Result<void> started = balancer_.start(number, to); !started) return started;
  }
  ledger_.servers_are(balancer_.kinds(), events_.clock().since_begin());
  note_versions(before);
  return {};
}

void SimulatedControlPlane::note_versions(const std::map<Version, std::size_t>& before) {
  std::map<Version, std::size_t> now = balancer_.members();
  for (const auto& [version, members] : before) now.try_emplace(version, 0);
  for (const auto& [version, members] : now) {
    const auto same = before.find(version);
    if (same != before.end() && same->second == members) continue;
    versions_.note("", version, members);
  }
}

}  // namespace nodebound::simulate
