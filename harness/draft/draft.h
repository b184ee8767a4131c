#pragma once

#include <string>
#include <vector>

#include "harness/draft/census.h"
#include "harness/replay/clients/client_table.h"
#include "reference/release/catalogue.h"
#include "reference/result.h"
#include "reports/findings/finding.h"

namespace nodebound::draft {

/// What a plan is drafted from.
struct DraftQuestion {
  inspect::Inspected cluster;
  std::string name;  ///< of the cluster, for the title
  Version from;
  Version to;
  GateSettings gates;  ///< that the API servers have, apart from the defaults
  std::string pool_label;
  std::vector<replay::AgentOfNodes> agents;  ///< of a log
  std::vector<Finding> with_credentials;     ///< workloads that hold the kubelet's credentials
};

struct DraftedPlan {
  std::string plan;     ///< TOML
  std::string objects;  ///< YAML: roles and bindings of nodes; empty if there are none
  std::vector<std::string> notes;
};

/// The plan. `objects_file` is the name by which it refers to the objects.
Result<DraftedPlan> draft_plan(const Catalogue& catalogue, const DraftQuestion& question,
                               const std::string& objects_file);

}  // namespace nodebound::draft
