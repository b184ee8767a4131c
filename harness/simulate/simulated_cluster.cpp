#include "harness/simulate/simulated_cluster.h"

#include <algorithm>

#include "harness/simulate/control_plane/os_labels.h"
#include "harness/simulate/fleet/representatives.h"

namespace nodebound {
namespace {

constexpr std::chrono::seconds start_within{60};
constexpr std::chrono::minutes between_ticks{1};
constexpr std::chrono::minutes between_placements{5};
constexpr std::size_t events_between_tellings = 512;

// Every Node starts with a taint. The node lifecycle controller removes it once the Node is ready.
Object without_first_taint(Object node) {
  Object left = Object::array();
  for (const Object& taint : member(node, "spec", "taints")) {
    if (text(taint, "key") != "node.kubernetes.io/not-ready") left.push_back(taint);
  }
  node["spec"]["taints"] = std::move(left);
  return node;
}

bool is_unbound_pod(const Object& object) {
  return text(object, "kind") == "Pod" && text(object, "spec", "nodeName").empty();
}

bool has_unbound_pods(const Plan& plan) {
  const auto applies_one = [](const Plan::Action& action) {
    const auto* apply = std::get_if<Plan::Apply>(&action);
    return apply != nullptr && is_unbound_pod(apply->object);
  };
  return std::any_of(plan.objects.begin(), plan.objects.end(), is_unbound_pod) ||
         std::any_of(plan.steps.begin(), plan.steps.end(), [&](const Plan::Step& step) {
           return std::any_of(step.actions.begin(), step.actions.end(), applies_one);
         });
}

}  // namespace

SimulatedCluster::SimulatedCluster(const Plan& plan, PlannedServers& servers, SimulatedClock& clock,
                                   const Catalogue& catalogue)
    : plan_(plan),
      servers_(servers),
      clock_(clock),
      catalogue_(catalogue),
      balancer_(servers, clock, plan.seed),
      administrator_(balancer_),
      controllers_(
          administrator_, clock,
          [this](const std::string& node, const HttpRequest& asked, const HttpResponse& answer) {
            note_judgement(node, asked, answer);
          },
          [this](const std::string& node, const CertificateTime& of) { restart_after(node, of); }),
      nodes_(plan.pools.size()),
      members_(plan.pools.size()),
      daemon_sets_(plan, balancer_),
      has_unbound_pods_(has_unbound_pods(plan)) {
  kubelet_now_.resize(plan.pools.size());
  for (const Plan::Pool& pool : plan.pools) version_now_.emplace_back(pool.nodes.size(), pool.kubelet.version);
}

Result<void> SimulatedCluster::begin() {
  clock_.now = clock_.begin - warm_up;
  for (std::size_t i = 0; i < plan_.servers; ++i) {
    if (Result<void> started = balancer_.start(i, plan_.control_plane); !started) return started;
  }
  ledger_.servers_are(balancer_.kinds(), clock_.since_begin());
  versions_.push_back({"", Plan::Time(0), plan_.control_plane.version.text(), plan_.servers});
  for (const std::string& name : {std::string("kube-system"), std::string(workload_namespace)})
    administrator_.make_namespace(name);
  for (const Plan::DaemonSet& set : plan_.daemon_sets) administrator_.make_namespace(set.namespace_);
  controllers_.change(plan_.certificates);
  for (const Plan::BootstrapToken& token : plan_.bootstrap_tokens) {
    if (Result<void> made = make_token(token, plan_.file); !made) return made;
  }
  for (const Object& object : plan_.objects) {
    if (Result<void> made = administrator_.apply(object, plan_.file); !made) return made;
  }
  for (std::size_t pool = 0; pool < plan_.pools.size(); ++pool) start_kubelets(pool);
  for (const Plan::Agent& agent : plan_.agents) {
    if (agent.pools.empty()) start_agent(agent, "", 0, 0);
    for (const std::size_t pool : agent.pools) {
      for (std::size_t i = 0; i < nodes_[pool].size(); ++i) start_agent(agent, nodes_[pool][i].name, pool, i);
    }
  }
  plan_event(clock_.now + between_ticks, [this] { tick(); });
  plan_event(clock_.now + between_placements, [this] { place_daemon_sets(); });
  return {};
}

void SimulatedCluster::plan_event(KubeletTime at, std::function<void()> run) {
  events_.push({at, planned_++, std::move(run)});
}

Result<void> SimulatedCluster::run_until(Plan::Time end) {
  const KubeletTime until = clock_.begin + end;
  for (std::size_t count = 1;; ++count) {
    if (tell_progress_ && count % events_between_tellings == 0) tell_progress_(clock_.since_begin());
    const KubeletTime event = events_.empty() ? KubeletTime::max() : events_.top().at;
    const KubeletTime kubelet = kubelets_.next();
    if (std::min(event, kubelet) > until) break;
    if (event <= kubelet) {
      clock_.now = std::max(clock_.now, event);
      const auto run = events_.top().run;
      events_.pop();
      run();
      if (failure_) return tl::unexpected<Error>(*failure_);
    } else {
      clock_.now = std::max(clock_.now, kubelet);
      kubelets_.act(clock_.now, 1);
    }
  }
  clock_.now = std::max(clock_.now, until);
  return {};
}

void SimulatedCluster::tick() {
  servers_.tick();
  plan_event(clock_.now + between_ticks, [this] { tick(); });
}

void SimulatedCluster::start_kubelets(std::size_t pool) {
  const Plan::Pool& planned = plan_.pools[pool];
  for (std::size_t i = 0; i < simulated_pods(planned); ++i) {
    const Object named = {{"metadata", {{"name", planned.name + "-" + std::to_string(i)}}}};
    administrator_.call("POST", api_path("v1", "secrets", workload_namespace), named);
    administrator_.call("POST", api_path("v1", "configmaps", workload_namespace), named);
  }
  const std::vector<Representative> representatives =
      representatives_of(planned, plan_.objects, most_nodes_of_a_pool(plan_.pools.size()));
  for (const Representative& one : representatives) {
    const auto later = std::chrono::milliseconds(start_within) * static_cast<std::int64_t>(one.number) /
                       static_cast<std::int64_t>(planned.nodes.size());
    Node node;
    node.name = planned.nodes[one.number];
    node.number = one.number;
    node.weight = one.weight;
    start_kubelet(pool, std::move(node), clock_.now + later);
  }
  members_[pool][planned.kubelet.version] = planned.nodes.size();
  tell_versions(pool, {planned.kubelet.version});
}

void SimulatedCluster::start_kubelet(std::size_t pool, Node node, KubeletTime start) {
  const Plan::Kubelet& kubelet = plan_.pools[pool].kubelet;
  node.client = ledger_.add_client("pool " + plan_.pools[pool].name, node.name, node.weight);
  node.kubelet = kubelets_.add(identity_of(node, kubelet), line_of(node, kubelet), start);
  make_workload(pool, node.name);
  kubelet_now_[pool].push_back(kubelet);
  places_[node.name] = {pool, nodes_[pool].size()};
  nodes_[pool].push_back(std::move(node));
}

void SimulatedCluster::make_workload(std::size_t pool, const std::string& node) {
  const Plan::Pool& planned = plan_.pools[pool];
  for (std::size_t i = 0; i < simulated_pods(planned); ++i) {
    const std::string shared = planned.name + "-" + std::to_string(i);
    administrator_.call("POST", api_path("v1", "pods", workload_namespace),
                        {{"metadata", {{"name", node + "-" + std::to_string(i)}, {"namespace", workload_namespace}}},
                         {"spec",
                          {{"nodeName", node},
                           {"serviceAccountName", "default"},
                           {"containers", {{{"name", "main"}, {"image", "registry.example/workload"}}}},
                           {"volumes",
                            {{{"name", "secret"}, {"secret", {{"secretName", shared}}}},
                             {{"name", "config"}, {"configMap", {{"name", shared}}}}}}}}});
  }
}

void SimulatedCluster::place_daemon_sets() {
  plan_event(clock_.now + between_placements, [this] { place_daemon_sets(); });
  if (!daemon_sets_.empty() || has_unbound_pods_) place_pods();
  look_for_losses();
}

void SimulatedCluster::place_pods() {
  const Object list = Object::parse(administrator_.call("GET", "/api/v1/nodes").body, nullptr, false);
  // kube-controller-manager is not newer than the oldest API server.
  const Version oldest = balancer_.members().begin()->first;
  const Release controllers = Release::make(Catalogue::built_in(), oldest, {}).value();
  std::vector<Object> nodes;
  for (const Object& node : member(list, "items")) {
    nodes.push_back(with_os_labels(without_first_taint(node), controllers));
  }
  daemon_sets_.place(std::move(nodes));
  if (has_unbound_pods_) daemon_sets_.schedule();
}

Object SimulatedCluster::with_os_labels(Object node, const Release& controllers) {
  const Object labels = copied_os_labels(controllers, node);
  if (labels.is_null()) return node;
  const std::string name(text(node, "metadata", "name"));
  administrator_.call("PATCH", api_path("v1", "nodes", "", name), {{"metadata", {{"labels", labels}}}});
  node["metadata"]["labels"].update(labels);
  return node;
}

}  // namespace nodebound
