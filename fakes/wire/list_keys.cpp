#include "fakes/wire/list_keys.h"

#include <algorithm>
#include <array>
#include <utility>

namespace nodebound {
namespace {

// The merge keys of lists, by field name; every other list is replaced as a whole (patchMergeKey in
// staging/src/k8s.io/api/core/v1/types.go and apimachinery's ObjectMeta).
constexpr std::array<std::pair<std::string_view, std::string_view>, 23> merge_keys = {{
    {"ownerReferences", "uid"},
    {"containers", "name"},
    {"initContainers", "name"},
    {"ephemeralContainers", "name"},
    {"volumes", "name"},
    {"env", "name"},
    {"volumeMounts", "mountPath"},
    {"volumeDevices", "devicePath"},
    {"imagePullSecrets", "name"},
    {"resourceClaims", "name"},
    {"resourceClaimStatuses", "name"},
    {"allocatedResourcesStatus", "name"},
    {"drivers", "name"},
    {"schedulingGates", "name"},
    {"reservedFor", "uid"},
    {"hostAliases", "ip"},
    {"hostIPs", "ip"},
    {"podIPs", "ip"},
    {"conditions", "type"},
    {"addresses", "type"},
    {"secrets", "name"},
    {"topologySpreadConstraints", "topologyKey"},
    {"webhooks", "name"},
}};

// Ports of containers have another merge key than ports of Services.
std::string_view key_of_ports(const Object& items) {
  const bool of_container = std::any_of(items.begin(), items.end(),
                                        [](const Object& item) { return !member(item, "containerPort").is_null(); });
  return of_container ? "containerPort" : "port";
}

}  // namespace

std::string_view merge_key_of(std::string_view field, const Object& items) {
  if (field == "ports") return key_of_ports(items);
  const auto found =
      std::find_if(merge_keys.begin(), merge_keys.end(), [&](auto& pair) { return pair.first == field; });
  return found == merge_keys.end() ? std::string_view() : found->second;
}

}  // namespace nodebound
