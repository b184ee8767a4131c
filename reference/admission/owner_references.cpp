#include "reference/admission/owner_references.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace nodebound {
namespace {

const Object& owners_of(const Object& object) {
  return member(object, "metadata", "ownerReferences");
}

// An absent flag and one that is false are not the same here.
bool same_owner(const Object& a, const Object& b) {
  static constexpr std::array<const char*, 4> names = {"apiVersion", "kind", "name", "uid"};
  static constexpr std::array<const char*, 2> flags = {"controller", "blockOwnerDeletion"};
  return std::all_of(names.begin(), names.end(), [&](const char* field) { return text(a, field) == text(b, field); }) &&
         std::all_of(flags.begin(), flags.end(),
                     [&](const char* field) { return member(a, field) == member(b, field); });
}

bool changes_owners(const Object& after, const Object& before) {
  const Object& now = owners_of(after);
  const Object& then = owners_of(before);
  return now.size() != then.size() || !std::equal(now.begin(), now.end(), then.begin(), same_owner);
}

// The owners that the object blocks and has not blocked before. Of several with one UID the last counts.
std::vector<const Object*> newly_blocked(const Object& after, const Object& before) {
  const auto blocked_before = [&](const Object& owner) {
    bool blocked = false;
    for (const Object& then : owners_of(before)) {
      if (text(then, "uid") == text(owner, "uid")) blocked = is_true(then, "blockOwnerDeletion");
    }
    return blocked;
  };
  std::vector<const Object*> out;
  for (const Object& owner : owners_of(after)) {
    if (is_true(owner, "blockOwnerDeletion") && !blocked_before(owner)) out.push_back(&owner);
  }
  return out;
}

struct GroupVersion {
  std::string group;
  std::string version;
};

GroupVersion group_version(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  if (slash == std::string_view::npos) return {"", std::string(api_version)};
  return {std::string(api_version.substr(0, slash)), std::string(api_version.substr(slash + 1))};
}

Admission not_permitted(const RuleSet& rules, Rule rule, const Decision& decision) {
  const std::string_view error = decision.error.empty() ? std::string_view("<nil>") : decision.error;
  return refuse(rules, rule, {{"reason", decision.reason}, {"error", error}});
}

}  // namespace

Admission OwnerReferencesPermissionEnforcement::admit(const AdmissionRequest& request) const {
  if (request.operation != Operation::create && request.operation != Operation::update) return std::nullopt;
  if (request.is("", "pods") && request.subresource == "status" && rules_.in_force(Rule::owner_in_pod_status)) {
    return std::nullopt;
  }
  if (!changes_owners(request.object, request.old_object)) return std::nullopt;
  if (Admission refusal = may_change(request)) return refusal;
  const std::vector<const Object*> blocked = newly_blocked(request.object, request.old_object);
  if (blocked.empty()) return std::nullopt;
  if (rules_.in_force(Rule::owner_blocking_by_any_finalizers) && may_finalize_anything(request.subject)) {
    return std::nullopt;
  }
  for (const Object* owner : blocked) {
    if (Admission refusal = may_block(request, *owner)) return refusal;
  }
  return std::nullopt;
}

Admission OwnerReferencesPermissionEnforcement::may_change(const AdmissionRequest& request) const {
  const Rule rule =
      request.operation == Operation::create ? Rule::owner_at_creation_needs_delete : Rule::owner_change_needs_delete;
  if (!rules_.in_force(rule)) return std::nullopt;
  Attributes deletion;
  deletion.verb = "delete";
  deletion.resource_request = true;
  deletion.api_group = request.group;
  deletion.api_version = request.version;
  deletion.resource = request.resource;
  deletion.subresource = request.subresource;
  deletion.namespace_ = request.namespace_;
  deletion.name = request.name;
  const Decision decision = authorizers_.authorize(request.subject, deletion);
  return decision.allowed() ? std::nullopt : not_permitted(rules_, rule, decision);
}

bool OwnerReferencesPermissionEnforcement::may_finalize_anything(const Subject& subject) const {
  Attributes anything;
  anything.verb = "update";
  anything.resource_request = true;
  anything.api_group = "*";
  anything.api_version = "*";
  anything.resource = "*";
  anything.subresource = "finalizers";
  anything.name = "*";
  return authorizers_.authorize(subject, anything).allowed();
}

Admission OwnerReferencesPermissionEnforcement::may_block(const AdmissionRequest& request, const Object& owner) const {
  const std::string_view api_version = text(owner, "apiVersion");
  const std::string kind(text(owner, "kind"));
  GroupVersion of = group_version(api_version);
  const std::optional<KindMapping> mapping = find_kind_ ? find_kind_(of.group, of.version, kind) : std::nullopt;
  if (!mapping) {
    return refuse(rules_, Rule::owner_blocking_known_kind,
                  {{"version", api_version}, {"kind", kind}, {"group", of.group}, {"reason", ""}});
  }
  Attributes owner_itself;
  owner_itself.resource_request = true;
  owner_itself.api_group = std::move(of.group);
  owner_itself.api_version = std::move(of.version);
  owner_itself.resource = mapping->resource;
  owner_itself.namespace_ = request.namespace_;
  owner_itself.name = text(owner, "name");
  if (rules_.in_force(Rule::owner_blocking_needs_delete)) {
    Attributes deletion = owner_itself;
    deletion.verb = "delete";
    const Decision decision = authorizers_.authorize(request.subject, deletion);
    if (!decision.allowed()) return not_permitted(rules_, Rule::owner_blocking_needs_delete, decision);
  }
  owner_itself.verb = "update";
  owner_itself.subresource = "finalizers";
  return may_finalize(request, std::move(owner_itself), mapping->namespaced);
}

Admission OwnerReferencesPermissionEnforcement::may_finalize(const AdmissionRequest& request, Attributes finalizers,
                                                             bool namespaced) const {
  const Rule rule = Rule::owner_blocking_needs_finalizers;
  if (!rules_.in_force(rule)) return std::nullopt;
  const Decision where_the_object_is = authorizers_.authorize(request.subject, finalizers);
  if (namespaced || request.namespace_.empty() || !rules_.in_force(Rule::owner_blocking_cluster_wide)) {
    return where_the_object_is.allowed() ? std::nullopt : not_permitted(rules_, rule, where_the_object_is);
  }
  finalizers.namespace_.clear();
  const Decision everywhere = authorizers_.authorize(request.subject, finalizers);
  if (everywhere.allowed()) return std::nullopt;
  return not_permitted(rules_, where_the_object_is.allowed() ? Rule::owner_blocking_cluster_wide : rule, everywhere);
}

}  // namespace nodebound
