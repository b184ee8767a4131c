#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "reference/authorizer/authorizer.h"

namespace nodebound {

/// One policy of attribute-based access control (pkg/apis/abac/types.go). An empty user or group asks for none; a
/// policy with neither holds for nobody.
struct AbacPolicy {
  std::string user;
  std::string group;
  bool readonly = false;
  std::string api_group;  ///< like the next two, `*` for any
  std::string resource;   ///< without a subresource: ABAC does not look at it
  std::string namespace_;
  std::string non_resource_path;  ///< may end with `*`

  /// How the policy was written. What it holds for is in the fields above all the same.
  enum class Subjects { named, any, left_out };
  Subjects subjects = Subjects::named;  ///< `any`: user or group is `*`
  bool unversioned = false;             ///< without apiVersion
};

/// The policies of a policy file, indexed so that a decision takes as long with ten as with a hundred thousand.
class AbacPolicies {
 public:
  explicit AbacPolicies(std::vector<AbacPolicy> policies);
  /// The index refers to the texts of the policies.
  AbacPolicies(const AbacPolicies&) = delete;
  AbacPolicies& operator=(const AbacPolicies&) = delete;

  /// The policy that allows it; null if none does.
  [[nodiscard]] const AbacPolicy* allowing(const RuleSet& rules, const Subject& subject,
                                           const Attributes& attributes) const;

  /// What a subject may do in a namespace, in the order of the file.
  [[nodiscard]] std::vector<const AbacPolicy*> policies_for(const RuleSet& rules, const Subject& subject,
                                                            const std::string& namespace_) const;

 private:
  /// Of whom and of which resource policies are; those of a user may ask for a group, too.
  struct Key {
    bool of_user = false;
    std::string_view subject;
    std::string_view resource;

    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  using Index = std::unordered_map<Key, std::vector<std::uint32_t>, Hash>;

  /// A question to the policies.
  struct Question {
    const RuleSet& rules;
    const Subject& subject;
    const Attributes& attributes;
  };

  [[nodiscard]] const AbacPolicy* first_of(const Index& index, const Key& key, const Question& question) const;
  [[nodiscard]] const AbacPolicy* first_as(bool user, std::string_view name, const Question& question) const;

  std::vector<AbacPolicy> policies_;
  Index of_resources_;
  Index of_paths_;  ///< of no resource
};

/// Attribute-based access control (pkg/auth/authorizer/abac/abac.go): a file of policies, read once at the start. It
/// never denies.
class AbacAuthorizer final : public Authorizer {
 public:
  /// Both must outlive the authorizer.
  AbacAuthorizer(const RuleSet& rules, const AbacPolicies& policies) : rules_(rules), policies_(policies) {}

  [[nodiscard]] std::string_view name() const override { return "abac"; }
  [[nodiscard]] Decision authorize(const Subject& subject, const Attributes& attributes) const override;
  /// In the order of the file.
  [[nodiscard]] SubjectRules rules_for(const Subject& subject, const std::string& namespace_) const override;

 private:
  const RuleSet& rules_;
  const AbacPolicies& policies_;
};

}  // namespace nodebound
