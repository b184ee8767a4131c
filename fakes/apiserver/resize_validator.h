#pragma once

#include <optional>

#include "fakes/apiserver/computed_fields.h"
#include "fakes/apiserver/http.h"

namespace nodebound {

/// Why plugin PodResizeValidator refuses what a bound pod is resized to: its node is not there, is none of Linux, or
/// has not as much (plugin/pkg/admission/podresize/admission.go).
std::optional<HttpResponse> refused_by_resize_validator(const WriteContext& write, const Object& pod);

}  // namespace nodebound
