#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reference/cluster/object.h"
#include "reference/release/rule_set.h"

namespace nodebound {

/// Roles and bindings, as RBAC evaluates them.
class RbacObjects {
 public:
  struct BindingSubject {
    enum class Kind { user, group, service_account };
    Kind kind;
    std::string name;
    std::string namespace_;  ///< of a service account
  };
  struct Binding {
    std::string name;
    std::string namespace_;  ///< empty for a ClusterRoleBinding
    bool to_cluster_role = true;
    std::string role;
    std::vector<BindingSubject> subjects;
  };
  /// Namespace and name; the namespace is empty for a ClusterRole or ClusterRoleBinding.
  using Key = std::pair<std::string, std::string>;

  /// Starts with the bootstrap roles and bindings that are in force.
  explicit RbacObjects(const RuleSet& rules);

  /// `resource` is roles, clusterroles, rolebindings or clusterrolebindings.
  void put(std::string_view resource, const std::string& namespace_, const std::string& name, const Object& object);
  void erase(std::string_view resource, const std::string& namespace_, const std::string& name);

  [[nodiscard]] const std::map<Key, std::vector<PolicyRule>>& roles() const { return roles_; }
  [[nodiscard]] const std::map<Key, Binding>& bindings() const { return bindings_; }
  [[nodiscard]] const std::vector<PolicyRule>* role(const std::string& namespace_, const std::string& name) const;

 private:
  std::map<Key, std::vector<PolicyRule>> roles_;
  std::map<Key, Binding> bindings_;
};

}  // namespace nodebound
