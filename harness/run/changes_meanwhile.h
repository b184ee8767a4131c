#pragma once

#include <functional>

#include "fakes/wire/http.h"
#include "harness/endpoint/endpoint.h"
#include "reference/result.h"

namespace nodebound {

/// Calls `read` while another session writes to the target and lists what `watch` is about, until `read` returns. An
/// API server sends a bookmark only if it has learned of something since the last event of the watch; a list that must
/// be fresh makes its watch cache ask for that. Only for a target that ends with the run: it leaves a Lease there.
Result<HttpResponse> with_changes_meanwhile(Endpoint& target, const HttpRequest& watch,
                                            const std::function<Result<HttpResponse>()>& read);

}  // namespace nodebound
