#pragma once

#include <string>

#include "harness/kubelet/kubelet_scenario.h"
#include "reference/release/toml_reader.h"

namespace nodebound::kubelet_conformance {

/// Reads `[[step]]` and `[[start]]` of a scenario. Each throws TomlMistake for the first mistake.
KubeletStep read_kubelet_step(const toml::table& table, const std::string& file, const Catalogue& catalogue);
KubeletStart read_kubelet_start(const toml::table& table, const std::string& file, const Catalogue& catalogue);

/// `since`, `until`, `where` and `unless`.
KubeletHolds read_kubelet_holds(TomlReader& in, const Catalogue& catalogue);

}  // namespace nodebound::kubelet_conformance
