#include "fakes/wire/go/go_type_names.h"

namespace nodebound {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

const FieldDescriptor& item_field(const FieldDescriptor& field) {
  return field.is_map() ? *field.message_type()->map_value() : field;
}

// Packages are named by their version: `core.v1` is `v1`.
std::string go_message_type(const Descriptor& message) {
  const std::string& package = message.file()->package();
  const bool compiled_in = message.file() == encoding::Unknown::descriptor()->file();
  return (compiled_in ? "v1" : package.substr(package.rfind('.') + 1)) + "." + message.name();
}

std::string go_item_type(const FieldDescriptor& field) {
  const std::string& own = field.options().GetExtension(encoding::go_type);
  if (!own.empty()) return own;
  const FieldDescriptor& item = item_field(field);
  switch (item.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return "bool";
    case FieldDescriptor::CPPTYPE_INT32:
      return "int32";
    case FieldDescriptor::CPPTYPE_INT64:
      return "int64";
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return go_message_type(*item.message_type());
    default:
      return is_byte_field(item) ? "[]uint8" : "string";
  }
}

std::string go_whole_type(const FieldDescriptor& field) {
  const std::string& own = field.options().GetExtension(encoding::go_type_of_all);
  return own.empty() ? (field.is_map() ? "map[string]" : "[]") + go_item_type(field) : own;
}

}  // namespace nodebound
