#include <algorithm>

#include "harness/inspect/inspections.h"
#include "reference/identity/node_identity.h"

namespace nodebound::inspect {
namespace {

constexpr std::string_view role_of_nodes = "system:node";

bool is_node(std::string_view name) {
  return name == nodes_group || name.starts_with(node_user_prefix);
}

bool is_anybody(std::string_view name) {
  return name == "system:anonymous" || name == "system:unauthenticated";
}

void look_at_subject(const InspectionRun& run, const InspectedObject& binding, const Object& subject,
                     const std::string& pointer) {
  const std::string name(text(subject, "name"));
  const std::string role(text(binding.object, "roleRef", "name"));
  const bool usual = std::find(run.knowledge.usual_roles.begin(), run.knowledge.usual_roles.end(), role) !=
                     run.knowledge.usual_roles.end();
  const auto add = [&](const char* inspection, std::string what) {
    run.found.add({.inspection = inspection, .object = &binding, .field = pointer, .what = std::move(what)});
  };
  const bool cluster_role = text(binding.object, "roleRef", "kind") == "ClusterRole";
  if (cluster_role && role == role_of_nodes) return add("node-role-bound", "binds ClusterRole system:node to " + name);
  if (usual || text(subject, "kind") == "ServiceAccount") return;
  const std::string what = "binds " + std::string(text(binding.object, "roleRef", "kind")) + " " + role + " to " + name;
  if (is_node(name)) add("nodes-bound", what);
  if (is_anybody(name)) add("anonymous-bound", what);
}

}  // namespace

void inspect_bindings(const InspectionRun& run) {
  for (const InspectedObject& object : run.inspected.objects) {
    if (object.kind() != "ClusterRoleBinding" && object.kind() != "RoleBinding") continue;
    const Object& subjects = member(object.object, "subjects");
    for (std::size_t i = 0; subjects.is_array() && i < subjects.size(); ++i) {
      look_at_subject(run, object, subjects[i], "/subjects/" + std::to_string(i));
    }
  }
}

}  // namespace nodebound::inspect
