#pragma once

#include <chrono>
#include <compare>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "fakes/wire/http.h"
#include "harness/simulate/plan/object_path.h"
#include "reference/authorizer/authorization_mode.h"
#include "reference/cluster/object.h"
#include "reference/release/rule_set.h"
#include "reference/result.h"

namespace nodebound::simulate {

/// A cluster, and the changes that somebody plans for it, step by step.
struct Plan {
  using Time = std::chrono::milliseconds;  ///< since the beginning of the plan

  /// A Secret of type bootstrap.kubernetes.io/token.
  struct BootstrapToken {
    std::string id;
    std::vector<std::string> groups;
    std::optional<Time> ttl;  ///< since its creation; nothing: for ever
  };

  /// The signer of kubelets' client certificates, and the CA by which API servers verify them.
  struct Certificates {
    Time last = std::chrono::hours(24 * 365);  ///< --cluster-signing-duration
    std::optional<Time> authority_ends;        ///< when the client CA expires; nothing: not during the plan
  };

  /// How a kube-apiserver is started.
  struct ControlPlane {
    Version version;
    GateSettings gates;  ///< those that differ from the version's defaults
    std::vector<AuthorizationMode> authorization = {AuthorizationMode::node, AuthorizationMode::rbac};
    bool node_restriction = true;

    bool operator==(const ControlPlane&) const = default;
  };

  /// Whom a kubelet allows to use its API.
  struct KubeletApi {
    bool anonymous = false;
    bool token_webhook = true;  ///< whether it accepts tokens, by TokenReview
    std::string authorization = "Webhook";

    auto operator<=>(const KubeletApi&) const = default;
  };

  /// How a kubelet without credentials gets some: with a bootstrap token.
  struct Join {
    std::string token;   ///< id of the token
    bool rotate = true;  ///< --rotate-certificates
  };

  /// How the kubelets of a pool are started. `{node}` stands for the name of each node.
  struct Kubelet {
    Version version;
    GateSettings gates;  ///< those that differ from the version's defaults; only its own API uses them
    KubeletApi api;
    std::string user = "system:node:{node}";
    std::vector<std::string> groups = {"system:nodes"};
    std::map<std::string, std::string> node_labels;
    std::vector<Object> taints;
    std::vector<Object> static_pods;
    std::optional<Join> join;
  };

  struct Pool {
    std::string name;
    std::vector<std::string> nodes;
    std::size_t pods = 0;  ///< on each node, each with a Secret and a ConfigMap
    Kubelet kubelet;
  };

  /// A workload that repeats its requests: one on each node of its pools, or one for the cluster.
  struct Agent {
    std::string name;
    std::vector<std::size_t> pools;  ///< empty: one for the cluster
    std::string user;                ///< empty: uses the credentials of the node's kubelet
    std::vector<std::string> groups;
    Time every = std::chrono::minutes(5);
    std::optional<Time> token_lasts;            ///< its only token lasts until then; nothing: it reads new ones
    std::vector<HttpRequest> requests;          ///< targets and bodies may contain `{node}`
    std::vector<HttpRequest> kubelet_requests;  ///< to the own API of its node's kubelet
  };

  /// Has a pod on every Node that its selector matches; the administrator binds the pods.
  struct DaemonSet {
    std::string name;
    std::string namespace_;
    std::map<std::string, std::string> node_selector;
    std::vector<Object> tolerations;
  };

  /// A rolling change: this many members at a time, this far apart.
  struct Rolling {
    std::size_t at_once = SIZE_MAX;
    Time apart{0};

    /// How long after the first member the one with that number, counted from 0, is changed.
    [[nodiscard]] Time after(std::size_t number) const { return static_cast<std::int64_t>(number / at_once) * apart; }
  };
  /// Replaces API servers, or starts them with other flags.
  struct ChangeControlPlane : Rolling {
    std::map<std::size_t, ControlPlane> to;  ///< by number of the server, from 0; others stay unchanged
  };
  /// Replaces the kubelets of a pool, or starts them with other flags.
  struct ChangePool : Rolling {
    std::size_t pool = 0;
    Kubelet to;
    bool surge = false;  ///< new nodes replace the old ones
  };
  /// Objects that an administrator applies. An existing object is replaced.
  struct Apply {
    Object object;
  };
  struct Delete {
    ObjectPath object;
  };
  struct LabelNodes {
    std::size_t pool = 0;
    std::map<std::string, std::optional<std::string>> labels;  ///< nothing: removes the label
  };
  struct ChangeDaemonSet {
    std::size_t daemon_set = 0;
    std::map<std::string, std::string> node_selector;
  };
  using Action = std::variant<ChangeControlPlane, ChangePool, Apply, Delete, LabelNodes, ChangeDaemonSet,
                              BootstrapToken, Certificates>;

  struct Step {
    Time at{0};
    std::string what;   ///< the author's description
    std::string where;  ///< `file:line`
    std::vector<Action> actions;
  };

  /// A result that the author expects. The project's own plans are tests because of these.
  struct Expectation {
    std::size_t step = 0;  ///< from 1; 0 is the beginning
    std::string who;       ///< `pool blue`, `agent monitoring`
    std::string request;   ///< `list nodes`
    std::string rule;
    std::vector<std::string> refused_by;  ///< API servers, if others allow it: `1.32.0`
    std::vector<std::string> kubelets;    ///< or kubelets, if their own API is asked: `1.30.0`
    std::string lost;                     ///< or instead a loss: `daemonset logging: 3 of 4 nodes`
    std::size_t not_ready = 0;            ///< or a number of Nodes that are no longer ready
    std::optional<bool> heals;            ///< whether the refusal heals; nothing: not compared
    int status = 0;                       ///< of a refusal without a rule
  };

  std::string title;
  std::string file;
  ControlPlane control_plane;
  std::size_t servers = 1;  ///< the number of API servers behind one address, all started alike
  std::vector<Pool> pools;
  std::vector<Agent> agents;
  std::vector<DaemonSet> daemon_sets;
  std::vector<BootstrapToken> bootstrap_tokens;
  Certificates certificates;
  std::vector<Object> objects;  ///< the cluster's objects when the plan begins, in order of creation
  std::vector<Step> steps;
  std::optional<std::vector<Expectation>> expectations;
  Time settle = std::chrono::hours(1);  ///< how long time goes on after the last change
  std::uint64_t seed = 0;
};

/// Reads a plan. A mistake is an input error with its line; so is a plan that cannot be carried out (a skipped minor,
/// kubelets or API servers outside the version skew policy, time that runs backwards). Files that it names are relative
/// to the folder of `file`.
Result<Plan> read_plan(std::string_view text, const std::string& file, const Catalogue& catalogue);

}  // namespace nodebound::simulate
