#include <array>
#include <vector>

#include "fakes/apiserver/pipeline/admission.h"
#include "fakes/apiserver/resources/registry.h"
#include "fakes/apiserver/server_state.h"
#include "fakes/apiserver/write/update_strategy.h"
#include "fakes/apiserver/write/write_context.h"
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

}  // namespace

std::span<const Strategy> strategies::namespaces() {
  static constexpr std::array kinds = {Strategy{
      .resource = "namespaces",
      .columns = TableColumns(namespace_columns),
      .decode = label_namespace,
      .prepare_for_create = label_namespace,
      .prepare_for_update = keep_finalizers,
      .undeletable = immortal,
      .terminate = terminate_namespace,
      .erased = erase_contents,
  }};
  return kinds;
}

}  // namespace nodebound::apiserver
