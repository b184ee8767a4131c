#pragma once

#include <string>
#include <string_view>

#include "harness/lint/remark.h"
#include "reference/release/rule_set.h"
#include "reference/result.h"

namespace nodebound::lint {

enum class ConfigurationKind {
  apiserver_flags,
  abac_policies,
  admission_configuration,
  admission_policy,
  authorization_configuration,
  kubelet_configuration
};

/// `flags of kube-apiserver`, …
std::string_view to_string(ConfigurationKind kind);

struct LintedConfiguration {
  ConfigurationKind kind;
  Remarks remarks;
};

/// Reads a configuration as the release of `rules` reads it. An input error if the text is none of those that are
/// known.
Result<LintedConfiguration> lint_configuration(std::string_view text, const std::string& file, const RuleSet& rules);

}  // namespace nodebound::lint
