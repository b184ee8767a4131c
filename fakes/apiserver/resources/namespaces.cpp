#include <algorithm>
#include <array>
#include <vector>

#include "fakes/apiserver/pipeline/admission.h"
#include "fakes/apiserver/resources/registry.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/write/update_strategy.h"
#include "fakes/apiserver/write/write_context.h"
#include "fakes/validation/kinds.h"
#include "reference/release/behaviour_ids.h"

namespace nodebound::apiserver {
namespace {

using Column = TableColumns::Column;
using Now = const std::string&;

constexpr Column namespace_columns[] = {
    name_column,
    {"Status", [](const Object& o, Now) { return text_cell(text(o, "status", "phase"), "Active"); }},
    age_column};

void label_namespace(const WriteContext& write, Object& object) {
  if (!write.defaults.does(Behaviour::namespace_label)) return;
  object["metadata"]["labels"]["kubernetes.io/metadata.name"] = text(object, "metadata", "name");
}

// A new namespace has the finalizer `kubernetes`; later the subresource `finalize` can remove it.
void prepare_namespace(const WriteContext& write, Object& object) {
  label_namespace(write, object);
  Object& finalizers = object["spec"]["finalizers"];
  if (!finalizers.is_array()) finalizers = Object::array();
  if (std::find(finalizers.begin(), finalizers.end(), "kubernetes") == finalizers.end()) {
    finalizers.push_back("kubernetes");
  }
}

// Only the subresource `finalize` changes the finalizers.
void keep_finalizers(const WriteContext&, const Object& before, Object& submitted) {
  keep_field(submitted["spec"], member(before, "spec"), "finalizers");
}

// The plugin NamespaceLifecycle.
std::optional<HttpResponse> immortal(const WriteContext& write, const std::string& name) {
  if (name != "default" && name != "kube-system" && name != "kube-public") return std::nullopt;
  return forbidden_by_admission(write.resource, name, "this namespace may not be deleted");
}

bool terminate_namespace(const WriteContext& write, Object& object) {
  if (member(object, "spec", "finalizers").empty()) return false;
  object["status"]["phase"] = "Terminating";
  Object& metadata = object["metadata"];
  if (!metadata.contains("deletionTimestamp")) metadata["deletionTimestamp"] = write.now;
  return true;
}

void erase_contents(ServerState& server, const ObjectKey& key) {
  const std::shared_ptr<const ApiResources> resources = server.served().resources;
  for (const ApiResource& resource : resources->all()) {
    if (!resource.namespaced) continue;
    std::vector<ObjectKey> inside;
    server.store.cluster().each(resource.group, resource.resource, key.name,
                                [&](const ObjectKey& own, const Object&) { inside.push_back(own); });
    for (const ObjectKey& own : inside) server.store.erase(own);
  }
}

constexpr std::array namespace_subresources = {
    SubresourceStrategy{
        .name = "status", .prepared = prepared_status, .checks = {.change = validation::wrong_namespace_status_change}},
    SubresourceStrategy{.name = "finalize", .checks = {.change = validation::wrong_namespace_finalizers_change}},
};

}  // namespace

std::span<const Strategy> strategies::namespaces() {
  static constexpr std::array kinds = {Strategy{
      .resource = "namespaces",
      .columns = TableColumns(namespace_columns),
      .subresources = namespace_subresources,
      .decode = label_namespace,
      .checks = {.created = validation::wrong_new_namespace},
      .prepare_for_create = prepare_namespace,
      .prepare_for_update = keep_finalizers,
      .undeletable = immortal,
      .terminate = terminate_namespace,
      .erased = erase_contents,
  }};
  return kinds;
}

}  // namespace nodebound::apiserver
