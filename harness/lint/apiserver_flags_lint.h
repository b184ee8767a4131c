#pragma once

#include <string>

#include "harness/lint/apiserver_flags.h"
#include "harness/lint/remark.h"
#include "reference/release/rule_set.h"

namespace nodebound::lint {

/// What the release makes of kube-apiserver's flags, as far as they decide what a node may do. `rules` are those of the
/// release with its default gates.
Remarks lint_apiserver_flags(const ApiServerFlags& flags, const std::string& file, const RuleSet& rules);

}  // namespace nodebound::lint
