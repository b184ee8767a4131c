#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <memory>
#include <string>

#include "fakes/wire/media_type.h"

namespace nodebound {

/// The message of a kind with the fields that it has in a release (null: in the newest one), from the table
/// api_messages.txt; null if the table has none. A package of the table is read when the first of its kinds is asked
/// for. Thread-safe.
const google::protobuf::Descriptor* api_message_of(const GroupVersionKind& kind, const Release* release = nullptr);

/// The field with that JSON name, of a message or of the messages that it inlines; null if there is none.
const google::protobuf::FieldDescriptor* field_named(const google::protobuf::Descriptor& type, const std::string& name);

/// An empty message, of that table or of a compiled-in type.
std::unique_ptr<google::protobuf::Message> new_message(const google::protobuf::Descriptor& type);

}  // namespace nodebound
