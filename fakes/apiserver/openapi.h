#pragma once

#include <optional>
#include <string_view>

#include "fakes/apiserver/api_resources.h"
#include "fakes/apiserver/http.h"
#include "reference/release/version.h"

namespace nodebound {

/// `/openapi/v2`, `/openapi/v3` and what that leads to. The schemas say which kinds there are and let through any
/// field, so that clients which validate what they send go on. Nothing if there is no such document.
std::optional<HttpResponse> openapi_document(const ApiResources& resources, const Version& version,
                                             std::string_view path);

}  // namespace nodebound
