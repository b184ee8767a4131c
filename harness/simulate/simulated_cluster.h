#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <vector>

#include "fakes/kubelet/kubelets.h"
#include "harness/simulate/control_plane/certificate_controllers.h"
#include "harness/simulate/control_plane/cluster_administrator.h"
#include "harness/simulate/control_plane/daemon_sets.h"
#include "harness/simulate/control_plane/load_balancer.h"
#include "harness/simulate/findings/refusal_ledger.h"
#include "harness/simulate/fleet/heartbeats.h"
#include "harness/simulate/fleet/planned_kubelet_api.h"
#include "harness/simulate/plan/plan.h"
#include "harness/simulate/simulated_clock.h"
#include "reports/simulation/simulation.h"

namespace nodebound {

/// The cluster of a plan: kubelets, agents and workloads on one clock.
class SimulatedCluster {
 public:
  /// How often status and Lease are sampled: repeated every ten seconds, with the same answers, they would be nearly
  /// all requests.
  static constexpr std::chrono::minutes heartbeats_apart{5};
  /// How long a silent node still counts as ready.
  static constexpr std::chrono::minutes heartbeats_missed{15};
  /// How long before the plan begins kubelets start.
  static constexpr std::chrono::minutes warm_up{15};

  SimulatedCluster(const Plan& plan, PlannedServers& servers, SimulatedClock& clock, const Catalogue& catalogue);

  /// Starts the API servers, creates the plan's objects, and starts kubelets and agents.
  Result<void> begin();
  /// Advances the time; everything acts when it is due.
  Result<void> run_until(Plan::Time end);
  /// Carries out the immediate part of a step, and schedules the rest.
  Result<void> carry_out(const Plan::Step& step);

  /// Is called with the current time every now and then.
  void on_progress(std::function<void(Plan::Time now)> tell) { tell_progress_ = std::move(tell); }

  [[nodiscard]] const Plan& plan() const { return plan_; }
  [[nodiscard]] const RefusalLedger& ledger() const { return ledger_; }
  RefusalLedger& ledger() { return ledger_; }
  [[nodiscard]] const std::vector<Simulation::VersionChange>& versions() const { return versions_; }
  /// Descriptions of the kinds of API servers.
  [[nodiscard]] std::vector<std::string> names_of(const std::set<std::size_t>& kinds) const;
  /// The number of pods of a node's kubelet.
  [[nodiscard]] std::size_t pods_on(const std::string& node) const;
  /// How many nodes of its pool a node represents.
  [[nodiscard]] std::size_t weight_of(const std::string& node) const;
  /// The number of pods that its pool has on each node.
  [[nodiscard]] std::size_t workload_on(const std::string& node) const;
  /// Whether its kubelet has a Lease, gets its Node before it sends a status, and how often it sends an unchanged
  /// status.
  [[nodiscard]] bool renews_lease(const std::string& node) const;
  [[nodiscard]] bool gets_node_for_status(const std::string& node) const;
  [[nodiscard]] Plan::Time status_apart(const std::string& node) const;
  /// A sentence for the report if some nodes or pods represent others; otherwise nothing.
  [[nodiscard]] std::optional<std::string> how_many() const;
  /// The health at the end of a step's time; also records the step's losses.
  Simulation::Health health(std::size_t step);
  /// The losses of that step, and when they healed.
  [[nodiscard]] std::vector<Simulation::Loss> losses_of(std::size_t step) const;
  /// How many nodes are not ready, over the time up to `end`.
  [[nodiscard]] std::vector<Simulation::NotReady> not_ready(Plan::Time end) const;

 private:
  /// Where a pool's own pods are.
  static constexpr const char* workload_namespace = "workload";

