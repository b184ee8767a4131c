#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fakes/apiserver/review/access_control.h"
#include "reference/result.h"

namespace nodebound {

/// The modes of --authorization-mode. What kube-apiserver refuses to start with is an error, in its words.
Result<std::vector<AuthorizationMode>> read_authorization_modes(const std::vector<std::string>& texts);

/// What makes the authorizers of these modes: with the policies of --authorization-policy-file, if one is ABAC. Warns
/// on standard error of policies without a version. Null: the reference's own are enough.
Result<std::shared_ptr<AccessControl>> read_authorizers(const std::vector<AuthorizationMode>& modes,
                                                        const std::string& policy_file);

}  // namespace nodebound
