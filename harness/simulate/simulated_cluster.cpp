#include "harness/simulate/simulated_cluster.h"

#include <algorithm>

namespace nodebound::simulate {
namespace {

// How long before the plan begins kubelets start.
constexpr std::chrono::minutes warm_up{15};
constexpr std::chrono::minutes between_ticks{1};
constexpr std::chrono::minutes between_placements{5};
constexpr std::size_t events_between_tellings = 512;

}  // namespace

SimulatedCluster::SimulatedCluster(const Plan& plan, PlannedServers& servers, SimulatedClock& clock,
                                   const Catalogue& catalogue)
    : clock_(clock),
      events_(clock),
      versions_(clock),
      control_plane_(plan, servers, events_, ledger_, versions_,
                     {[this] { fleet_.all_servers_restart(); },
                      [this](const std::string& node, const HttpRequest& asked, const HttpResponse& answer) {
                        fleet_.certificate_judged(node, asked, answer);
                      },
                      [this](const std::string& node, const fake_kubelet::CertificateTime& time) {
                        fleet_.certificate_signed(node, time);
                      }}),
      fleet_(plan, control_plane_, events_, ledger_, versions_),
      agents_(plan, control_plane_, fleet_, events_, ledger_, catalogue),
      health_check_(fleet_, control_plane_, clock),
      losses_(plan, fleet_, health_check_, control_plane_.daemon_sets(), ledger_, clock) {}

Result<void> SimulatedCluster::begin() {
  clock_.now = clock_.begin - warm_up;
  if (Result<void> started = control_plane_.start(); !started) return started;
  fleet_.start();
  agents_.start();
  events_.repeat(clock_.now + between_ticks, between_ticks, [this]() -> Result<void> {
    control_plane_.tick();
    return {};
  });
  events_.repeat(clock_.now + between_placements, between_placements, [this]() -> Result<void> {
    control_plane_.pod_placement().place();
    losses_.look();
    return {};
  });
  return {};
}

Result<void> SimulatedCluster::run_until(Plan::Time end) {
  const fake_kubelet::KubeletTime until = clock_.begin + end;
  for (std::size_t count = 1;; ++count) {
    if (tell_progress_ && count % events_between_tellings == 0) tell_progress_(clock_.since_begin());
    const fake_kubelet::KubeletTime event = events_.next();
    const fake_kubelet::KubeletTime kubelet = fleet_.next();
    if (std::min(event, kubelet) > until) break;
    if (event <= kubelet) {
      if (Result<void> done = events_.run_next(); !done) return done;
    } else {
      clock_.advance_to(kubelet);
      fleet_.act();
    }
  }
  clock_.advance_to(until);
  return {};
}

Result<void> SimulatedCluster::carry_out(const Plan::Step& step) {
  for (const Plan::Action& action : step.actions) {
    if (Result<void> done = carry_out(action, step.where); !done) return done;
  }
  return {};
}

Result<void> SimulatedCluster::carry_out(const Plan::Action& action, const std::string& where) {
  if (const auto* servers = std::get_if<Plan::ChangeControlPlane>(&action)) {
    return control_plane_.change(*servers);
  } else if (const auto* pool = std::get_if<Plan::ChangePool>(&action)) {
    fleet_.change(*pool);
  } else if (const auto* apply = std::get_if<Plan::Apply>(&action)) {
    return control_plane_.administrator().apply(apply->object, where);
  } else if (const auto* gone = std::get_if<Plan::Delete>(&action)) {
    return control_plane_.administrator().remove(gone->object, where);
  } else if (const auto* labels = std::get_if<Plan::LabelNodes>(&action)) {
    fleet_.label(*labels);
  } else if (const auto* set = std::get_if<Plan::ChangeDaemonSet>(&action)) {
    control_plane_.daemon_sets().select(set->daemon_set, set->node_selector);
  } else if (const auto* token = std::get_if<Plan::BootstrapToken>(&action)) {
    return control_plane_.bootstrap_tokens().make(*token, where);
  } else if (const auto* certificates = std::get_if<Plan::Certificates>(&action)) {
    control_plane_.certificates().change(*certificates);
  }
  return {};
}

Simulation::Health SimulatedCluster::end_step(std::size_t step) {
  const ClusterHealth health = health_check_.check();
  losses_.note_end_of(step, health);
  return health.summary;
}

}  // namespace nodebound::simulate
