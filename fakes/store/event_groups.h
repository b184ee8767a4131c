#pragma once

#include <optional>

#include "reference/cluster/cluster.h"

namespace nodebound {

/// Events are stored once and served in two groups, with other names for some fields
/// (pkg/apis/events/v1/conversion.go). The key of the same event in the other group; nothing for any other object.
std::optional<ObjectKey> key_in_other_group(const ObjectKey& key);

/// The event of that key, as the group of another key has it.
Object event_in_group(Object event, const ObjectKey& other);

}  // namespace nodebound
