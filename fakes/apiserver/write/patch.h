#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "reference/cluster/object.h"

namespace nodebound::apiserver {

/// Why a patch failed, as the API server answers.
struct PatchFailure {
  int status = 400;
  std::string message;
};

inline constexpr std::string_view json_patch = "application/json-patch+json";
inline constexpr std::string_view merge_patch = "application/merge-patch+json";
inline constexpr std::string_view strategic_patch = "application/strategic-merge-patch+json";
inline constexpr std::string_view apply_patch = "application/apply-patch+yaml";

/// `object` changed by a patch of the given content type: JSON patch, merge patch or strategic merge patch.
tl::expected<Object, PatchFailure> patched(const Object& object, std::string_view content_type, std::string_view body);

/// The configuration of a server-side apply, an object in YAML; `applied` applies it.
tl::expected<Object, PatchFailure> read_configuration(std::string_view body);

/// The media type of a patch without its parameters; empty if it is not one of the four patch types.
std::string_view patch_type(std::string_view content_type);

/// Whether it is one of the four patch types.
bool is_patch_type(std::string_view content_type);

}  // namespace nodebound::apiserver
