#include "harness/cli/serve/serve_authorizers.h"

#include <algorithm>
#include <iostream>

#include "fakes/authorization/abac_policy_file.h"
#include "harness/objects/input_file.h"

namespace nodebound {
namespace {

constexpr const char* mode_flag = "--authorization-mode";
constexpr const char* policy_flag = "--authorization-policy-file";

Result<AbacPolicyFile> read_policies(const std::string& file) {
  if (file.empty()) {
    return input_error(mode_flag, "authorization-mode ABAC's authorization policy file not passed",
                       std::string("name it with ") + policy_flag);
  }
  const auto text = bytes_of_file(file, input_limit::objects);
  if (!text) return input_error(policy_flag, "cannot read " + file + ": " + text.error());
  return read_abac_policy_file(*text, file);
}

void warn_of_unversioned(const AbacPolicyFile& read, const std::string& file) {
  if (read.unversioned.empty()) return;
  std::cerr << "warning: " << file << ":" << read.unversioned.front() << ": " << read.unversioned.size()
            << " policies without apiVersion, which hold for all API groups\n";
}

}  // namespace

Result<std::vector<AuthorizationMode>> read_authorization_modes(const std::vector<std::string>& texts) {
  std::vector<AuthorizationMode> modes;
  for (const std::string& text : texts) {
    if (text == "Webhook") {
      return input_error(mode_flag, "\"Webhook\" is not implemented here",
                         "there are Node, RBAC, ABAC, AlwaysAllow and AlwaysDeny");
    }
    const Result<AuthorizationMode> mode = parse_authorization_mode(mode_flag, text);
    if (!mode) return tl::unexpected<Error>(mode.error());
    if (std::find(modes.begin(), modes.end(), *mode) != modes.end()) {
      return input_error(mode_flag, "\"" + text + "\" is given twice");
    }
    modes.push_back(*mode);
  }
  return modes;
}

Result<std::shared_ptr<const AbacPolicies>> read_abac_policies(const std::vector<AuthorizationMode>& modes,
                                                               const std::string& policy_file) {
  if (std::find(modes.begin(), modes.end(), AuthorizationMode::abac) == modes.end()) {
    if (policy_file.empty()) return nullptr;
    return input_error(policy_flag, "cannot specify --authorization-policy-file without mode ABAC",
                       "add ABAC to --authorization-mode");
  }
  Result<AbacPolicyFile> read = read_policies(policy_file);
  if (!read) return tl::unexpected<Error>(read.error());
  warn_of_unversioned(*read, policy_file);
  return std::move(read->policies);
}

}  // namespace nodebound
