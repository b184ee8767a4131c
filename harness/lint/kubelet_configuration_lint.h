#pragma once

#include <string>
#include <string_view>

#include "harness/lint/remark.h"
#include "reference/release/rule_set.h"

namespace nodebound::lint {

/// A kubelet's configuration file, as a kubelet of the release that has a kubeconfig reads it.
Remarks lint_kubelet_configuration(std::string_view text, const std::string& file, const RuleSet& rules);

}  // namespace nodebound::lint
