#pragma once

#include <optional>

#include "fakes/wire/http.h"
#include "reference/release/rule_set.h"

namespace nodebound::apiserver {

/// What a server reports about itself: `/healthz`, `/livez`, `/readyz` with their checks, `/metrics`,
/// and, if the release has them, `/logs`, `/statusz` and `/flagz`. Nothing if the path is none of these.
std::optional<HttpResponse> about_itself(const RuleSet& rules, bool has_logs, const HttpRequest& request,
                                         const std::string& path);

}  // namespace nodebound::apiserver
