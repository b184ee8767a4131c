#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "fakes/wire/http.h"
#include "fakes/wire/resources/api_resources.h"
#include "reference/release/version.h"

namespace nodebound::apiserver {

/// The documents from which clients learn what a server serves: `/version`, `/api`, `/apis`, a group or a version of
/// it. Nothing if the path is none of these.
std::optional<HttpResponse> discovered(const ApiResources& resources, const Release& release,
                                       const HttpRequest& request, std::string_view path);

/// Whether the document at a path is written in JSON whatever a client prefers.
bool is_always_json(std::string_view path);

/// What a route that serves one document, in these media types, refuses.
std::optional<HttpResponse> refused_by_route(const HttpRequest& request, std::span<const std::string_view> types);

}  // namespace nodebound::apiserver
