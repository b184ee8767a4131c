#pragma once

#include <string>
#include <vector>

#include "reference/cluster/object.h"
#include "reference/release/catalogue.h"

namespace nodebound::apiserver {

/// What a release warns of a volume, by deprecated_volumes.toml. `path` is where the volume stands: `spec.volumes[0]`,
/// or `spec` for a PersistentVolume.
std::vector<std::string> warnings_of_volume(const Release& release, const Object& volume, const std::string& path);

}  // namespace nodebound::apiserver
