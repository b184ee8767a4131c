#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "reference/cluster/object.h"
#include "reference/encoding/short_text.h"
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
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return text_hash(text, 0); }
  };
  struct KeyLess {
    using is_transparent = void;
    template <typename A, typename B>
    bool operator()(const A& a, const B& b) const {
      const int order = std::string_view(a.first).compare(b.first);
      return order != 0 ? order < 0 : a.second < b.second;
    }
  };
  template <typename Value>
  using ByText = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;
  using Named = std::map<std::string_view, std::shared_ptr<const Binding>>;  ///< by the binding's own name
  struct OfSubject {
    Named cluster_wide;
    ByText<Named> in_namespaces;
  };
  using BySubject = ByText<OfSubject>;

 public:
  using Roles = std::map<Key, std::vector<PolicyRule>, KeyLess>;

  /// The bindings that name a user or one of its groups. What finding them takes does not depend on how many others
  /// there are.
  class BindingsOf {
   public:
    BindingsOf(const RbacObjects& objects, const std::string& user, const std::vector<std::string>& groups);

    /// Goes on with a namespace's RoleBindings, or if it is empty, with the ClusterRoleBindings.
    void start(std::string_view namespace_);
    /// Each binding once, in the order of their names; null after the last one.
    [[nodiscard]] const Binding* next();

   private:
    struct Part {
      const OfSubject* all;
      Named::const_iterator at;
      Named::const_iterator end;
    };
    static constexpr std::size_t usual_groups = 8;

    void add(const BySubject& all, const std::string& name);
    [[nodiscard]] Part& part(std::size_t i) { return i < few_.size() ? few_[i] : more_[i - few_.size()]; }

    std::array<Part, usual_groups> few_;
    std::vector<Part> more_;
    std::size_t count_ = 0;
  };

  /// Starts with the bootstrap roles and bindings that are in force.
  explicit RbacObjects(const RuleSet& rules);

  /// `resource` is roles, clusterroles, rolebindings or clusterrolebindings.
  void put(std::string_view resource, const std::string& namespace_, const std::string& name, const Object& object);
  void erase(std::string_view resource, const std::string& namespace_, const std::string& name);

  [[nodiscard]] const Roles& roles() const { return roles_; }
  [[nodiscard]] const std::map<Key, std::shared_ptr<const Binding>>& bindings() const { return bindings_; }
  [[nodiscard]] const std::vector<PolicyRule>* role(std::string_view namespace_, std::string_view name) const;

 private:
  void set(const Key& key, Binding binding);
  void forget(const Key& key);
  [[nodiscard]] BySubject& of_kind(const BindingSubject& subject);

  Roles roles_;
  std::map<Key, std::shared_ptr<const Binding>> bindings_;
  BySubject users_;  ///< service accounts too, by the names that they have as users
  BySubject groups_;
};

}  // namespace nodebound
