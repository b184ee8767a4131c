#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reference/release/refusal_text.h"
#include "reference/release/release.h"
#include "reference/release/release_range.h"
#include "reference/release/rule_ids.h"
#include "reference/release/version.h"
#include "reference/result.h"

namespace nodebound {

/// The component that decides: a part of an API server, or a kubelet for its own API.
enum class Layer { authentication, authorizer, admission, validation, kubelet };
enum class Effect { grant, restriction, reason };

std::string_view to_string(Layer layer);
std::string_view to_string(Effect effect);

/// An RBAC rule, as in a Role or ClusterRole.
struct PolicyRule {
  std::vector<std::string> verbs;
  std::vector<std::string> groups;
  std::vector<std::string> resources;
  std::vector<std::string> names;
  std::vector<std::string> urls;
};

/// A reference that ties an object to a pod or volume, and thereby to a node.
struct EdgeRule {
  std::string from;                ///< kind of the referenced object: `secret`, `configmap`, …
  std::vector<std::string> paths;  ///< where pods reference it, or where it names its node; `[]` goes through a list
  struct VolumePath {
    std::string name;
    std::string namespace_;
    std::string namespace_rule;  ///< id of the rule that makes the namespace count; may be empty
    bool or_namespace_of_claim = false;
  };
  std::optional<VolumePath> volume;  ///< where a PersistentVolume references it
};

/// A bootstrap role, or additional rules for one.
struct RoleRule {
  std::string name;
  std::string binding;  ///< name of its ClusterRoleBinding; empty if this rule makes none
  std::vector<std::string> users;
  std::vector<std::string> groups;
  std::vector<PolicyRule> rules;
  bool node_rules = false;  ///< its rules are the static rules of nodes
};

struct RuleEntry {
  std::string id;
  std::string title;  ///< of its group
  std::string statement;
  Layer layer = Layer::authorizer;
  Effect effect = Effect::restriction;
  std::string authorizer;  ///< for rules of the authorizer layer: `node` or `rbac`
  std::string plugin;
  int status = 403;
  std::vector<ReleaseRange> in_force;
  ByRelease<RefusalText> refusal;
  std::vector<std::string> source;
  std::string unreachable;
  std::optional<EdgeRule> edge;
  std::vector<PolicyRule> allows;
  std::optional<RoleRule> role;
  std::vector<std::string> label_keys;
  std::vector<std::string> label_domains;
  std::map<std::string, std::string> drivers;  ///< from in-tree volume source to CSI driver
};

struct GateEntry {
  struct Stage {
    Version since;
    bool on = false;
    bool locked = false;
  };
  /// A gate that must be on if this gate is on.
  struct Requirement {
    std::string gate;
    ReleaseRange range;
  };
  std::string name;
  std::vector<Stage> stages;
  std::optional<Version> until;
  std::vector<Requirement> requirements;
  /// Patch releases without the gate, although a fix had brought it to earlier minors.
  std::vector<ReleaseRange> absent;

  /// Whether the version no longer has the gate because its feature is always on.
  [[nodiscard]] bool graduated_before(const Version& version) const {
    return until && version >= *until && stages.back().on;
  }
};

/// A known upstream defect: the releases that break `rule`.
struct Deviation {
  std::string id;
  std::string rule;
  ReleaseRange range;
  std::string issue;
  std::string statement;
  bool crowded = false;  ///< needs hundreds of objects: with few, a broken rule has another cause
};

/// An entry of behaviours.toml or kubelet_traits.toml, which explain the fields.
struct BehaviourEntry {
  std::string id;
  std::string statement;
  std::string plugin;
  std::vector<ReleaseRange> in_force;
  std::vector<std::string> source;
};

/// The texts of the data files; what is left out has no entries.
struct CatalogueFiles {
  std::string_view rules;
  std::string_view gates = {};
  std::string_view deviations = {};
  std::string_view behaviours = {};
  std::string_view kubelet_traits = {};
};

/// What is known of all releases: rules, behaviours and traits of kubelets, feature gates and deviations; read once,
/// never changed.
class Catalogue {
 public:
  /// The catalogue this binary was built with.
  static const Catalogue& built_in();
  /// The texts that it was read from.
  static const CatalogueFiles& built_in_files();

  /// Reads the data files, of any content; errors carry `name:line:column`.
  static Result<Catalogue> parse(const CatalogueFiles& files);

  [[nodiscard]] const RuleEntry& operator[](Rule rule) const { return rules_[static_cast<std::size_t>(rule)]; }
  [[nodiscard]] const BehaviourEntry& operator[](Behaviour one) const { return entry_of(behaviours_, one); }
  [[nodiscard]] const BehaviourEntry& operator[](KubeletTrait one) const { return entry_of(kubelet_traits_, one); }
  [[nodiscard]] const std::vector<BehaviourEntry>& behaviours() const { return behaviours_; }
  [[nodiscard]] const std::vector<BehaviourEntry>& kubelet_traits() const { return kubelet_traits_; }
  [[nodiscard]] const std::vector<RuleEntry>& rules() const { return rules_; }
  [[nodiscard]] const std::vector<GateEntry>& gates() const { return gates_; }
  [[nodiscard]] const std::vector<Deviation>& deviations() const { return deviations_; }

  /// The releases that the catalogue covers.
  [[nodiscard]] const ReleaseRange& releases() const { return releases_; }
  /// The highest patch number that a release of the version's minor can have, as far as known.
  [[nodiscard]] int last_patch(const Version& version) const;
  /// Names of the gates that decide whether a rule is in force.
  [[nodiscard]] std::set<std::string, std::less<>> deciding_gates() const;

  [[nodiscard]] std::optional<Rule> find(std::string_view id) const;
  [[nodiscard]] const GateEntry* find_gate(std::string_view name) const;
  [[nodiscard]] const Deviation* find_deviation(std::string_view id) const;

  /// The releases at which anything may change, oldest first: every version that a rule, a gate or a refusal text
  /// names, and the first release of each minor, where back-ports to the previous minor do not count.
  [[nodiscard]] std::vector<Version> turning_points() const;

 private:
  // A catalogue of less than the built-in one knows nothing of the other ids: none of them holds in any release.
  template <typename Id>
  static const BehaviourEntry& entry_of(const std::vector<BehaviourEntry>& entries, Id id) {
    static const BehaviourEntry none;
    const auto at = static_cast<std::size_t>(id);
    return at < entries.size() ? entries[at] : none;
  }

  ReleaseRange releases_;
  std::map<Version, int> last_patches_;  ///< by minor
  std::vector<RuleEntry> rules_;
  std::vector<GateEntry> gates_;
  std::vector<Deviation> deviations_;
  std::vector<BehaviourEntry> behaviours_;
  std::vector<BehaviourEntry> kubelet_traits_;
};

}  // namespace nodebound
