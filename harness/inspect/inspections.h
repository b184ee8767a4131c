#pragma once

#include "harness/inspect/found.h"
#include "harness/inspect/inspected_object.h"
#include "harness/inspect/knowledge.h"
#include "reference/release/rule_set.h"

namespace nodebound::inspect {

/// What inspections look at, and where they put what they find.
struct InspectionRun {
  const InspectionKnowledge& knowledge;
  const RuleSet& rules;  ///< of the release one is going to
  const Inspected& inspected;
  FoundList& found;
};

/// Workloads that mount or are handed the credentials of kubelets.
void inspect_credentials(const InspectionRun& run);
/// Labels that kubelets shall set and may not.
void inspect_node_labels(const InspectionRun& run);
/// Roles: nodes/proxy, get without create, claims of devices.
void inspect_roles(const InspectionRun& run);
/// Bindings of nodes and of everybody.
void inspect_bindings(const InspectionRun& run);
/// Tokens with audiences.
void inspect_tokens(const InspectionRun& run);
/// Webhooks and policies that catch what kubelets write, or miss it.
void inspect_admission(const InspectionRun& run);

}  // namespace nodebound::inspect
