#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/terminal.h"

namespace nodebound {

/// What a plan comes to: who is refused what after each of its steps, and what mends it.
struct Simulation {
  using Time = std::chrono::milliseconds;  ///< since the plan began

  /// Requests that are refused, one kind by one group of clients: since a step, and not before it.
  struct Finding {
    std::string who;      ///< `pool blue`, `agent monitoring`
    std::string request;  ///< `list nodes`, `get secrets`: verb, resource and subresource
    std::string example;  ///< the first such request: `GET /api/v1/…`
    int status = 0;
    std::string body;    ///< of that request; may be empty
    std::string reason;  ///< what the first was told
    /// What others are told by API servers of other releases, as the finding goes on.
    struct OtherReason {
      std::string servers;  ///< `1.37.1`
      std::string reason;
    };
    std::vector<OtherReason> other_reasons;
    std::string rule;  ///< of the catalogue; empty if the target does not say
    std::string statement;
    struct Source {
      std::string name;  ///< `KEP-279`, `CVE-2025-4563`, a file of Kubernetes
      std::string url;   ///< may be empty
    };
    std::vector<Source> sources;          ///< of the rule
    std::vector<std::string> refused_by;  ///< `1.32.0`: the API servers, where others allowed it meanwhile
    std::vector<std::string> allowed_by;  ///< the others
    std::optional<Time> by_all;           ///< since when none of them allows it any more
    std::vector<std::string> kubelets;    ///< `1.30.0`: those that refuse it, where it is their own API that is asked
    std::size_t nodes = 0;                ///< whose clients are refused
    std::size_t pods = 0;                 ///< on these nodes
    std::size_t count = 0;
    Time first{0};
    Time last{0};
    bool healed_by_plan = false;          ///< a later step mends it; it does not heal by itself
    std::optional<Time> healed;           ///< when the last of the clients was answered well again
    std::string follows;                  ///< what controllers make of it; may be empty
    std::vector<std::string> avoided_by;  ///< changes of the plan; each was tried, and is without the finding
    std::string advice;                   ///< what to change beside the plan; may be empty
    std::string check;                    ///< a command that shows whether the request is allowed; may be empty
  };

  /// What stops working without being a refusal itself: Nodes that are not ready, pods that do not run.
  struct Loss {
    enum class What { nodes_not_ready, pods_waiting, pods_lost };
    What what = What::nodes_not_ready;
    std::string who;        ///< `pool blue`, `daemonset logging`
    std::size_t count = 0;  ///< of nodes, or of pods that wait
    std::size_t of = 0;     ///< how many there are of these
    std::size_t pods = 0;   ///< on nodes that are not ready
    std::string cause;      ///< a clause: `kubelet 1.31.0 exits: …`
    std::string kind;       ///< of cause, by which there is advice: a rule, an HTTP status, `kubelet-exits`
    Time first{0};
    std::optional<Time> healed;           ///< since when all of them are well again
    bool healed_by_plan = false;          ///< it was so at the end of its step still
    std::vector<std::string> avoided_by;  ///< as of a finding
    std::string advice;
  };

  /// A state of the cluster at the end of a step's time.
  struct Health {
    std::size_t nodes = 0;
    std::size_t nodes_not_ready = 0;  ///< no Node, or neither status nor Lease renewed in time
    std::size_t pods = 0;
    std::size_t pods_waiting = 0;        ///< bound to a node that does not run them
    std::vector<std::string> pods_lost;  ///< `daemonset logging: 3 of 4 nodes`, where a step cost it nodes
  };

  /// What happens at a time of the plan. The first, number 0, is its begin: what is refused there was so before.
  struct Step {
    std::size_t number = 0;
    std::string where;  ///< `file:line`
    std::string what;   ///< `control plane 1.31.0 → 1.32.0`
    Time at{0};
    Time until{0};  ///< when its effects are counted: the next step, or the end
    std::vector<Finding> findings;
    std::vector<Loss> losses;
    Health health;
    std::vector<std::string> checks;    ///< commands to be run before it
    std::vector<std::string> rollback;  ///< how to undo it, a sentence or a command each
  };

  /// From `at` on a pool, or the control plane, has so many members of a version.
  struct VersionChange {
    std::string pool;  ///< empty: the control plane
    Time at{0};
    std::string version;
    std::size_t members = 0;
  };

  /// Refusals within one slice of time.
  struct Slice {
    Time at{0};
    std::string rule;  ///< id, or the HTTP status where none is known
    std::size_t count = 0;
  };

  /// From `at` on so many nodes are not ready.
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
  std::string target;  ///< `reference`, or what the builds are
  std::uint64_t seed = 0;
  Time length{0};
  Time slice{0};
  std::vector<Step> steps;
  std::vector<VersionChange> versions;
  std::vector<Slice> refusals;
  std::vector<NotReady> not_ready;  ///< none before the first of them
  std::vector<std::string> notes;
  std::vector<std::string> not_simulated;         ///< what the simulation leaves out, a sentence each
  std::optional<std::chrono::sys_seconds> start;  ///< when the plan is to begin; times are relative without it
  Run run;
};

inline constexpr const char* simulation_schema = "nodebound.dev/simulation/v1";

/// Whether a step other than the begin has findings, costs Nodes or pods.
bool breaks_something(const Simulation& simulation);
/// Whether something does not work before the first step, so that no step can be seen to break it: Nodes are not ready,
/// pods do not run, or an agent is refused what it asks for, up to the first step.
bool begins_broken(const Simulation& simulation);

/// A length of time: `55m`, without the sign that a time of the plan has.
std::string length_text(Simulation::Time length);

/// `+1h30m`, `+2d`, `+0s`.
std::string to_text(Simulation::Time time);
/// Likewise, with the time of the calendar where the simulation knows it: `+1h30m, 2026-12-01 10:30Z`.
std::string when_text(const Simulation& simulation, Simulation::Time time);

std::string to_terminal(const Simulation& simulation, const TerminalStyle& style);
std::string to_json(const Simulation& simulation);
/// A change request: what breaks, checks before each step, the steps in their order, and how to undo them.
std::string to_markdown(const Simulation& simulation);
/// One page that needs nothing beside it: the timeline of refusals by rule and of versions by pool, and each step.
std::string to_html(const Simulation& simulation);

}  // namespace nodebound
