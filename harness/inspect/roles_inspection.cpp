#include <algorithm>
#include <array>
#include <set>

#include "harness/inspect/fix.h"
#include "harness/inspect/inspections.h"
#include "reports/text.h"

namespace nodebound::inspect {
namespace {

constexpr std::string_view device_group = "resource.k8s.io";
constexpr std::array<std::string_view, 3> connections = {"exec", "attach", "portforward"};
constexpr std::array<std::string_view, 2> writes = {"update", "patch"};
constexpr std::array<std::string_view, 2> node_verbs = {"associated-node:", "arbitrary-node:"};

/// A rule of a role, with what it lists.
struct RoleEntry {
  std::vector<std::string> verbs;
  std::vector<std::string> groups;
  std::vector<std::string> resources;
  std::vector<std::string> names;
  std::string pointer;

  static bool lists(const std::vector<std::string>& all, std::string_view one) {
    return std::find(all.begin(), all.end(), one) != all.end();
  }
  [[nodiscard]] bool of_group(std::string_view group) const { return lists(groups, group) || lists(groups, "*"); }
  [[nodiscard]] bool has_verb(std::string_view verb) const { return lists(verbs, verb) || lists(verbs, "*"); }
  /// Whether it names the subresource, not whether an asterisk stands for all resources.
  [[nodiscard]] bool names_subresource(const std::string& resource, const std::string& subresource) const {
    return lists(resources, resource + "/" + subresource) || lists(resources, "*/" + subresource);
  }
  [[nodiscard]] bool covers(std::string_view group, const std::string& resource, const std::string& subresource) const {
    return of_group(group) && (names_subresource(resource, subresource) || lists(resources, "*"));
  }
};

std::vector<RoleEntry> entries_of(const Object& role) {
  std::vector<RoleEntry> out;
  const Object& rules = member(role, "rules");
  for (std::size_t i = 0; rules.is_array() && i < rules.size(); ++i) {
    const auto list = [&](const char* field) { return strings_of(member(rules[i], field)); };
    out.push_back(
        {list("verbs"), list("apiGroups"), list("resources"), list("resourceNames"), "/rules/" + std::to_string(i)});
  }
  return out;
}

// A JSON patch that adds one value.
Object added_at(const std::string& pointer, const Object& value) {
  return Object::array({Object{{"op", "add"}, {"path", pointer}, {"value", value}}});
}

std::string subject_text(const Object& subject, const InspectedObject& binding) {
  std::string_view in = text(subject, "namespace");
  if (in.empty() && text(subject, "kind") == "ServiceAccount") in = text(binding.object, "metadata", "namespace");
  return std::string(text(subject, "kind")) + " " + (in.empty() ? "" : std::string(in) + "/") +
         std::string(text(subject, "name"));
}

/// Looks at one role.
class RoleLook {
 public:
  RoleLook(const InspectionRun& run, const InspectedObject& role)
      : run_(run), role_(role), entries_(entries_of(role.object)) {}

  void look() {
    for (const RoleEntry& entry : entries_) {
      look_for_proxy(entry);
      look_for_connections(entry);
      look_for_misplaced(entry);
    }
    look_for_claims();
  }

 private:
  void look_for_proxy(const RoleEntry& entry) {
    if (!entry.of_group("")) return;
    if (!entry.has_verb("get") && !entry.has_verb("create")) return;
    const bool named = RoleEntry::lists(entry.resources, "nodes/proxy") || RoleEntry::lists(entry.resources, "*/proxy");
    const bool reads_only = std::all_of(entry.verbs.begin(), entry.verbs.end(), [](const std::string& verb) {
      return verb == "get" || verb == "list" || verb == "watch";
    });
    // Who may write everything needs no proxy; in one namespace there are no nodes.
    const bool reads_all =
        reads_only && RoleEntry::lists(entry.resources, "*") && text(role_.object, "kind") == "ClusterRole";
    if (!named && !reads_all) return;
    std::string what = "grants nodes/proxy, and so commands in every pod";
    if (reads_only) what = "looks as if it only reads, and get of nodes/proxy runs commands in every pod";
    if (!named)
      what = "looks as if it only reads, and the asterisk is nodes/proxy, too, of which get runs commands in every pod";
    add({.inspection = "nodes-proxy", .field = entry.pointer, .what = std::move(what)});
  }

  void look_for_connections(const RoleEntry& entry) {
    if (!entry.of_group("") || !entry.has_verb("get") || entry.has_verb("create")) return;
    std::vector<std::string> lacking;
    for (const std::string_view connection : connections) {
      const std::string subresource(connection);
      if (entry.names_subresource("pods", subresource) && !creates(entries_, entry, subresource) &&
          !all_holders_create(entry, subresource)) {
        lacking.push_back("pods/" + subresource);
      }
    }
    if (lacking.empty()) return;
    Found found{.inspection = "get-without-create", .field = entry.pointer};
    found.what = "has get but not create on " + comma_separated(lacking);
    found.fix = create_added(entry, lacking);
    add(std::move(found));
  }

