#pragma once

#include "harness/scenario/loader.h"
#include "reference/test/project_paths.h"

namespace nodebound {

inline const Catalogue& catalogue() {
  return Catalogue::built_in();
}

/// The scenarios of this repository.
inline const std::vector<Scenario>& project_scenarios() {
  static const LoadedScenarios loaded = load_scenarios(project::file("scenarios"), catalogue());
  return loaded.scenarios;
}

}  // namespace nodebound
