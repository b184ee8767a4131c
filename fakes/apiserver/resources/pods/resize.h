#pragma once

#include <optional>

#include "fakes/apiserver/write/write_context.h"
#include "fakes/wire/http.h"

namespace nodebound::apiserver {

/// Why the plugin PodResizeValidator refuses the resize of a bound pod: its Node does not exist, does not run Linux, or
/// has too few resources (plugin/pkg/admission/podresize/admission.go).
std::optional<HttpResponse> refused_by_resize_validator(const WriteContext& write, const Object& pod);

}  // namespace nodebound::apiserver