  struct Node {
    std::string name;
    std::size_t kubelet = 0;
    std::size_t client = 0;
    std::size_t number = 0;  ///< index in its pool
    std::size_t weight = 1;
    Heartbeats heartbeats{-warm_up, heartbeats_missed};
    bool lost = false;               ///< its silence has been recorded as a loss
    bool ready = true;               ///< at the end of the last step, like the following members:
    bool gone = false;               ///< it was heard of, but its Node does not exist
    std::size_t waiting = 0;         ///< pods
    std::size_t waiting_before = 0;  ///< the same one step earlier
  };
  using Place = std::pair<std::size_t, std::size_t>;  ///< pool, and index in it
  struct Event {
    KubeletTime at;
    std::size_t number;  ///< orders events of the same time by when they were scheduled
    std::function<void()> run;

    bool operator>(const Event& other) const { return std::tie(at, number) > std::tie(other.at, other.number); }
  };

  /// Losses of one step with the same cause count as one.
  struct LossKey {
    Simulation::Loss::What what;
    std::size_t step = 0;
    std::size_t who = 0;  ///< pool, or DaemonSet
    std::string cause;
    std::string kind;

    auto operator<=>(const LossKey&) const = default;
  };
  struct OpenLoss {
    Simulation::Loss loss;
    std::vector<Place> members;
  };
  /// Notes a successful request of a node, which may be a heartbeat.
  void hear(const std::string& node, const HttpRequest& request, const HttpResponse& response);
  [[nodiscard]] LossKey loss_of_node(const Place& place, std::size_t step) const;
  [[nodiscard]] std::size_t step_at(Plan::Time time) const;
  void add_loss(const LossKey& key, const Place& place, Plan::Time first, std::size_t count);
  void look_for_losses();
  void note_fewer_daemon_pods();
  bool is_well(const LossKey& key, const OpenLoss& open);
  void note_losses_at_end_of(std::size_t step, const std::vector<DaemonSets::Loss>& of_daemon_sets);

  void tick();
  void plan_event(KubeletTime at, std::function<void()> run);
  [[nodiscard]] std::shared_ptr<const KubeletOptions> kubelet_options(const Plan::Kubelet& kubelet,
                                                                      const std::string& node) const;
  FakeKubelet::Identity identity_of(const Node& node, const Plan::Kubelet& kubelet);

  /// A kubelet as API servers see it.
  struct Caller {
    std::string node;
    std::size_t client = 0;
    std::shared_ptr<const Plan::Kubelet> kubelet;
  };
  Result<void> make_token(const Plan::BootstrapToken& token, const std::string& where);
  std::optional<Subject> subject_of_token(const std::string& id);
  /// Whether API servers reject the client certificate of a node as expired.
  [[nodiscard]] bool has_run_out(const Plan::Kubelet& kubelet, const std::string& node) const;
  [[nodiscard]] HttpResponse run_out() const;
  /// The API servers' answer to it, which is recorded.
  HttpResponse answer_kubelet(const Caller& caller, KubeletCredential as, const HttpRequest& request);
  void look_at_signing_requests(KubeletTime at);
  void note_judgement(const std::string& node, const HttpRequest& asked, const HttpResponse& answer);
  /// Plans a restart of its kubelet for after that certificate has expired, unless it has a new one by then.
  void restart_after(const std::string& node, const CertificateTime& of);
  std::unique_ptr<KubeletLine> line_of(const Node& node, const Plan::Kubelet& kubelet);
  void start_kubelets(std::size_t pool);
  void start_kubelet(std::size_t pool, Node node, KubeletTime start);
  bool is_ready(const Node& node);
  [[nodiscard]] const KubeletTraits* traits_of(const std::string& node) const;
  /// The pods of a node, or only its waiting ones, including those they represent.
  [[nodiscard]] std::size_t count_pods(std::size_t pool, const FakeKubelet& kubelet, bool waiting) const;
  /// An agent on a node.
  struct AgentClient {
    explicit AgentClient(std::size_t client) : number(client) {}

