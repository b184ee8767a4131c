#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "reference/cluster/object.h"

namespace nodebound {

/// Why a patch was not done, as an API server answers it.
struct PatchFailure {
  int status = 400;
  std::string message;
};

/// `object` changed by a patch of the given content type: JSON patch, merge patch, strategic merge patch or apply. An
/// apply is merged like a strategic patch: field owners are not tracked, so it removes nothing.
tl::expected<Object, PatchFailure> patched(const Object& object, std::string_view content_type, std::string_view body);

/// The media type of a patch without its parameters; empty if `patched` does not know it.
std::string_view patch_type(std::string_view content_type);

/// Whether `patched` knows patches of that content type.
bool is_patch_type(std::string_view content_type);

}  // namespace nodebound
