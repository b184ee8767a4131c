#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "reference/cluster/object.h"
#include "reference/release/rule_set.h"

namespace nodebound {

/// The rules of a Role or ClusterRole.
std::vector<PolicyRule> rules_of_role(const Object& role);

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

 private:
  using Named = std::map<std::string_view, std::shared_ptr<const Binding>>;  ///< by the binding's own name
  using BySubject = std::unordered_map<std::string, Named>;
  struct InNamespace {
    BySubject users;  ///< service accounts too, by the names that they have as users
    BySubject groups;
  };

 public:
  /// The bindings of a namespace (empty: the ClusterRoleBindings) that name a user or one of its groups, each once and
  /// in the order of their names. What finding them takes does not depend on how many others there are.
  class BindingsOf {
   public:
    BindingsOf(const RbacObjects& objects, const std::string& namespace_, const std::string& user,
               const std::vector<std::string>& groups);

    /// Null after the last one.
    [[nodiscard]] const Binding* next();

   private:
    struct Rest {
      Named::const_iterator at;
      Named::const_iterator end;
    };
    static constexpr std::size_t usual_groups = 8;

    void add(const BySubject& all, const std::string& name);
    [[nodiscard]] Rest& rest(std::size_t i) { return i < few_.size() ? few_[i] : more_[i - few_.size()]; }

    std::array<Rest, usual_groups> few_{};
    std::vector<Rest> more_;
    std::size_t count_ = 0;
  };

  /// Starts with the bootstrap roles and bindings that are in force.
  explicit RbacObjects(const RuleSet& rules);

  /// `resource` is roles, clusterroles, rolebindings or clusterrolebindings.
  void put(std::string_view resource, const std::string& namespace_, const std::string& name, const Object& object);
  void erase(std::string_view resource, const std::string& namespace_, const std::string& name);

  [[nodiscard]] const std::map<Key, std::vector<PolicyRule>>& roles() const { return roles_; }
  [[nodiscard]] const std::map<Key, std::shared_ptr<const Binding>>& bindings() const { return bindings_; }
  [[nodiscard]] const std::vector<PolicyRule>* role(const std::string& namespace_, const std::string& name) const;

 private:
  void set(const Key& key, Binding binding);
  void forget(const Key& key);
  [[nodiscard]] BySubject& of_kind(const Binding& binding, const BindingSubject& subject);

  std::map<Key, std::vector<PolicyRule>> roles_;
  std::map<Key, std::shared_ptr<const Binding>> bindings_;
  std::map<std::string, InNamespace> index_;
};

}  // namespace nodebound
