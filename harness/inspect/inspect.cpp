#include "harness/inspect/inspect.h"

#include "harness/inspect/inspections.h"
#include "reference/release/rule_set.h"

namespace nodebound::inspect {

Inspection inspect(const Inspected& inspected, const Upgrade& upgrade, const InspectionKnowledge& knowledge) {
  const RuleSet rules(upgrade.catalogue(), upgrade.to());
  FoundList found(knowledge, upgrade);
  const InspectionRun run{knowledge, rules, inspected, found};
  inspect_credentials(run);
  inspect_node_labels(run);
  inspect_roles(run);
  inspect_bindings(run);
  inspect_tokens(run);
  inspect_admission(run);
  Inspection out;
  if (upgrade.from()) out.from = upgrade.from()->version.text();
  out.to = upgrade.to().version.text();
  out.gates = upgrade.to().changed_gates();
  out.files = inspected.files;
  out.objects = inspected.objects.size();
  out.not_new = found.not_new();
  out.not_yet = found.not_yet();
  out.left_out = found.left_out();
  out.findings = std::move(found).findings();
  out.troubles = inspected.troubles;
  return out;
}

}  // namespace nodebound::inspect
