#include "fakes/wire/resources/kind_mapping.h"

#include "reference/encoding/ascii.h"

namespace nodebound {
std::optional<KindMapping> mapping_of(const ApiResources& resources, const std::string& group,
                                      const std::string& version, const std::string& kind) {
  bool known_version = false;
  for (const ApiResource& resource : resources.all()) {
    if (resource.group != group || resource.version != version) continue;
    known_version = true;
    if (kind == resource.kind || kind == in_lower_case(resource.kind)) {
      return KindMapping{resource.resource, resource.namespaced};
    }
    if (kind == resource.kind + "List") return KindMapping{in_lower_case(kind) + "s", resource.namespaced};
  }
  if (known_version && kind == "List") return KindMapping{"lists", false};
  return std::nullopt;
}

}  // namespace nodebound
