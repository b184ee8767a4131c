#pragma once

#include <memory>
#include <vector>

#include "harness/mutants/mutant.h"
#include "harness/mutants/mutant_setting.h"

namespace nodebound::mutants {

/// The releases at which a rule's range may be off by one: the turning points, and the patch releases before back-ports
/// to older minors.
std::vector<Version> boundary_releases(const Catalogue& catalogue);

/// Of those releases, the ones before and after the given release, if they exist.
std::vector<Version> neighbours(const Catalogue& catalogue, const Version& version);

/// The settings of one release: its defaults; all deciding gates on; all off; all on but one of those that each put a
/// rule in force alone; and without the plugin that refuses mirror pods before NodeRestriction. Equal settings appear
/// once.
std::vector<std::unique_ptr<MutantSetting>> settings_of(const Catalogue& catalogue, const Version& version,
                                                        const std::vector<Scenario>& scenarios,
                                                        const ReachObserver& observer);

/// The mutants of a release. A rule that a mutant removes is in force on one of the settings. A rule that it adds is in
/// force in the release before or after, or with other gates.
std::vector<std::size_t> mutants_at(const std::vector<Mutant>& mutants,
                                    const std::vector<std::unique_ptr<MutantSetting>>& settings);

}  // namespace nodebound::mutants
