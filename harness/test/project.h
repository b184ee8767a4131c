#pragma once

#include "harness/scenario/loader.h"

namespace nodebound {

inline const Catalogue& catalogue() {
  return Catalogue::built_in();
}

/// The scenarios of this repository.
inline const std::vector<Scenario>& project_scenarios() {
  static const LoadedScenarios loaded = load_scenarios(NODEBOUND_SOURCE_DIR "/scenarios", catalogue());
  return loaded.scenarios;
}

}  // namespace nodebound