    std::size_t number;  ///< of the client
    std::optional<std::string> prepared_for;
    std::optional<std::uint64_t> prepared_at;
    bool has_uids = false;
    std::vector<HttpRequest> requests;  ///< with all placeholders filled in
  };
  struct AgentAnswer {
    std::size_t kind = 0;  ///< of the server
    Subject subject;
    std::shared_ptr<const HttpResponse> response;
  };
  AgentAnswer answer_to(std::size_t client, const Subject& subject, const HttpRequest& request);
  void start_agent(const Plan::Agent& agent, const std::string& node, std::size_t pool, std::size_t number);
  /// `subject` is empty if the credential has expired.
  void ask(const Plan::Agent& agent, const std::optional<Subject>& subject, const std::string& node,
           AgentClient& client);
  void prepare(const Plan::Agent& agent, const std::string& node, AgentClient& client);
  void ask_kubelet(const Plan::Agent& agent, const Subject& caller, const Place& place, std::size_t client);
  [[nodiscard]] bool token_has_ended(const Plan::Agent& agent) const;
  PlannedKubeletApi& api_of(const Place& place);
  std::string with_uids(const std::string& text);
  void make_workload(std::size_t pool, const std::string& node);
  void place_daemon_sets();
  void place_pods();
  Object with_os_labels(Object node, const Release& controllers);

  using Servers = std::map<std::size_t, Plan::ControlPlane>;
  Result<void> change(const Plan::ChangeControlPlane& change);
  Result<void> replace_servers(const Servers& servers);
  void tell_versions(const std::map<Version, std::size_t>& before);
  void change(const Plan::ChangePool& change);
  void change_batch(const Plan::ChangePool& change, std::size_t begin, std::size_t end);
  void replace(std::size_t pool, std::size_t place, const Plan::Kubelet& to);
  void move_node(std::size_t pool, std::size_t place, const Plan::Kubelet& to);
  void tell_versions(std::size_t pool, const std::set<Version>& changed);
  void label(const Plan::LabelNodes& labels);
  Result<void> carry_out(const Plan::Action& action, const std::string& where);

  const Plan& plan_;
  PlannedServers& servers_;
  SimulatedClock& clock_;
  const Catalogue& catalogue_;
  LoadBalancer balancer_;
  ClusterAdministrator administrator_;
  CertificateControllers controllers_;
  std::optional<KubeletTime> next_look_;  ///< when the controllers look next
  RefusalLedger ledger_;
  Kubelets kubelets_;
  std::vector<std::vector<Node>> nodes_;                      ///< the simulated ones, by pool
  std::map<std::string, Place> places_;                       ///< by name
  std::map<Place, std::unique_ptr<PlannedKubeletApi>> apis_;  ///< of kubelets that have been asked
  std::map<std::tuple<Version, GateSettings, Plan::KubeletApi>, std::shared_ptr<KubeletApiRules>> api_rules_;
  std::vector<std::vector<Plan::Kubelet>> kubelet_now_;  ///< how the kubelets of each pool are started now
  std::vector<std::vector<Version>> version_now_;        ///< of all nodes of a pool
  std::vector<Simulation::VersionChange> versions_;
  std::vector<std::map<Version, std::size_t>> members_;  ///< number of nodes of each version, by pool
  std::map<Version, std::shared_ptr<const KubeletTraits>> traits_;
  DaemonSets daemon_sets_;
  std::map<LossKey, OpenLoss> losses_;
  std::vector<std::size_t> daemon_counts_;              ///< on how many nodes each has pods
  std::vector<std::optional<Plan::Time>> fewer_since_;  ///< within the step
  bool has_unbound_pods_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::size_t planned_ = 0;
  std::size_t replaced_ = 0;
  std::map<std::string, AgentAnswer> answers_;  ///< to reads by agents, by server, user and target
  std::optional<std::uint64_t> answers_at_;     ///< the balancer's count of changes when they were given
  std::function<void(Plan::Time)> tell_progress_;
  std::optional<Error> failure_;  ///< of a server that failed to start
};

}  // namespace nodebound
