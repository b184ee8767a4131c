#pragma once

#include <chrono>
#include <compare>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "fakes/apiserver/http.h"
#include "harness/simulate/object_path.h"
#include "reference/cluster/object.h"
#include "reference/release/rule_set.h"
#include "reference/result.h"

namespace nodebound {

/// What a cluster is, and what somebody means to do to it, step by step.
struct Plan {
  using Time = std::chrono::milliseconds;  ///< since the plan begins

  /// A Secret of type bootstrap.kubernetes.io/token.
  struct BootstrapToken {
    std::string id;
    std::vector<std::string> groups;
    std::optional<Time> ttl;  ///< since it is made; nothing: for ever
  };

  /// Of those who sign the client certificates of kubelets, and of the CA that API servers know these by.
  struct Certificates {
    Time last = std::chrono::hours(24 * 365);  ///< --cluster-signing-duration
    std::optional<Time> authority_ends;        ///< the client CA; nothing: not within the plan
  };

  /// How a kube-apiserver is started.
  struct ControlPlane {
    Version version;
    GateSettings gates;  ///< apart from the version's defaults
    std::vector<std::string> authorization = {"Node", "RBAC"};
    bool node_restriction = true;

    bool operator==(const ControlPlane&) const = default;
  };

  /// Who a kubelet lets ask it.
  struct KubeletApi {
    bool anonymous = false;
    bool token_webhook = true;  ///< whether tokens are reviewed
    std::string authorization = "Webhook";

    auto operator<=>(const KubeletApi&) const = default;
  };

  /// A kubelet without credentials of its own: it asks for them with a bootstrap token.
  struct Join {
    std::string token;   ///< id of the token
    bool rotate = true;  ///< --rotate-certificates
  };

  /// How the kubelets of a pool are started. `{node}` stands for the name of each.
  struct Kubelet {
    Version version;
    GateSettings gates;  ///< apart from the version's defaults; its own API looks at them
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

  /// A workload that asks for something again and again: one on each node of its pools, or one of the cluster.
  struct Agent {
    std::string name;
    std::vector<std::size_t> pools;  ///< none: one of the cluster
    std::string user;                ///< empty: the credentials of the node's kubelet
    std::vector<std::string> groups;
    Time every = std::chrono::minutes(5);
    std::optional<Time> token_lasts;            ///< it has one token, from the begin on; nothing: it reads new ones
    std::vector<HttpRequest> requests;          ///< targets and bodies may have `{node}`
    std::vector<HttpRequest> kubelet_requests;  ///< of the kubelet of its node, at that one's own API
  };

  /// Has a pod on every Node that its selector takes, bound by whoever runs the cluster.
  struct DaemonSet {
    std::string name;
    std::string namespace_;
    std::map<std::string, std::string> node_selector;
    std::vector<Object> tolerations;
  };

  /// So many at a time, so long after one another.
  struct Rolling {
    std::size_t at_once = SIZE_MAX;
    Time apart{0};

    /// How long after the first it is the turn of the one of that number, from 0 on.
    [[nodiscard]] Time after(std::size_t number) const { return static_cast<std::int64_t>(number / at_once) * apart; }
  };
  /// API servers are replaced, or started with other flags.
  struct ChangeControlPlane : Rolling {
    std::map<std::size_t, ControlPlane> to;  ///< by number of the server, from 0 on; the others stay as they are
  };
  /// The kubelets of a pool are.
  struct ChangePool : Rolling {
    std::size_t pool = 0;
    Kubelet to;
    bool surge = false;  ///< new nodes take the place of the old ones
  };
  /// Written by an administrator. An object that is there already is replaced.
  struct Apply {
    Object object;
  };
  struct Delete {
    ObjectPath object;
  };
  struct LabelNodes {
    std::size_t pool = 0;
    std::map<std::string, std::optional<std::string>> labels;  ///< nothing: taken away
  };
  struct ChangeDaemonSet {
    std::size_t daemon_set = 0;
    std::map<std::string, std::string> node_selector;
  };
  using Action = std::variant<ChangeControlPlane, ChangePool, Apply, Delete, LabelNodes, ChangeDaemonSet,
                              BootstrapToken, Certificates>;

  struct Step {
    Time at{0};
    std::string what;   ///< for people
    std::string where;  ///< `file:line`
    std::vector<Action> actions;
  };

  /// What the author says that the plan comes to; plans of the project are tests by it.
  struct Expectation {
    std::size_t step = 0;  ///< from 1 on; 0 is the begin
    std::string who;       ///< `pool blue`, `agent monitoring`
    std::string request;   ///< `list nodes`
    std::string rule;
    std::vector<std::string> refused_by;  ///< API servers, where others allow it: `1.32.0`
    std::vector<std::string> kubelets;    ///< or kubelets, where it is one's own API that is asked: `1.30.0`
    std::string lost;                     ///< or rather a loss: `daemonset logging: 3 of 4 nodes`
    std::size_t not_ready = 0;            ///< or so many Nodes that are not ready any more
    std::optional<bool> heals;            ///< whether a refusal does; nothing: either
    int status = 0;                       ///< of a refusal for which there is no rule
  };

  std::string title;
  std::string file;
  ControlPlane control_plane;
  std::size_t servers = 1;  ///< API servers behind one address, all of them started so
  std::vector<Pool> pools;
  std::vector<Agent> agents;
  std::vector<DaemonSet> daemon_sets;
  std::vector<BootstrapToken> bootstrap_tokens;
  Certificates certificates;
  std::vector<Object> objects;  ///< of the cluster when the plan begins, in the order in which they are made
  std::vector<Step> steps;
  std::optional<std::vector<Expectation>> expectations;
  Time settle = std::chrono::hours(1);  ///< how long time goes on after the last change
  std::uint64_t seed = 0;
};

/// Reads a plan. A mistake, and a plan that could not be carried out (a minor skipped, kubelets or API servers outside
/// the version skew policy, time that runs backwards), is an input error with its line. Files that it names lie beside
/// `file`.
Result<Plan> read_plan(std::string_view text, const std::string& file, const Catalogue& catalogue);

}  // namespace nodebound
