#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reference/release/refusal_text.h"
#include "reference/release/rule_ids.h"
#include "reference/release/version.h"
#include "reference/result.h"

namespace nodebound {

/// Who decides: a part of an API server, or a kubelet about its own API.
enum class Layer { authentication, authorizer, admission, validation, kubelet };
enum class Effect { grant, restriction, reason };

std::string_view to_string(Layer layer);
std::string_view to_string(Effect effect);

/// Feature gates by name, on or off.
using GateSettings = std::map<std::string, bool>;

/// As a flag has them: `A=true,B=false`.
std::string to_flag(const GateSettings& gates);

/// When a rule is in force: in any of its ranges whose gates are as it wants them.
struct ForceRange {
  /// Releases that brought the rule in, oldest first. A patch release counts for its own minor only, unless it is last.
  std::vector<Version> since;
  std::optional<Version> until;  ///< first release without the rule
  std::vector<std::string> gates;
  std::vector<std::string> any_gate;
  std::vector<std::string> unless_gates;
};

/// A rule of RBAC, as in a Role or ClusterRole.
struct PolicyRule {
  std::vector<std::string> verbs;
  std::vector<std::string> groups;
  std::vector<std::string> resources;
  std::vector<std::string> names;
  std::vector<std::string> urls;
};

/// A reference that ties an object to a pod or volume, and so to a node.
struct EdgeRule {
  std::string from;                ///< kind of the object that is referenced: `secret`, `configmap`, …
  std::vector<std::string> paths;  ///< where pods name it, or where it names its node; `[]` goes through a list
  struct VolumePath {
    std::string name;
    std::string namespace_;
    std::string namespace_rule;  ///< id of the rule without which the namespace does not count; may be empty
    bool or_namespace_of_claim = false;
  };
  std::optional<VolumePath> volume;  ///< where a PersistentVolume names it
};

/// A bootstrap role, or further rules of one.
struct RoleRule {
  std::string name;
  std::string binding;  ///< name of its ClusterRoleBinding; empty if the rule makes none
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
  std::string authorizer;  ///< of the rules of that layer, which one decides: `node` or `rbac`
  std::string plugin;
  int status = 403;
  std::vector<ForceRange> in_force;
  std::vector<std::pair<Version, RefusalText>> refusal;  ///< by release, oldest first
  std::vector<std::string> source;
  std::string unreachable;
  std::optional<EdgeRule> edge;
  std::vector<PolicyRule> allows;
  std::optional<RoleRule> role;
  std::vector<std::string> label_keys;
  std::vector<std::string> label_domains;
  std::map<std::string, std::string> drivers;  ///< in-tree volume source to CSI driver
};

struct GateEntry {
  struct Stage {
    Version since;
    bool on = false;
    bool locked = false;
  };
  /// A gate that must be on where this one is.
  struct Requirement {
    std::string gate;
    Version since;
    std::optional<Version> until;
  };
  std::string name;
  std::vector<Stage> stages;
  std::optional<Version> until;
  std::vector<Requirement> requirements;
  std::vector<VersionRange>
      absent;  ///< patch releases that were without it, where a fix had brought it to older minors

  /// Whether the version no longer has the gate because what it guarded is always on.
  [[nodiscard]] bool graduated_before(const Version& version) const {
    return until && version >= *until && stages.back().on;
  }
};

/// A known upstream defect: releases from `since` to before `until` break `rule`.
struct Deviation {
  std::string id;
  std::string rule;
  Version since;
  std::optional<Version> until;
  std::string issue;
  std::string statement;
  bool crowded = false;  ///< takes hundreds of objects: where there are few, a broken rule has another cause

  [[nodiscard]] bool applies(const Version& version) const { return version >= since && (!until || version < *until); }
};

/// The rule catalogue with its feature gates and deviations: read once, never changed.
class Catalogue {
 public:
  /// The catalogue this binary was built with.
  static const Catalogue& built_in();

  /// Reads the three data files; errors carry `name:line:column`.
  static Result<Catalogue> parse(std::string_view rules, std::string_view gates, std::string_view deviations);

  [[nodiscard]] const RuleEntry& operator[](Rule rule) const { return rules_[static_cast<std::size_t>(rule)]; }
  [[nodiscard]] const std::vector<RuleEntry>& rules() const { return rules_; }
  [[nodiscard]] const std::vector<GateEntry>& gates() const { return gates_; }
  [[nodiscard]] const std::vector<Deviation>& deviations() const { return deviations_; }

  /// The releases that it speaks of.
  [[nodiscard]] const VersionRange& releases() const { return releases_; }
  /// The greatest patch number that a release of the version's minor can have, as far as that is known.
  [[nodiscard]] int last_patch(const Version& version) const;
  /// Names of the gates on which a rule depends.
  [[nodiscard]] std::set<std::string, std::less<>> deciding_gates() const;

  [[nodiscard]] std::optional<Rule> find(std::string_view id) const;
  [[nodiscard]] const GateEntry* find_gate(std::string_view name) const;
  [[nodiscard]] const Deviation* find_deviation(std::string_view id) const;

  /// The releases at which anything may change, oldest first: every version that a rule, a gate or a refusal's text
  /// names, and the first release of each minor, for which what was brought back to the minor before does not count.
  [[nodiscard]] std::vector<Version> turning_points() const;

 private:
  VersionRange releases_;
  std::map<Version, int> last_patches_;  ///< by minor
  std::vector<RuleEntry> rules_;
  std::vector<GateEntry> gates_;
  std::vector<Deviation> deviations_;
};

}  // namespace nodebound
