#pragma once

#include <optional>
#include <string_view>

#include "fakes/wire/http.h"
#include "fakes/wire/resources/api_resources.h"
#include "reference/release/version.h"

namespace nodebound {

/// `/openapi/v2`, `/openapi/v3` and the documents that it links to. The schemas name the kinds and allow any field, so
/// that clients that validate their objects accept them. Nothing if there is no such document.
std::optional<HttpResponse> openapi_document(const ApiResources& resources, const Version& version,
                                             std::string_view path);

}  // namespace nodebound
