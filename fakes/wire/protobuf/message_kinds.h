#pragma once

#include <google/protobuf/descriptor.h>
#include <string_view>

#include "fakes/wire/media_type.h"

namespace nodebound {

/// The compiled-in message of a kind; null if there is none.
const google::protobuf::Descriptor* message_of(const GroupVersionKind& kind);

/// The same, or else the kind's message of the table, with the fields that it has in a release (null: in the newest
/// one).
const google::protobuf::Descriptor* any_message_of(const GroupVersionKind& kind, const Release* release = nullptr);

}  // namespace nodebound
