#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "reference/admission/pod_placement.h"
#include "reference/result.h"

namespace nodebound {

/// Reads what kube-apiserver's --admission-control-config-file, an AdmissionConfiguration, says about the plugins
/// PodNodeSelector and PodTolerationRestriction. `read` reads a file that it names by `path`. `name` stands for the
/// file in errors.
Result<PlacementSettings> read_pod_placement(std::string_view text, const std::string& name,
                                             const std::function<Result<std::string>(const std::string& path)>& read);

}  // namespace nodebound
