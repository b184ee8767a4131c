#pragma once

#include <functional>
#include <optional>

#include "reference/cluster/cluster.h"

namespace nodebound::apiserver {

/// Reads an object of an API server.
using FindObject = std::function<std::optional<Object>(const ObjectKey&)>;

/// Returns the status of a TokenReview with that `spec`. It may read objects only through `find`: the API server is in
/// the middle of a request.
using TokenReviewer = std::function<Object(const Object& spec, const FindObject& find)>;

}  // namespace nodebound::apiserver
