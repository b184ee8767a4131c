#include "harness/simulate/fleet/simulated_fleet.h"

#include <utility>

namespace nodebound::simulate {
namespace {

constexpr std::chrono::seconds start_within{60};

// API servers whose watches do not stay open are asked for lists instead, which are sampled like heartbeats.
constexpr std::chrono::minutes lists_apart{1};

// How long after its last valid certificate a kubelet exits and is restarted (pkg/kubelet/certificate/transport.go,
// exitAfter in cmd/kubelet/app/server.go).
constexpr std::chrono::minutes exits_after{5};

}  // namespace

SimulatedFleet::SimulatedFleet(const Plan& plan, SimulatedControlPlane& control_plane, EventQueue& events,
                               RefusalLedger& ledger, VersionLog& versions)
    : plan_(plan),
      control_plane_(control_plane),
      events_(events),
      clock_(events.clock()),
      ledger_(ledger),
      nodes_(plan.pools.size()),
      connections_(plan, control_plane, nodes_, ledger, clock_),
      versions_(plan, versions),
      workload_(control_plane.administrator()) {}

void SimulatedFleet::start() {
  for (std::size_t pool = 0; pool < plan_.pools.size(); ++pool) start_pool(pool);
}

void SimulatedFleet::start_pool(std::size_t pool) {
  const Plan::Pool& planned = plan_.pools[pool];
  workload_.create_volumes(planned);
  const std::size_t most = most_nodes_of_a_pool(plan_.pools.size());
  for (const Representative& one : representatives_of(planned, plan_.objects, most)) start_node(pool, one);
  versions_.start(pool);
}

void SimulatedFleet::start_node(std::size_t pool, const Representative& representative) {
  const Plan::Pool& planned = plan_.pools[pool];
  const auto later = std::chrono::milliseconds(start_within) * static_cast<std::int64_t>(representative.number) /
                     static_cast<std::int64_t>(planned.nodes.size());
  SimulatedNode node;
  node.name = planned.nodes[representative.number];
  node.number = representative.number;
  node.weight = representative.weight;
  node.kubelet = planned.kubelet;
  node.client = add_client(pool, node);
  node.heartbeats = Heartbeats(clock_.since_begin());
  node.kubelet_number = kubelets_.add(identity_of(node), connections_.line_of(node), clock_.now + later);
  workload_.create_pods(planned, node.name);
  nodes_.add(pool, std::move(node));
}

void SimulatedFleet::change(const Plan::ChangePool& change) {
  std::map<Plan::Time, std::pair<std::size_t, std::size_t>> batches;  // first, and one past the last
  for (std::size_t number = 0; number < plan_.pools[change.pool].nodes.size(); ++number) {
    batches.try_emplace(change.after(number), number, number).first->second.second = number + 1;
  }
  for (const auto& [after, batch] : batches) {
    events_.add(clock_.now + after, [this, change, batch = batch]() -> Result<void> {
      change_batch(change, batch.first, batch.second);
      return {};
    });
  }
}

void SimulatedFleet::change_batch(const Plan::ChangePool& change, std::size_t begin, std::size_t end) {
  versions_.change(change.pool, begin, end, change.to.version);
  for (std::size_t i = 0; i < nodes_.pools()[change.pool].size(); ++i) {
    const NodePlace place{change.pool, i};
    const std::size_t number = nodes_[place].number;
    if (number < begin || number >= end) continue;
    if (change.surge) {
      move_node(place, change.to);
    } else {
      replace(place, change.to);
    }
  }
}

void SimulatedFleet::replace(const NodePlace& place, const Plan::Kubelet& to) {
  SimulatedNode& node = nodes_[place];
  node.kubelet = to;
  ++node.starts;
  kubelets_.replace(node.kubelet_number, identity_of(node), connections_.line_of(node), clock_.now);
}

// The new Node exists before the old one, with its pods, is deleted.
void SimulatedFleet::move_node(const NodePlace& place, const Plan::Kubelet& to) {
  const Plan::Pool& pool = plan_.pools[place.pool];
  const std::string old = nodes_[place].name;
  const std::string name = pool.name + "-new-" + std::to_string(++moved_);
  nodes_.rename(place, name);
  nodes_[place].client = add_client(place.pool, nodes_[place]);
  replace(place, to);
  workload_.create_pods(pool, name);
  workload_.delete_pods(pool, old);
  control_plane_.administrator().call("DELETE", "/api/v1/nodes/" + old);
}

std::size_t SimulatedFleet::add_client(std::size_t pool, const SimulatedNode& node) {
  return ledger_.add_client("pool " + plan_.pools[pool].name, node.name, node.weight);
}

fake_kubelet::FakeKubelet::Identity SimulatedFleet::identity_of(const SimulatedNode& node) {
  const Version& version = node.kubelet.version;
  auto& traits = traits_[version];
  if (!traits) traits = fake_kubelet::KubeletTraitsTable::built_in().at(version).value();
  return {node.name, traits, options_of(node)};
}

std::shared_ptr<const fake_kubelet::KubeletOptions> SimulatedFleet::options_of(const SimulatedNode& node) const {
  const Plan::Kubelet& kubelet = node.kubelet;
  fake_kubelet::KubeletOptions out;
  out.node_labels = kubelet.node_labels;
  out.register_with_taints = kubelet.taints;
  out.static_pods = kubelet.static_pods;
  out.keeps = fake_kubelet::KubeletOptions::Keeps::own;
  out.heartbeats_apart = Heartbeats::apart;
  out.lists_apart = lists_apart;
  out.seed = plan_.seed;
  if (kubelet.join) {
    out.bootstrap = connections_.has_expired(node);
    out.rotate = kubelet.join->rotate;
    out.certificate = control_plane_.certificates().certificate_of(node.name);
  }
  return std::make_shared<const fake_kubelet::KubeletOptions>(std::move(out));
}

void SimulatedFleet::label(const Plan::LabelNodes& change) {
  Object labels = Object::object();
  for (const auto& [key, value] : change.labels) labels[key] = value ? Object(*value) : Object(nullptr);
  for (const SimulatedNode& node : nodes_.pools()[change.pool]) {
    control_plane_.administrator().call("PATCH", "/api/v1/nodes/" + node.name, {{"metadata", {{"labels", labels}}}});
  }
}

void SimulatedFleet::certificate_judged(const std::string& node, const HttpRequest& asked, const HttpResponse& answer) {
  const NodePlace* place = nodes_.find(node);
  if (place == nullptr) return;
  ledger_.note(nodes_[*place].client, asked, answer, clock_.since_begin(),
               {control_plane_.balancer().kind_for_administrator(), 0});
}

void SimulatedFleet::certificate_signed(const std::string& node, const fake_kubelet::CertificateTime& time) {
  events_.add(time.end + exits_after, [this, node, end = time.end]() -> Result<void> {
    const auto certificate = control_plane_.certificates().certificate_of(node);
    const NodePlace* place = nodes_.find(node);
    if (!certificate || certificate->end != end || place == nullptr) return {};
    if (nodes_[*place].name == node) replace(*place, Plan::Kubelet(nodes_[*place].kubelet));
    return {};
  });
}

const fake_kubelet::KubeletTraits* SimulatedFleet::traits_of(const std::string& name) const {
  const NodePlace* place = nodes_.find(name);
  return place == nullptr ? nullptr : &kubelet_of(nodes_[*place]).traits();
}

std::size_t SimulatedFleet::workload_on(const std::string& name) const {
  const NodePlace* place = nodes_.find(name);
  return place == nullptr ? 0 : plan_.pools[place->pool].pods;
}

std::size_t SimulatedFleet::pods_on(const std::string& name) const {
  const NodePlace* place = nodes_.find(name);
  return place == nullptr ? 0 : count_pods(*place, Pods::all);
}

std::size_t SimulatedFleet::count_pods(const NodePlace& place, Pods which) const {
  const Plan::Pool& pool = plan_.pools[place.pool];
  std::size_t out = 0;
  std::size_t of_workload = 0;
  const std::string inside = std::string(workload_namespace) + "/";
  for (const auto& [name, pod] : kubelet_of(nodes_[place]).pods()) {
    const bool waits = pod.state == fake_kubelet::PodWorkers::State::starting || !pod.reported;
    if (which == Pods::waiting && !waits) continue;
    ++(name.starts_with(inside) ? of_workload : out);
  }
  return of_workload == 0 ? out : out + of_workload * pool.pods / simulated_pods(pool);
}

std::optional<std::string> SimulatedFleet::how_many() const {
  std::size_t simulated = 0;
  std::size_t nodes = 0;
  bool all_pods = true;
  for (std::size_t pool = 0; pool < plan_.pools.size(); ++pool) {
    simulated += nodes_.pools()[pool].size();
    nodes += plan_.pools[pool].nodes.size();
    all_pods = all_pods && simulated_pods(plan_.pools[pool]) == plan_.pools[pool].pods;
  }
  if (simulated == nodes && all_pods) return std::nullopt;
  return std::to_string(simulated) + " of " + std::to_string(nodes) +
         " nodes, and a few of their pods, were simulated, and stand for those of their pool that are like them.";
}

}  // namespace nodebound::simulate
