#pragma once

#include <string>
#include <vector>

#include "fakes/apiserver/write/write_context.h"

namespace nodebound::apiserver {

/// Status fields that the release's API does not have: a read drops them, and an apply of them is refused.
std::vector<std::string> unknown_status_fields(const WriteContext& write);

/// What decoding adds to a submitted object: the table's defaults, and fields that follow from others.
void decode(const WriteContext& write, Object& object);

/// What is added to a new object after admission (PrepareForCreate).
void prepare_for_create(const WriteContext& write, Object& object);

/// Increments metadata.generation if the change makes a new one, for kinds that have a generation.
void count_generation(const WriteContext& write, const Object& before, Object& after);

}  // namespace nodebound::apiserver
