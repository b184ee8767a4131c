#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reports/findings/finding.h"
#include "reports/terminal.h"

namespace nodebound {

/// The results of a plan: who is refused what after each of its steps, and what avoids it.
struct Simulation {
  using Time = std::chrono::milliseconds;  ///< since the plan began

  /// A finding: similar refused requests of one group of clients, which began with a step.
  struct Finding {
    std::string who;      ///< `pool blue`, `agent monitoring`
    std::string request;  ///< `list nodes`, `get secrets`: verb, resource and subresource
    std::string example;  ///< the first such request: `GET /api/v1/…`
    int status = 0;
    std::string body;    ///< of that request; may be empty
    std::string reason;  ///< the message to the first client
    /// Messages of API servers of other releases, while the finding goes on.
    struct OtherReason {
      std::string servers;  ///< `1.37.1`
      std::string reason;
    };
    std::vector<OtherReason> other_reasons;
    std::string rule;  ///< in the catalogue; empty if the target does not name it
    std::string statement;
    struct Source {
      std::string name;  ///< `KEP-279`, `CVE-2025-4563`, a file of Kubernetes
      std::string url;   ///< may be empty
    };
    std::vector<Source> sources;          ///< of the rule
    std::vector<std::string> refused_by;  ///< `1.32.0`: the API servers that refuse it, if others allowed it meanwhile
    std::vector<std::string> allowed_by;  ///< the API servers that allowed it
    std::optional<Time> by_all;           ///< since when no server allows it any more
    std::vector<std::string> kubelets;    ///< `1.30.0`: the kubelets that refuse it, if their own API is asked
    std::size_t nodes = 0;                ///< whose clients are refused
    std::size_t pods = 0;                 ///< on these nodes
    std::size_t count = 0;
    Time first{0};
    Time last{0};
    bool healed_by_plan = false;          ///< a later step fixes it; it does not heal by itself
    std::optional<Time> healed;           ///< when the last of the clients was answered successfully again
    std::string follows;                  ///< what controllers do as a result; may be empty
    std::string since;                    ///< the first release that refuses by the rule; empty: not known, or all
    std::vector<std::string> put_off_by;  ///< gates without which that release does not: `Name=false`
    std::vector<std::string> avoided_by;  ///< changes of the plan; each was tried, and avoids the finding
    std::string advice;                   ///< what to change outside the plan; may be empty
    std::string check;                    ///< a command that shows whether the request is allowed; may be empty
    std::string accepted;                 ///< why somebody accepts it; empty: nobody does
  };

  /// A loss: something that stops working without being a refusal: Nodes that are not ready, pods that do not run.
  struct Loss {
    enum class What { nodes_not_ready, pods_waiting, pods_lost };
    What what = What::nodes_not_ready;
    std::string who;        ///< `pool blue`, `daemonset logging`
    std::size_t count = 0;  ///< of nodes, or of waiting pods
    std::size_t of = 0;     ///< how many there are in total
    std::size_t pods = 0;   ///< on nodes that are not ready
    std::string cause;      ///< a clause: `kubelet 1.31.0 exits: …`
    std::string kind;       ///< the kind of the cause, which selects advice: a rule, an HTTP status, `kubelet-exits`
    Time first{0};
    std::optional<Time> healed;           ///< since when all of them work again
    bool healed_by_plan = false;          ///< it still existed at the end of its step
    std::vector<std::string> avoided_by;  ///< see Finding
    std::string advice;
    std::string accepted;  ///< see Finding
  };

  /// The state of the cluster at the end of a step's time.
  struct Health {
    std::size_t nodes = 0;
    std::size_t nodes_not_ready = 0;  ///< without a Node, or with neither status nor Lease renewed in time
    std::size_t pods = 0;
    std::size_t pods_waiting = 0;        ///< bound to a node that does not run them
    std::vector<std::string> pods_lost;  ///< `daemonset logging: 3 of 4 nodes`, if a step cost it nodes
  };

  /// What happens at one time of the plan. Number 0 is the beginning: its refusals existed before the plan.
  struct Step {
    std::size_t number = 0;
    std::string where;  ///< `file:line`
    std::string what;   ///< `control plane 1.31.0 → 1.32.0`
    Time at{0};
    Time until{0};  ///< when its effects are counted: at the next step, or the end
    std::vector<Finding> findings;
    std::vector<Loss> losses;
    Health health;
    std::vector<std::string> checks;    ///< commands to run before it
    std::vector<std::string> rollback;  ///< how to undo it, a sentence or a command each
  };

  /// From `at` on, a pool or the control plane has this many members of a version.
  struct VersionChange {
    std::string pool;  ///< empty: the control plane
    Time at{0};
    std::string version;
    std::size_t members = 0;
  };

  /// Refusals within one slice of time.
  struct Slice {
    Time at{0};
    std::string rule;  ///< id, or the HTTP status if none is known
    std::size_t count = 0;
  };

  /// From `at` on, this many nodes are not ready.
  struct NotReady {
    Time at{0};
    std::size_t nodes = 0;
  };

  struct Run {
    std::string started;
    std::string host;
    std::string tool_version;
    double seconds = 0;
    std::size_t requests = 0;
  };

  std::string title;
  std::string file;
  std::string target;  ///< `reference`, or the builds
  std::uint64_t seed = 0;
  Time length{0};
  Time slice{0};
  std::vector<Step> steps;
  std::vector<VersionChange> versions;
  std::vector<Slice> refusals;
  std::vector<NotReady> not_ready;  ///< none before the first of them
  std::vector<std::string> notes;
  std::vector<std::string> not_simulated;         ///< what the simulation leaves out, one sentence each
  std::optional<std::chrono::sys_seconds> start;  ///< when the plan should begin; without it, times are relative
  Run run;
};

inline constexpr const char* simulation_schema = "nodebound.dev/simulation/v1";

/// Whether a step other than the beginning has findings or losses that nobody accepts.
bool breaks_something(const Simulation& simulation);
/// Whether something is broken before the first step, so that no step can be seen to break it: Nodes are not ready,
/// pods do not run, or an agent's request is refused until the first step; and nobody accepts it.
bool begins_broken(const Simulation& simulation);

/// What it finds and loses as findings of all sources are: those of steps, and as notes those from before the plan.
std::vector<Finding> findings_of(const Simulation& simulation);

/// Marks what somebody accepts. `reason_for` says why of each of findings_of(), and nothing if nobody does.
void accept_findings(Simulation& simulation, const std::function<std::string(const Finding&)>& reason_for);

/// A length of time: `55m`, without the sign that a time of the plan has.
std::string length_text(Simulation::Time length);

/// `+1h30m`, `+2d`, `+0s`.
std::string to_text(Simulation::Time time);
/// Likewise, with the time of the calendar where the simulation knows it: `+1h30m, 2026-12-01 10:30Z`.
std::string when_text(const Simulation& simulation, Simulation::Time time);

std::string to_terminal(const Simulation& simulation, const TerminalStyle& style);
std::string to_json(const Simulation& simulation);
/// A change request: what breaks, checks before each step, the steps in order, and how to undo them.
std::string to_markdown(const Simulation& simulation);
/// A self-contained page: the timeline of refusals by rule and of versions by pool, and each step.
std::string to_html(const Simulation& simulation);

}  // namespace nodebound
