#pragma once

#include <initializer_list>

#include "fakes/apiserver/write/write_context.h"

namespace nodebound::apiserver {

struct SubresourceStrategy;

/// The object that results from an update of a resource, or of a subresource if `through` is not null: the submitted
/// fields that its strategy accepts, and the old values of all others (PrepareForUpdate in pkg/registry/*/strategy.go).
Object prepared_for_update(const WriteContext& write, const SubresourceStrategy* through, const Object& before,
                           Object submitted);

/// The same for the subresource `status` of any kind, except for the metadata that no update changes.
Object prepared_status(const WriteContext& write, const Object& before, Object submitted);

/// Replaces a submitted field by its old value, or removes it if there was none.
void keep_field(Object& submitted, const Object& before, const char* field);
void keep_metadata(Object& submitted, const Object& before, std::initializer_list<const char*> fields);

}  // namespace nodebound::apiserver
