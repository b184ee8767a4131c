#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reference/authorizer/abac_authorizer.h"
#include "reference/release/catalogue.h"
#include "reference/result.h"

namespace nodebound::authorization {

/// What kube-apiserver reads of --authorization-policy-file.
struct AbacPolicyFile {
  std::shared_ptr<const AbacPolicies> policies;
  std::vector<std::size_t> unversioned;  ///< the lines, from 1, of the version that has no apiVersion
};

/// Reads a policy on each line that is not empty and no comment (`#`), in version v1beta1 or in the unversioned one
/// before it, as JSON or YAML. The error is kube-apiserver's own text, in that release (null: in the newest one); its
/// place is `name:line`.
Result<AbacPolicyFile> read_abac_policy_file(std::string_view text, const std::string& name,
                                             const Release* release = nullptr);

}  // namespace nodebound::authorization
