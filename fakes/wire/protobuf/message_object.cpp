#include "fakes/wire/protobuf/message_object.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <memory>

#include "fakes/wire/protobuf/api_messages.h"
#include "fakes/wire/protobuf/message_forms.h"
#include "fakes/wire/protobuf/messages.pb.h"
#include "reference/encoding/base64.h"
#include "reference/encoding/utf8.h"

namespace nodebound {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

bool is_bytes(const FieldDescriptor& field) {
  return field.type() == FieldDescriptor::TYPE_BYTES;
}

Object text_of(const FieldDescriptor& field, const std::string& text) {
  return is_bytes(field) ? base64_encode(text) : valid_utf8(text);
}

Object scalar_of(const Message& message, const FieldDescriptor& field) {
  const Reflection& reflection = *message.GetReflection();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return reflection.GetBool(message, &field);
    case FieldDescriptor::CPPTYPE_INT32:
      return reflection.GetInt32(message, &field);
    case FieldDescriptor::CPPTYPE_INT64:
      return reflection.GetInt64(message, &field);
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return object_of(reflection.GetMessage(message, &field));
    default:
      return text_of(field, reflection.GetString(message, &field));
  }
}

Object item_of(const Message& message, const FieldDescriptor& field, int index) {
  const Reflection& reflection = *message.GetReflection();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return reflection.GetRepeatedBool(message, &field, index);
    case FieldDescriptor::CPPTYPE_INT32:
      return reflection.GetRepeatedInt32(message, &field, index);
    case FieldDescriptor::CPPTYPE_INT64:
      return reflection.GetRepeatedInt64(message, &field, index);
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return object_of(reflection.GetRepeatedMessage(message, &field, index));
    default:
      return text_of(field, reflection.GetRepeatedString(message, &field, index));
  }
}

bool is_empty(const Object& value) {
  if (value.is_null() || value == false || value == 0 || is_empty_text(value)) return true;
  return value.is_structured() && value.empty();
}

Object list_of(const Message& message, const FieldDescriptor& field) {
  const Reflection& reflection = *message.GetReflection();
  Object out = field.is_map() ? Object::object() : Object::array();
  for (int i = 0; i < reflection.FieldSize(message, &field); ++i) {
    if (!field.is_map()) {
      out.push_back(item_of(message, field, i));
      continue;
    }
    const Message& item = reflection.GetRepeatedMessage(message, &field, i);
    const Object key = scalar_of(item, *item.GetDescriptor()->map_key());
    out[key.get_ref<const std::string&>()] = scalar_of(item, *item.GetDescriptor()->map_value());
  }
  return out;
}

// Adds a field as Go writes it in JSON: an empty one is left out, unless it is a pointer or its tag has no `omitempty`.
// In protobuf, Go writes every field that is neither a pointer nor a list; so the writer's release does not know a
// field that is missing.
void add_field(Object& out, const Message& message, const FieldDescriptor& field) {
  const auto& options = field.options();
  const bool always = options.GetExtension(encoding::always);
  if (field.is_repeated()) {
    Object list = list_of(message, field);
    if (list.empty() && !always) return;
    out[field.name()] = list.empty() ? Object() : std::move(list);
  } else if (options.GetExtension(encoding::inlined)) {
    out.update(scalar_of(message, field));
  } else if (options.GetExtension(encoding::pointer)) {
    if (message.GetReflection()->HasField(message, &field)) {
      out[field.name()] = scalar_of(message, field);
    } else if (always) {
      out[field.name()] = nullptr;
    }
  } else if (message.GetReflection()->HasField(message, &field)) {
    Object value = scalar_of(message, field);
    if (is_bytes(field) && is_empty(value)) value = nullptr;
    if (always || !is_empty(value)) out[field.name()] = std::move(value);
  }
}

Object empty_value_of(const FieldDescriptor& field) {
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return false;
    case FieldDescriptor::CPPTYPE_INT32:
    case FieldDescriptor::CPPTYPE_INT64:
      return 0;
    default:
      return is_bytes(field) ? Object() : Object("");
  }
}

std::string string_in(const FieldDescriptor& field, const Object& value) {
  if (!value.is_string()) return {};
  return is_bytes(field) ? base64_decode(value.get_ref<const std::string&>()).value_or("") : value.get<std::string>();
}

template <typename Number>
Number number_in(const Object& value) {
  return value.is_number_integer() ? value.get<Number>() : 0;
}

void set_scalar(Message& message, const FieldDescriptor& field, const Object& value) {
  const Reflection& reflection = *message.GetReflection();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return reflection.SetBool(&message, &field, value.is_boolean() && value.get<bool>());
    case FieldDescriptor::CPPTYPE_INT32:
      return reflection.SetInt32(&message, &field, number_in<std::int32_t>(value));
    case FieldDescriptor::CPPTYPE_INT64:
      return reflection.SetInt64(&message, &field, number_in<std::int64_t>(value));
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return fill(*reflection.MutableMessage(&message, &field), value);
    default:
      if (is_bytes(field) && value.is_null()) return;
      return reflection.SetString(&message, &field, string_in(field, value));
  }
}

