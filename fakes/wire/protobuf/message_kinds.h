#pragma once

#include <google/protobuf/descriptor.h>
#include <string_view>

#include "fakes/wire/media_type.h"

namespace nodebound {

/// The compiled-in message of a kind; null if there is none.
const google::protobuf::Descriptor* message_of(const GroupVersionKind& kind);

/// The same, or else the kind's message of the table. With a release, the message of the table first, with the fields
/// that the release has.
const google::protobuf::Descriptor* any_message_of(const GroupVersionKind& kind, const Release* release = nullptr);

}  // namespace nodebound
