#pragma once

#include <optional>

#include "fakes/http/handler.h"
#include "fakes/wire/http.h"
#include "reference/authorizer/attributes.h"

namespace nodebound::serving {

/// The refusal of a request whose parameter `timeout` is no duration, as kube-apiserver sends it before it asks who the
/// client is (apiserver's endpoints/filters/request_deadline.go). A request that may run long has no timeout.
std::optional<HttpResponse> wrong_timeout(const IncomingRequest& request, const Attributes& attributes);

}  // namespace nodebound::serving