void add_item(Message& message, const FieldDescriptor& field, const Object& value) {
  const Reflection& reflection = *message.GetReflection();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return reflection.AddBool(&message, &field, value.is_boolean() && value.get<bool>());
    case FieldDescriptor::CPPTYPE_INT32:
      return reflection.AddInt32(&message, &field, number_in<std::int32_t>(value));
    case FieldDescriptor::CPPTYPE_INT64:
      return reflection.AddInt64(&message, &field, number_in<std::int64_t>(value));
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return fill(*reflection.AddMessage(&message, &field), value);
    default:
      return reflection.AddString(&message, &field, string_in(field, value));
  }
}

void add_items(Message& message, const FieldDescriptor& field, const Object& items) {
  for (auto item = items.begin(); item != items.end(); ++item) {
    if (!field.is_map() || !items.is_object()) {
      add_item(message, field, *item);
      continue;
    }
    Message& added = *message.GetReflection()->AddMessage(&message, &field);
    set_scalar(added, *added.GetDescriptor()->map_key(), item.key());
    set_scalar(added, *added.GetDescriptor()->map_value(), *item);
  }
}

// JSON would contain this part even if it were empty, but only some releases may have it.
bool is_written_empty(const FieldDescriptor& field) {
  const auto& options = field.options();
  if (options.GetExtension(encoding::pointer)) return false;
  const bool is_part = field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE &&
                       field.message_type()->options().GetExtension(encoding::form) == encoding::OBJECT;
  return !is_part || !options.GetExtension(encoding::always);
}

}  // namespace

Object empty_object_of(const Descriptor& type) {
  Object out = Object::object();
  for (int i = 0; i < type.field_count(); ++i) {
    const FieldDescriptor& field = *type.field(i);
    const auto& options = field.options();
    const bool is_message = field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
    if (options.GetExtension(encoding::inlined)) {
      out.update(empty_object_of(*field.message_type()));
    } else if (options.GetExtension(encoding::always)) {
      const bool is_object = is_message && !field.is_repeated() && !options.GetExtension(encoding::pointer) &&
                             field.message_type()->options().GetExtension(encoding::form) == encoding::OBJECT;
      const bool is_value = !is_message && !field.is_repeated() && !options.GetExtension(encoding::pointer);
      out[field.name()] = is_object  ? empty_object_of(*field.message_type())
                          : is_value ? empty_value_of(field)
                                     : Object();
    }
  }
  return out;
}

Object object_of(const Message& message) {
  const encoding::Form form = form_of(message);
  const Descriptor& type = *message.GetDescriptor();
  if (form == encoding::LIST) return list_of(message, *type.field(0));
  if (form != encoding::OBJECT) return value_of(message, form);
  Object out = Object::object();
  for (int i = 0; i < type.field_count(); ++i) add_field(out, message, *type.field(i));
  return out;
}

void fill(Message& message, const Object& object) {
  const encoding::Form form = form_of(message);
  const Descriptor& type = *message.GetDescriptor();
  if (form == encoding::LIST) return add_items(message, *type.field(0), object);
  if (form != encoding::OBJECT) return set_value(message, form, object);
  for (int i = 0; i < type.field_count(); ++i) {
    const FieldDescriptor& field = *type.field(i);
    const bool inlined = field.options().GetExtension(encoding::inlined);
    const Object& value = inlined ? object : member(object, field.name());
    if (field.is_repeated()) {
      if (value.is_structured()) add_items(message, field, value);
    } else if (!value.is_null() || is_written_empty(field)) {
      set_scalar(message, field, value);
    }
  }
}

// Go writes the entries of a map in the order of their keys; protobuf's library does so only if it is told to.
void append_bytes(const Message& message, std::string& out) {
  google::protobuf::io::StringOutputStream stream(&out);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  message.SerializeToCodedStream(&coded);
}

// Writes the items of a list one by one, because they are long.
std::string message_bytes(const Descriptor& type, const Object& object) {
  const FieldDescriptor* const items = type.name().ends_with("List") ? type.FindFieldByName("items") : nullptr;
  const std::unique_ptr<Message> message = new_message(type);
  std::string out;
  if (items == nullptr) {
    fill(*message, object);
    append_bytes(*message, out);
    return out;
  }
  fill(*message, {{"metadata", member(object, "metadata")}});
  append_bytes(*message, out);
  for (const Object& item : member(object, "items")) {
    message->Clear();
    add_item(*message, *items, item);
    append_bytes(*message, out);
  }
  return out;
}

}  // namespace nodebound