  // Whether a rule of a role grants create for the same pods.
  static bool creates(const std::vector<RoleEntry>& role, const RoleEntry& entry, const std::string& subresource) {
    return std::any_of(role.begin(), role.end(), [&](const RoleEntry& other) {
      const bool all_names = other.names.empty() || other.names == entry.names;
      return all_names && other.has_verb("create") && other.covers("", "pods", subresource);
    });
  }

  // Whether whoever is known to hold the role has create by another role, too. Of a role that nobody is known to hold
  // that cannot be said.
  [[nodiscard]] bool all_holders_create(const RoleEntry& entry, const std::string& subresource) const {
    bool any = false;
    for (const InspectedObject& binding : run_.inspected.objects) {
      if (!binds_role(binding)) continue;
      for (const Object& subject : member(binding.object, "subjects")) {
        if (!holder_creates(subject_text(subject, binding), binding, entry, subresource)) return false;
        any = true;
      }
    }
    return any;
  }

  [[nodiscard]] bool holder_creates(const std::string& holder, const InspectedObject& through, const RoleEntry& entry,
                                    const std::string& subresource) const {
    return std::any_of(run_.inspected.objects.begin(), run_.inspected.objects.end(), [&](const InspectedObject& other) {
      return grants_as_widely(other, through) && names_subject(other, holder) &&
             creates(entries_of_bound_role(other), entry, subresource);
    });
  }

  // A RoleBinding grants in its own namespace alone.
  static bool grants_as_widely(const InspectedObject& other, const InspectedObject& through) {
    if (other.kind() == "ClusterRoleBinding") return true;
    return other.kind() == "RoleBinding" && through.kind() == "RoleBinding" &&
           text(other.object, "metadata", "namespace") == text(through.object, "metadata", "namespace");
  }

  static bool names_subject(const InspectedObject& binding, const std::string& subject) {
    const Object& subjects = member(binding.object, "subjects");
    return subjects.is_array() && std::any_of(subjects.begin(), subjects.end(),
                                              [&](const Object& one) { return subject_text(one, binding) == subject; });
  }

  [[nodiscard]] std::vector<RoleEntry> entries_of_bound_role(const InspectedObject& binding) const {
    const std::string_view kind = text(binding.object, "roleRef", "kind");
    const std::string_view in = kind == "Role" ? text(binding.object, "metadata", "namespace") : std::string_view();
    for (const InspectedObject& role : run_.inspected.objects) {
      if (role.kind() == kind && role.name() == text(binding.object, "roleRef", "name") &&
          text(role.object, "metadata", "namespace") == in) {
        return entries_of(role.object);
      }
    }
    return {};
  }

  [[nodiscard]] Finding::Fix create_added(const RoleEntry& entry, const std::vector<std::string>& lacking) const {
    const bool nothing_else = std::all_of(entry.resources.begin(), entry.resources.end(),
                                          [&](const auto& resource) { return RoleEntry::lists(lacking, resource); });
    if (nothing_else) {
      const Object patch = added_at(entry.pointer + "/verbs/-", "create");
      return make_fix(role_, "add the verb create", patch, edits_to_append(role_, entry.pointer + "/verbs", "create"));
    }
    Object rule = {{"apiGroups", {""}}, {"resources", lacking}, {"verbs", {"create"}}};
    if (!entry.names.empty()) rule["resourceNames"] = entry.names;
    const Object patch = added_at(entry.pointer, rule);
    return make_fix(role_, "add a rule with the verb create", patch, edits_to_insert(role_, entry.pointer, rule));
  }

  void look_for_misplaced(const RoleEntry& entry) {
    for (const std::string& verb : entry.verbs) {
      const auto prefix = std::find_if(node_verbs.begin(), node_verbs.end(),
                                       [&](std::string_view one) { return verb.starts_with(one); });
      if (prefix == node_verbs.end()) continue;
      const std::string rest = verb.substr(prefix->size());
      std::string what;
      if (!entry.covers(device_group, "resourceclaims", "driver")) {
        what = "has " + verb + " on " + comma_separated(entry.resources) + " of " + groups_text(entry) +
               ", where it means nothing";
      } else if (std::find(writes.begin(), writes.end(), rest) == writes.end()) {
        what = "has " + verb + ", which no request needs";
      }
      if (!what.empty()) add({.inspection = "claim-verbs-misplaced", .field = entry.pointer, .what = std::move(what)});
    }
  }

  static std::string groups_text(const RoleEntry& entry) {
    std::vector<std::string> groups = entry.groups;
    std::replace(groups.begin(), groups.end(), std::string(), std::string("the core group"));
    return comma_separated(groups);
  }

