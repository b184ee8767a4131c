#pragma once

#include <google/protobuf/descriptor.h>
#include <string_view>

#include "fakes/wire/media_type.h"

namespace nodebound {

/// The compiled-in message of a kind; null if there is none.
const google::protobuf::Descriptor* message_of(const GroupVersionKind& kind);

}  // namespace nodebound
