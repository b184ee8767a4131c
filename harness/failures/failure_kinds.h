#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/run/report.h"

namespace nodebound::failures {

/// Failed checks with the same deciding rule, layer, expectation and answer: mostly one fault.
struct FailureKind {
  std::vector<std::size_t> checks;  ///< by number; the first stands for all
};

/// The kinds of a report's failures, in the order of their first.
std::vector<FailureKind> failure_kinds(const Report& report);

}  // namespace nodebound::failures
