#pragma once

#include <string_view>

#include "reference/cluster/object.h"

namespace nodebound {

/// The JSON value of a request's body. Discarded (`is_discarded()`) if it is none, or is nested deeper than any object
/// of the API: what is read here is copied, compared and written by functions that call themselves for each level.
Object parsed_json(std::string_view body);

}  // namespace nodebound
