#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fakes/http/handler.h"

namespace nodebound::kubelet_api {

/// Why net/http cannot read the form of a request, in its words; nothing if it can.
std::optional<std::string> form_mistake(const IncomingRequest& request);

/// Whether the query has the parameter, with or without a value.
bool has_query_parameter(std::string_view target, std::string_view name);

}  // namespace nodebound::kubelet_api
