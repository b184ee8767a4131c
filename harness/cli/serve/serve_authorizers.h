#pragma once

#include <memory>
#include <string>
#include <vector>

#include "reference/authorizer/abac_authorizer.h"
#include "reference/authorizer/authorization_mode.h"
#include "reference/result.h"

namespace nodebound {

/// The modes of --authorization-mode. What kube-apiserver refuses to start with is an error, in its words.
Result<std::vector<AuthorizationMode>> read_authorization_modes(const std::vector<std::string>& texts);

/// The policies of --authorization-policy-file, if one of the modes is ABAC; otherwise null. Warns on standard error of
/// policies without a version.
Result<std::shared_ptr<const AbacPolicies>> read_abac_policies(const std::vector<AuthorizationMode>& modes,
                                                               const std::string& policy_file);

}  // namespace nodebound
