#pragma once

#include <string>
#include <vector>

#include "harness/draft/census.h"
#include "reference/release/catalogue.h"
#include "reference/result.h"

namespace nodebound::draft {

/// A step of an upgrade: the control plane, or a pool, gets a version.
struct UpgradeStep {
  std::string pool;  ///< empty: the control plane
  Version to;
};

/// The control plane minor by minor, and each pool after it. A pool that the next release of the API servers would not
/// accept goes first. An error if the version skew policy allows no way.
Result<std::vector<UpgradeStep>> upgrade_steps(const Catalogue& catalogue, const std::vector<CountedPool>& pools,
                                               const Version& from, const Version& to);

}  // namespace nodebound::draft
