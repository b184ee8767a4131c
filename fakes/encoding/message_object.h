#pragma once

#include <google/protobuf/message.h>
#include <string>

#include "reference/cluster/object.h"

namespace nodebound {

/// What a message says, as Go writes the same in JSON.
Object object_of(const google::protobuf::Message& message);

/// The opposite. Like Go, it writes what is empty, too, unless it is a pointer.
void fill(google::protobuf::Message& message, const Object& object);

/// The bytes of an object as a message of that type.
std::string message_bytes(const google::protobuf::Descriptor& type, const Object& object);

}  // namespace nodebound
