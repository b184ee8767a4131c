#pragma once

#include <string>

#include "fakes/apiserver/write/computed_fields.h"

namespace nodebound {

/// The object that results from an update of a resource or subresource: the submitted fields that its strategy accepts,
/// and the old values of all others (PrepareForUpdate in pkg/registry/*/strategy.go).
Object prepared_for_update(const WriteContext& write, const std::string& subresource, const Object& before,
                           Object submitted);

}  // namespace nodebound
