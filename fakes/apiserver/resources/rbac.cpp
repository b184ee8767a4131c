#include <array>

#include "fakes/apiserver/resources/registry.h"
#include "fakes/apiserver/resources/role_grants.h"
#include "fakes/apiserver/write/each_item.h"
#include "fakes/apiserver/write/write_context.h"
#include "fakes/validation/kinds.h"

namespace nodebound::apiserver {
namespace {

constexpr std::string_view rbac_group_name = "rbac.authorization.k8s.io";

using Column = TableColumns::Column;
using Now = const std::string&;

// Roles are the only kind shown with a creation time in place of an age.
constexpr Column role_columns[] = {
    name_column,
    {"Created At", [](const Object& o, Now) { return member(o, "metadata", "creationTimestamp"); }, 0, "date"}};

Object role_of(const Object& binding, Now) {
  return std::string(text(binding, "roleRef", "kind")) + "/" + std::string(text(binding, "roleRef", "name"));
}

Object subjects_of(const Object& binding, std::string_view kind) {
  std::string out;
  for (const Object& subject : member(binding, "subjects")) {
    if (text(subject, "kind") != kind) continue;
    const std::string_view in = text(subject, "namespace");
    if (!out.empty()) out += ", ";
    if (kind == "ServiceAccount" && !in.empty()) out += std::string(in) + "/";
    out += text(subject, "name");
  }
  return out;
}

constexpr Column binding_columns[] = {
    name_column,
    {"Role", role_of},
    age_column,
    {"Users", [](const Object& o, Now) { return subjects_of(o, "User"); }, 1},
    {"Groups", [](const Object& o, Now) { return subjects_of(o, "Group"); }, 1},
    {"ServiceAccounts", [](const Object& o, Now) { return subjects_of(o, "ServiceAccount"); }, 1}};

// An empty list is stored as none, as Go encodes it, and shown all the same.
void prepare_role(const WriteContext&, Object& role) {
  if (member(role, "rules").empty()) role["rules"] = nullptr;
}
void prepare_role_change(const WriteContext& write, const Object&, Object& role) {
  prepare_role(write, role);
}

void decode_binding(const WriteContext&, Object& binding) {
  if (Object& role = binding["roleRef"]; role.is_object() && text(role, "apiGroup").empty()) {
    role["apiGroup"] = rbac_group_name;
  }
  each_item(binding, "subjects", [](Object& subject) {
    const std::string_view kind = text(subject, "kind");
    if ((kind == "User" || kind == "Group") && text(subject, "apiGroup").empty()) {
      subject["apiGroup"] = rbac_group_name;
    }
  });
}

}  // namespace

std::span<const Strategy> strategies::rbac() {
  static constexpr std::array kinds = {
      Strategy{.group = rbac_group_name,
               .resource = "roles",
               .columns = TableColumns(role_columns),
               .unauthorized = unauthorized_role,
               .checks = {.object = validation::wrong_role},
               .prepare_for_create = prepare_role,
               .prepare_for_update = prepare_role_change},
      Strategy{.group = rbac_group_name,
               .resource = "clusterroles",
               .columns = TableColumns(role_columns),
               .unauthorized = unauthorized_role,
               .checks = {.object = validation::wrong_cluster_role},
               .prepare_for_create = prepare_role,
               .prepare_for_update = prepare_role_change},
      Strategy{.group = rbac_group_name,
               .resource = "rolebindings",
               .columns = TableColumns(binding_columns),
               .decode = decode_binding,
               .unauthorized = unauthorized_binding,
               .checks = {.object = validation::wrong_role_binding, .change = validation::wrong_binding_change}},
      Strategy{
          .group = rbac_group_name,
          .resource = "clusterrolebindings",
          .columns = TableColumns(binding_columns),
          .decode = decode_binding,
          .unauthorized = unauthorized_binding,
          .checks = {.object = validation::wrong_cluster_role_binding, .change = validation::wrong_binding_change}},
  };
  return kinds;
}

}  // namespace nodebound::apiserver
