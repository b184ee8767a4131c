#pragma once

#include <string_view>
#include <vector>

#include "harness/mutants/conditions.h"
#include "reference/identity/subject.h"

namespace nodebound {

/// Whom a faulty judge takes the caller for.
using IdentitySlip = Subject (*)(const Subject& caller);

struct IdentitySlipEntry {
  Word word;
  IdentitySlip slip;
};

/// The ways in which a caller is taken for somebody else, in order.
const std::vector<IdentitySlipEntry>& identity_slips();

}  // namespace nodebound
