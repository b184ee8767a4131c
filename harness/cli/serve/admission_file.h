#pragma once

#include <string>

#include "reference/admission/pod_placement.h"
#include "reference/result.h"

namespace nodebound::cli {

/// What the AdmissionConfiguration of `--admission-control-config-file` says about the placement of pods; a path in it
/// starts from its folder. Without a file (empty) nothing is said.
Result<PlacementSettings> placement_of_file(const std::string& file);

}  // namespace nodebound::cli
