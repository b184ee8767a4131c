#include "fakes/apiserver/discovery/first_objects.h"

#include <algorithm>

#include "fakes/apiserver/discovery/bootstrap_roles.h"
#include "fakes/apiserver/resources/registry.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/write/computed_fields.h"
#include "fakes/apiserver/write/fields/field_writer.h"
#include "fakes/wire/go/go_values.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound::apiserver {
namespace {

constexpr const char* autoupdate = "rbac.authorization.kubernetes.io/autoupdate";

void add_namespaces(KeyedObjects& out) {
  for (const char* name : {"kube-system", "kube-public", "kube-node-lease", "default"}) {
    out.push_back({{"", "namespaces", "", name}, {{"metadata", {{"name", name}}}}});
  }
}

void add_priority_classes(KeyedObjects& out) {
  const auto add = [&](const char* name, std::int64_t value, const char* description) {
    out.push_back({{"scheduling.k8s.io", "priorityclasses", "", name},
                   {{"metadata", {{"name", name}}}, {"value", value}, {"description", description}}});
  };
  add("system-node-critical", 2000001000,
      "Used for system critical pods that must not be moved from their current node.");
  add("system-cluster-critical", 2000000000,
      "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.");
}

void add_own_service(KeyedObjects& out) {
  const Object port = {{"name", "https"}, {"protocol", "TCP"}, {"port", 443}, {"targetPort", 6443}};
  out.push_back(
      {{"", "services", "default", "kubernetes"},
       {{"metadata",
         {{"name", "kubernetes"},
          {"namespace", "default"},
          {"labels", {{"component", "apiserver"}, {"provider", "kubernetes"}}}}},
        {"spec", {{"clusterIP", "10.0.0.1"}, {"ipFamilyPolicy", "SingleStack"}, {"ports", Object::array({port})}}}}});
}

Object role_object(const std::string& name, const std::vector<PolicyRule>& rules) {
  Object out = {{"metadata", bootstrap_metadata(name)}, {"rules", Object::array()}};
  for (const PolicyRule& rule : rules) out["rules"].push_back(rule_object(rule));
  return out;
}

Object binding_object(const RbacObjects::Binding& binding) {
  Object out = {{"metadata", bootstrap_metadata(binding.name)},
                {"roleRef", {{"apiGroup", rbac_group}, {"kind", "ClusterRole"}, {"name", binding.role}}}};
  for (const RbacObjects::BindingSubject& subject : binding.subjects) {
    const bool user = subject.kind == RbacObjects::BindingSubject::Kind::user;
    out["subjects"].push_back({{"kind", user ? "User" : "Group"}, {"apiGroup", rbac_group}, {"name", subject.name}});
  }
  return out;
}

// Adds to `found` the items of the bootstrap object's `list` that it lacks.
bool add_missing(Object& found, const Object& bootstrap, const char* list) {
  bool added = false;
  for (const Object& item : member(bootstrap, list)) {
    Object& items = found[list];
    if (std::find(items.begin(), items.end(), item) != items.end()) continue;
    items.push_back(item);
    added = true;
  }
  return added;
}

// When a server starts, it adds the rules and subjects of its release to existing bootstrap roles and bindings and
// removes nothing (rbac/rest/storage_rbac.go). So a binding that an older release made keeps its subjects.
bool reconcile(Object& found, const Object& bootstrap) {
  if (text(found, "metadata", "annotations", autoupdate) != "true") return false;
  const bool rules = add_missing(found, bootstrap, "rules");
  return add_missing(found, bootstrap, "subjects") || rules;
}

KeyedObjects objects_of(const ApiResources& resources, const RuleSet& rules) {
  // Not the store's RBAC objects: a journal may have added some.
  const RbacObjects bootstrap(rules);
  KeyedObjects out;
  add_namespaces(out);
  for (const auto& [key, role] : bootstrap.roles()) {
    out.push_back({{rbac_group, "clusterroles", "", key.second}, role_object(key.second, role)});
  }
  for (const auto& [key, binding] : bootstrap.bindings()) {
    out.push_back({{rbac_group, "clusterrolebindings", "", key.second}, binding_object(*binding)});
  }
  for (auto& own : bootstrap_roles(rules.release())) out.push_back(std::move(own));
  if (!resources.versions_of("scheduling.k8s.io", "priorityclasses").empty()) add_priority_classes(out);
  add_own_service(out);
  return out;
}

// The binding of system:node may depend on how the server is started: without the Node authorizer, nodes get their
// rights from it, as before 1.7 (PostStartHook of rbac/rest/storage_rbac.go, kubernetes/kubernetes#49638).
void bind_nodes_without_authorizer(Object& binding) {
  binding["subjects"] = Object::array({{{"kind", "Group"}, {"apiGroup", rbac_group}, {"name", "system:nodes"}}});
}

bool binds_nodes_itself(const ServerState& server, const ObjectKey& key) {
  const auto& modes = server.options.authorization_modes;
  return key.resource == "clusterrolebindings" && key.name == "system:node" &&
         server.rules.release().does(Behaviour::nodes_bound_without_authorizer) &&
         std::find(modes.begin(), modes.end(), AuthorizationMode::node) == modes.end();
}

}  // namespace

const FirstObjects::Stored& FirstObjects::of(const ServerState& server) {
  std::call_once(once_, [&] {
    static const Subject self{"system:apiserver", {"system:masters"}, "", {}};
    const std::shared_ptr<const ApiResources> resources = server.served().resources;
    Store store(server.rules);
    for (auto& [key, object] : objects_of(*resources, server.rules)) {
      const auto versions = resources->versions_of(key.group, key.resource);
      if (versions.empty()) continue;
      if (binds_nodes_itself(server, key)) bind_nodes_without_authorizer(object);
      const Strategy& strategy = strategy_of(key.group, key.resource);
      const WriteContext write{versions.front(), strategy, server.defaults, store.cluster(), self, server.now()};
      // An older release does not know all of these fields.
      keep_as_go(kind_of(write.resource), object, write.resource.release);
      decode(write, object);
      record_update(server_itself(write.resource, strategy, write.now), tracked_managers(server), Object::object(),
                    object);
      if (strategy.begin_create != nullptr) strategy.begin_create(write, object);
      prepare_for_create(write, object);
      store.adopt(object, server.now());
      store.put(key, std::move(object));
      all_.emplace_back(key, store.cluster().find(key));
    }
  });
  return all_;
}

void make_first_objects(ServerState& server) {
  FirstObjects own;
  FirstObjects& first = server.options.first_objects ? *server.options.first_objects : own;
  // Without a clock and a journal, every server begins with the same store.
  const bool begins_alike = !server.options.clock && !server.options.journal;
  for (const auto& [key, stored] : first.of(server)) {
    if (begins_alike) {
      server.store.repeat(key, stored);
      continue;
    }
    if (const ObjectPtr found = server.store.cluster().find(key)) {
      Object reconciled = *found;
      if (reconcile(reconciled, *stored)) server.store.put(key, std::move(reconciled));
      continue;
    }
    Object object = *stored;
    server.store.adopt(object, server.now());
    server.store.put(key, std::move(object));
  }
  // If the journal cannot be written, the next write reports it.
  (void)server.store.commit();
}

}  // namespace nodebound::apiserver