  // Who may write the status of claims needs one of the finer rights, too.
  void look_for_claims() {
    std::vector<std::string> lacking;
    std::string pointer;
    for (const std::string_view verb : writes) {
      const auto writer = std::find_if(entries_.begin(), entries_.end(), [&](const RoleEntry& entry) {
        return entry.has_verb(verb) && entry.of_group(device_group) &&
               entry.names_subresource("resourceclaims", "status");
      });
      if (writer == entries_.end() || may_write_status(std::string(verb))) continue;
      lacking.emplace_back(verb);
      pointer = writer->pointer;
    }
    if (lacking.empty()) return;
    Found found{.inspection = "claim-status-verbs", .field = pointer};
    found.what = "may " + lacking.front() + (lacking.size() > 1 ? " and patch" : "") +
                 " resourceclaims/status, and has neither associated-node: nor arbitrary-node: verbs on "
                 "resourceclaims/driver, nor resourceclaims/binding";
    if (runs_on_each_node()) found.fix = driver_rights_added(pointer, lacking);
    add(std::move(found));
  }

  [[nodiscard]] bool may_write_status(const std::string& verb) const {
    return std::any_of(entries_.begin(), entries_.end(), [&](const RoleEntry& entry) {
      const bool binds = entry.has_verb(verb) && entry.covers(device_group, "resourceclaims", "binding") &&
                         role_.kind() == "ClusterRole";
      const bool drives = std::any_of(node_verbs.begin(), node_verbs.end(), [&](std::string_view prefix) {
        return entry.has_verb(std::string(prefix) + verb) && entry.covers(device_group, "resourceclaims", "driver");
      });
      return binds || drives;
    });
  }

  [[nodiscard]] Finding::Fix driver_rights_added(const std::string& pointer,
                                                 const std::vector<std::string>& lacking) const {
    Object verbs = Object::array();
    for (const std::string& verb : lacking) verbs.push_back("associated-node:" + verb);
    const Object rule = {{"apiGroups", {device_group}}, {"resources", {"resourceclaims/driver"}}, {"verbs", verbs}};
    const Object patch = added_at(pointer, rule);
    return make_fix(role_, "add the rights of a driver on its own node", patch, edits_to_insert(role_, pointer, rule));
  }

  // Whether all that is known of the role's holders are DaemonSets, which write for their own node.
  [[nodiscard]] bool runs_on_each_node() const {
    std::set<std::string> accounts;
    for (const InspectedObject& binding : run_.inspected.objects) {
      if (!binds_role(binding)) continue;
      for (const Object& subject : member(binding.object, "subjects")) {
        if (text(subject, "kind") != "ServiceAccount") return false;
        accounts.insert(std::string(text(subject, "name")));
      }
    }
    bool any = false;
    for (const InspectedObject& object : run_.inspected.objects) {
      const std::string_view account = text(object.object, "spec", "template", "spec", "serviceAccountName");
      if (account.empty() || !accounts.contains(std::string(account))) continue;
      if (object.kind() != "DaemonSet") return false;
      any = true;
    }
    return any;
  }

  [[nodiscard]] bool binds_role(const InspectedObject& binding) const {
    if (!binding.kind().ends_with("RoleBinding")) return false;
    // A RoleBinding binds Roles of its own namespace.
    if (role_.kind() == "Role" &&
        text(binding.object, "metadata", "namespace") != text(role_.object, "metadata", "namespace")) {
      return false;
    }
    return text(binding.object, "roleRef", "kind") == role_.kind() &&
           text(binding.object, "roleRef", "name") == role_.name() && member(binding.object, "subjects").is_array();
  }

  void add(Found found) {
    constexpr std::size_t most_named = 3;
    found.object = &role_;
    std::vector<std::string> holders;
    for (const InspectedObject& binding : run_.inspected.objects) {
      if (!binds_role(binding)) continue;
      for (const Object& subject : member(binding.object, "subjects"))
        holders.push_back(subject_text(subject, binding));
    }
    if (!holders.empty()) {
      const std::size_t more = holders.size() > most_named ? holders.size() - most_named : 0;
      holders.resize(std::min(holders.size(), most_named));
      found.what +=
          "; held by " + comma_separated(holders) + (more > 0 ? " and " + std::to_string(more) + " more" : "");
    }
    run_.found.add(std::move(found));
  }

  const InspectionRun& run_;
  const InspectedObject& role_;
  std::vector<RoleEntry> entries_;
};

// API servers keep their own roles as they should be.
bool is_reconciled(const InspectedObject& role) {
  return text(role.object, "metadata", "labels", "kubernetes.io/bootstrapping") == "rbac-defaults";
}

}  // namespace

void inspect_roles(const InspectionRun& run) {
  for (const InspectedObject& object : run.inspected.objects) {
    const bool role = object.kind() == "Role" || object.kind() == "ClusterRole";
    if (role && !is_reconciled(object)) RoleLook(run, object).look();
  }
}

}  // namespace nodebound::inspect
