#include "fakes/apiserver/review/kinds_of_owners.h"

#include <memory>

#include "fakes/apiserver/custom/custom_resources.h"
#include "fakes/wire/resources/kind_mapping.h"

namespace nodebound::apiserver {

FindKind kinds_of_owners(const Release& release, RuntimeConfig config, const Cluster& cluster) {
  const auto own = std::make_shared<const ApiResources>(release, config);
  return [own, &cluster](const std::string& group, const std::string& version, const std::string& kind) {
    if (auto found = mapping_of(*own, group, version, kind)) return found;
    return mapping_of(ApiResources(*own, custom_resources_of(cluster)), group, version, kind);
  };
}

}  // namespace nodebound::apiserver
