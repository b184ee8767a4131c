#pragma once

#include <memory>
#include <vector>

#include "harness/mutants/ground.h"
#include "harness/mutants/mutant.h"

namespace nodebound {

/// The releases at which a rule may be wrong by one: the turning points, and the patch releases before those that
/// brought something back to an older minor.
std::vector<Version> boundary_releases(const Catalogue& catalogue);

/// Of those, the one before the release and the one after it, as far as there are any.
std::vector<Version> neighbours(const Catalogue& catalogue, const Version& version);

/// The grounds of one release: as it comes, with all gates on or off that decide something, with all on but one of
/// those that each put a rule in force alone, and without the plugin that refuses mirror pods before NodeRestriction
/// sees them. Those that are the same are there once.
std::vector<std::unique_ptr<Ground>> grounds_of(const Catalogue& catalogue, const Version& version,
                                                const std::vector<Scenario>& scenarios, const Scout& scout);

/// The mutants that there are at a release: what they have wrong is in force on one of the grounds, and what they have
/// in force too much is so in the release before or after, or with another setting of the gates.
std::vector<std::size_t> mutants_at(const std::vector<Mutant>& mutants,
                                    const std::vector<std::unique_ptr<Ground>>& grounds);

}  // namespace nodebound
