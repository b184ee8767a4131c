#pragma once

#include <string>
#include <tl/expected.hpp>

#include "fakes/wire/media_type.h"
#include "reference/cluster/object.h"
#include "reference/release/catalogue.h"

namespace nodebound {

/// The kind that a decoded object names, as far as it names one. The error is Go's text (apimachinery's
/// pkg/runtime/serializer/json/meta.go).
tl::expected<GroupVersionKind, std::string> type_meta_of(const Object& object);

/// Go's error for a kind that does not exist, in a release (null: in the newest one).
std::string not_registered(const GroupVersionKind& kind, const Release* release = nullptr);

}  // namespace nodebound
