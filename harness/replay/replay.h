#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/objects/cluster_file.h"
#include "harness/replay/audit_event.h"
#include "harness/replay/clients/client_table.h"
#include "harness/replay/decided.h"
#include "reference/release/rule_set.h"
#include "reports/replay/replay.h"

namespace nodebound::replay {

struct ReplayQuestion {
  std::vector<std::string> logs;
  std::vector<ClusterObject> cluster;
  const RuleSet* from = nullptr;
  const RuleSet* to = nullptr;
  GateSettings gates;  ///< that were set at the release one is going to
  std::optional<LoggedRequest::Micros> since;
  std::optional<LoggedRequest::Micros> until;
  std::string pool_label;  ///< of Nodes; empty: the first known one that a Node has
  /// The dump and the bodies in the log show everything that decisions depend on.
  bool whole_state = false;
  /// There is no RBAC but what API servers make by themselves.
  bool default_rbac = false;
  ServerSetting from_setting;
  ServerSetting to_setting;
  bool own_names = false;  ///< kubelets that share a user name will each have their own
  Share share;             ///< of the subjects: the requests of others are read, and not decided
  /// The only log is read on as it grows, until this is true.
  std::function<bool()> followed_until;
  /// Told of each group of newly refused requests when it appears.
  std::function<void(const Replay::Finding&)> newly_refused;
};

/// Decides the requests of the logs at both releases. If `agents` is given, it gets who asks as a node and is no
/// kubelet.
Result<Replay> replay(const ReplayQuestion& question, std::vector<AgentOfNodes>* agents = nullptr);

}  // namespace nodebound::replay
