#pragma once

#include <google/protobuf/descriptor.h>
#include <string>

#include "fakes/wire/protobuf/messages.pb.h"

namespace nodebound {

inline encoding::Form form_of(const google::protobuf::Descriptor& type) {
  return type.options().GetExtension(encoding::form);
}

inline bool is_byte_field(const google::protobuf::FieldDescriptor& field) {
  return field.type() == google::protobuf::FieldDescriptor::TYPE_BYTES;
}

/// Of a map, the field with its values; otherwise the field itself.
const google::protobuf::FieldDescriptor& item_field(const google::protobuf::FieldDescriptor& field);

/// `v1.PodSpec`
std::string go_message_type(const google::protobuf::Descriptor& message);

/// The Go type of a field's value; of a list or map, that of one value in it.
std::string go_item_type(const google::protobuf::FieldDescriptor& field);

/// The Go type of a list or map: `v1.ResourceList`.
std::string go_whole_type(const google::protobuf::FieldDescriptor& field);

}  // namespace nodebound
