#pragma once

#include <string_view>
#include <vector>

#include "harness/mutants/faults/conditions.h"
#include "reference/identity/subject.h"

namespace nodebound::mutants {

/// The caller as a faulty judge sees it.
using IdentitySlip = Subject (*)(const Subject& caller);

struct IdentitySlipEntry {
  Word word;
  IdentitySlip slip;
};

/// The ways in which a judge takes a caller for somebody else, in order.
const std::vector<IdentitySlipEntry>& identity_slips();

}  // namespace nodebound::mutants
