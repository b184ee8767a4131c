#include "harness/lint/abac_lint.h"

#include <array>

#include "fakes/authorization/abac_policy_file.h"
#include "reference/authorizer/attributes.h"

namespace nodebound::lint {
namespace {

struct Caller {
  const char* who;
  Subject subject;
};

// Each has the groups that kube-apiserver adds to such a caller. Whoever comes first holds those that follow.
const std::array<Caller, 3>& callers() {
  static const std::array<Caller, 3> all = {{
      {"anybody", {"system:anonymous", {"system:unauthenticated"}, "", {}}},
      {"every authenticated user", {"nobody", {"system:authenticated"}, "", {}}},
      {"every node", {"system:node:nobody", {"system:nodes", "system:authenticated"}, "", {}}},
  }};
  return all;
}

struct Deed {
  const char* what;
  const char* method;
  const char* target;
};

// What the Node authorizer and NodeRestriction keep from a node.
constexpr std::array<Deed, 8> deeds = {{
    {"read Secrets that no pod of its own refers to", "GET", "/api/v1/namespaces/kube-system/secrets/other"},
    {"list all Secrets", "GET", "/api/v1/secrets"},
    {"create pods anywhere", "POST", "/api/v1/namespaces/kube-system/pods"},
    {"delete pods of other nodes", "DELETE", "/api/v1/namespaces/kube-system/pods/other"},
    {"change other Nodes", "PATCH", "/api/v1/nodes/other"},
    {"request tokens of any service account", "POST", "/api/v1/namespaces/kube-system/serviceaccounts/other/token"},
    {"reach the API of other kubelets", "GET", "/api/v1/nodes/other/proxy/pods"},
    {"give itself roles", "POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings"},
}};

std::string list_of(const std::vector<std::string>& parts) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out += i + 1 == parts.size() ? " and " : ", ";
    out += parts[i];
  }
  return out;
}

void judge_line(const AbacPolicies& policies, const std::string& where, const RuleSet& rules, Remarks& out) {
  for (const Caller& caller : callers()) {
    std::vector<std::string> may;
    for (const Deed& deed : deeds) {
      if (policies.allowing(rules, caller.subject, attributes_of(deed.method, deed.target)) != nullptr)
        may.emplace_back(deed.what);
    }
    if (may.empty()) continue;
    out.push_back({Remark::Kind::unsafe, where, std::string("lets ") + caller.who + " " + list_of(may),
                   "name the user or the group that needs it; a node needs no policy: it has the Node authorizer"});
    return;
  }
}

}  // namespace

Remarks lint_abac_policies(std::string_view text, const std::string& file, const RuleSet& rules) {
  const Result<authorization::AbacPolicyFile> whole =
      authorization::read_abac_policy_file(text, file, &rules.release());
  if (!whole) {
    return {{Remark::Kind::refused, whole.error().where, whole.error().what,
             "kube-apiserver reads one policy a line, and starts with none of them if one is wrong"}};
  }
  Remarks out;
  for (std::size_t line = 1, begin = 0; begin <= text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const Result<authorization::AbacPolicyFile> policy =
        authorization::read_abac_policy_file(text.substr(begin, end - begin), file);
    if (policy) judge_line(*policy->policies, file + ":" + std::to_string(line), rules, out);
    begin = end + 1;
  }
  for (const std::size_t line : whole->unversioned) {
    out.push_back({Remark::Kind::ignored, file + ":" + std::to_string(line),
                   "the policy has no apiVersion, so it holds for the resource in all API groups",
                   "write it in version abac.authorization.kubernetes.io/v1beta1, with its apiGroup"});
  }
  return out;
}

}  // namespace nodebound::lint
