#include "fakes/apiserver/review/kinds_of_owners.h"

#include <memory>
#include <mutex>
#include <optional>

#include "fakes/apiserver/custom/custom_resources.h"
#include "fakes/wire/resources/kind_mapping.h"

namespace nodebound::apiserver {

FindKind kinds_of_owners(const Release& release, RuntimeConfig config, const Cluster& cluster) {
  // Most writes name no new owner, so it is made when somebody asks.
  struct Own {
    std::once_flag made;
    std::optional<ApiResources> resources;
  };
  return [own = std::make_shared<Own>(), &release, config, &cluster](
             const std::string& group, const std::string& version, const std::string& kind) {
    std::call_once(own->made, [&] { own->resources.emplace(release, config); });
    if (auto found = mapping_of(*own->resources, group, version, kind)) return found;
    return mapping_of(ApiResources(*own->resources, custom_resources_of(cluster)), group, version, kind);
  };
}

}  // namespace nodebound::apiserver
