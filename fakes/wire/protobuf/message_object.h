#pragma once

#include <google/protobuf/message.h>
#include <string>

#include "reference/cluster/object.h"

namespace nodebound {

/// The object of a message, as Go writes it in JSON.
Object object_of(const google::protobuf::Message& message);

/// The object of a Go value of that type with nothing in it: the fields that JSON never leaves out.
Object empty_object_of(const google::protobuf::Descriptor& type);

/// The opposite of object_of(). Like Go, it also writes empty fields, unless they are pointers.
void fill(google::protobuf::Message& message, const Object& object);

/// The bytes of an object as a message of that type.
std::string message_bytes(const google::protobuf::Descriptor& type, const Object& object);

}  // namespace nodebound
