#pragma once

#include <string>

#include "fakes/apiserver/computed_fields.h"

namespace nodebound {

/// What the strategy of a resource lets through of an object that is submitted to it or to one of its subresources, on
/// top of what there was before (PrepareForUpdate in pkg/registry/*/strategy.go).
Object prepared_for_update(const WriteContext& write, const std::string& subresource, const Object& before,
                           Object submitted);

}  // namespace nodebound
