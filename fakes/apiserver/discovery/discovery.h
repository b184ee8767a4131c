#pragma once

#include <optional>
#include <string_view>

#include "fakes/wire/http.h"
#include "fakes/wire/resources/api_resources.h"
#include "reference/release/version.h"

namespace nodebound::apiserver {

/// The documents from which clients learn what a server serves: `/version`, `/api`, `/apis`, a group or a version of
/// it. Nothing if the path is none of these.
std::optional<HttpResponse> discovered(const ApiResources& resources, const Release& release,
                                       const HttpRequest& request, std::string_view path);

}  // namespace nodebound::apiserver
