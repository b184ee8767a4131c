#pragma once

#include "harness/findings/relevance.h"
#include "harness/inspect/inspected_object.h"
#include "harness/inspect/knowledge.h"
#include "reports/inspection/inspection.h"

namespace nodebound::inspect {

/// What the upgrade will refuse, or lets somebody do too much, as far as the objects show it.
Inspection inspect(const Inspected& inspected, const Upgrade& upgrade,
                   const InspectionKnowledge& knowledge = InspectionKnowledge::built_in());

}  // namespace nodebound::inspect
