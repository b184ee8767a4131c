#pragma once

#include <string>
#include <string_view>

#include "reference/cluster/object.h"
#include "reference/result.h"

namespace nodebound {

/// `object` changed by a patch of the given content type: JSON patch, merge patch, strategic merge patch or apply. An
/// apply is merged like a strategic patch: field owners are not tracked, so it removes nothing.
Result<Object> patched(const Object& object, std::string_view content_type, std::string_view body);

/// Whether `patched` knows patches of that content type.
bool is_patch_type(std::string_view content_type);

}  // namespace nodebound
