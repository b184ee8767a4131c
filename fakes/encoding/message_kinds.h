#pragma once

#include <google/protobuf/descriptor.h>
#include <string_view>

#include "fakes/encoding/media_type.h"

namespace nodebound {

/// The message that objects of a kind are written as; null if this server has none for it.
const google::protobuf::Descriptor* message_of(const GroupVersionKind& kind);

}  // namespace nodebound
