#include "fakes/wire/go/go_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fakes/validation/quantity.h"
#include "fakes/wire/go/go_time.h"
#include "fakes/wire/go/go_type_names.h"
#include "fakes/wire/go/go_types.h"
#include "fakes/wire/protobuf/api_messages.h"
#include "fakes/wire/protobuf/message_kinds.h"
#include "reference/encoding/base64.h"

namespace nodebound {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

// what is kept --------------------------------------------------------------------------------------------------------

void keep_item(const FieldDescriptor& field, Object& value);
void keep_fields(const Descriptor& type, Object& object);

// The JSON of a type's zero value.
Object empty_value(const FieldDescriptor& field) {
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return false;
    case FieldDescriptor::CPPTYPE_INT32:
    case FieldDescriptor::CPPTYPE_INT64:
      return 0;
    case FieldDescriptor::CPPTYPE_STRING:
      return "";
    default:
      break;
  }
  const encoding::Form form = form_of(*field.message_type());
  if (form == encoding::OBJECT) return Object::object();
  if (form == encoding::QUANTITY) return "0";
  return form == encoding::INT_OR_STRING ? Object(0) : Object();
}

void keep_time(Object& value, TimeLayout layout) {
  if (!value.is_string()) return;
  const auto time = parse_go_time(value.get_ref<const std::string&>(), layout);
  if (!time) return;
  std::string text = go_time_text(*time, layout);
  value = text.empty() ? Object() : Object(std::move(text));
}

// Bytes are base64, or a list of numbers.
void keep_bytes(Object& value) {
  std::string bytes;
  if (value.is_string()) {
    bytes = base64_decode(value.get_ref<const std::string&>()).value_or("");
  } else {
    for (const Object& byte : value) bytes += static_cast<char>(byte.is_number_integer() ? byte.get<int>() : 0);
  }
  value = base64_encode(bytes);
}

void keep_message(const FieldDescriptor& field, Object& value) {
  const Descriptor& message = *field.message_type();
  switch (form_of(message)) {
    case encoding::OBJECT:
      return keep_fields(message, value);
    case encoding::TIME:
      return keep_time(value, TimeLayout::seconds);
    case encoding::MICRO_TIME:
      return keep_time(value, TimeLayout::micros);
    case encoding::QUANTITY:
      if (value.is_string() || value.is_number()) value = validation::Quantity::of(value).text();
      return;
    case encoding::LIST:
      for (Object& item : value) keep_item(*message.field(0), item);
      return;
    default:
      return;
  }
}

void keep_item(const FieldDescriptor& field, Object& value) {
  if (value.is_null()) {
    value = empty_value(field);
  } else if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
    keep_message(field, value);
  } else if (is_byte_field(field)) {
    keep_bytes(value);
  }
}

// API servers round what the core group's lists of resources hold when they fill in defaults.
void round_resources(const FieldDescriptor& field, Object& list) {
  if (field.file()->package() != "core.v1") return;
  if (field.options().GetExtension(encoding::go_type_of_all) != "v1.ResourceList") return;
  for (Object& amount : list) amount = validation::Quantity::of(amount).in_thousandths().text();
}

void keep_field(const FieldDescriptor& field, Object& value) {
  if (!field.is_repeated()) return keep_item(field, value);
  if (!value.is_structured()) return;
  for (Object& one : value) keep_item(item_field(field), one);
  round_resources(field, value);
}

// An empty list of managers asks to forget them all, and none does not (apimachinery's managedfields/internal).
bool is_list_of_managers(const FieldDescriptor& field) {
  return field.name() == "managedFields" && field.containing_type()->name() == "ObjectMeta";
}

// Go leaves out an empty value, unless it is a pointer or its tag has no `omitempty`.
bool is_left_out(const FieldDescriptor& field, const Object& value) {
  const auto& options = field.options();
  if (is_list_of_managers(field)) return false;
  if (options.GetExtension(encoding::always)) return false;
  if (value.is_structured()) return value.empty() && field.is_repeated();
  if (options.GetExtension(encoding::pointer) || field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) return false;
  return value == false || value == 0 || is_empty_text(value);
}

void keep_fields(const Descriptor& type, Object& object) {
  if (!object.is_object()) return;
  const bool typed = type.options().GetExtension(encoding::typed);
  for (auto own = object.begin(); own != object.end();) {
    const FieldDescriptor* const field = field_named(type, own.key());
    const bool known = field != nullptr || (typed && (own.key() == "kind" || own.key() == "apiVersion"));
    if (!known || own->is_null()) {
      own = object.erase(own);
      continue;
    }
    if (field != nullptr) keep_field(*field, *own);
    const bool no_time = own->is_null() && !field->options().GetExtension(encoding::pointer);
    own = no_time || (field != nullptr && is_left_out(*field, *own)) ? object.erase(own) : std::next(own);
  }
}

// conversion ----------------------------------------------------------------------------------------------------------

using Mistake = std::optional<std::string>;

const char* go_kind(const Object& value) {
  if (value.is_string()) return "string";
  if (value.is_boolean()) return "bool";
  if (value.is_number()) return value.is_number_float() ? "float64" : "int64";
  return value.is_array() ? "slice" : "map";
}

Mistake convert_fields(const Descriptor& type, Object& object);

Mistake convert_number(const FieldDescriptor& field, Object& value) {
  const bool narrow = field.cpp_type() == FieldDescriptor::CPPTYPE_INT32;
  const char* const kind = narrow ? "int32" : "int64";
  if (!value.is_number()) return std::string("unrecognized type: ") + kind;
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (value.is_number_float()) {
    const auto number = value.get<double>();
    if (number != std::trunc(number)) return "cannot convert float64 to " + go_item_type(field);
    value = std::abs(number) < static_cast<double>(most) ? static_cast<std::int64_t>(number) : least;
  } else if (value.is_number_unsigned() && value.get<std::uint64_t>() > most) {
    value = least;
  }
  if (narrow) value = static_cast<std::int32_t>(value.get<std::int64_t>());
  return std::nullopt;
}

Mistake convert_text(const FieldDescriptor& field, const Object& value) {
  if (value.is_string()) return std::nullopt;
  if (value.is_number_integer()) return "cannot convert int64 to " + go_item_type(field);
  return "unrecognized type: string";
}

Mistake convert_bytes(const Object& value) {
  if (value.is_array()) {
    const bool numbers =
        std::all_of(value.begin(), value.end(), [](const Object& byte) { return byte.is_number() || byte.is_null(); });
    return numbers ? std::nullopt : Mistake("unrecognized type: uint8");
  }
  if (!value.is_string()) return std::string("cannot restore slice from ") + go_kind(value);
  const auto mistake = base64_mistake(value.get_ref<const std::string&>());
  if (!mistake) return std::nullopt;
  return "error decoding from json: illegal base64 data at input byte " + std::to_string(*mistake);
}

Mistake convert_time(const Object& value, TimeLayout layout) {
  if (!value.is_string()) {
    return cannot_unmarshal(value, "value of type string");
  }
  const auto time = parse_go_time(value.get_ref<const std::string&>(), layout);
  return time ? std::nullopt : Mistake(time.error());
}

Mistake convert_int_or_string(const Object& value) {
  if (value.is_string()) return std::nullopt;
  const bool fits = value.is_number_integer() && value.get<std::int64_t>() == value.get<std::int32_t>();
  if (fits) return std::nullopt;
  const std::string what = value.is_number() ? "number " + value.dump() : go_json_type(value);
  return "json: cannot unmarshal " + what + " into Go value of type int32";
}

Mistake convert_item(const FieldDescriptor& field, Object& value);

Mistake convert_list(const FieldDescriptor& field, Object& value) {
  if (!value.is_array()) return std::string("cannot restore slice from ") + go_kind(value);
  for (Object& item : value) {
    if (Mistake mistake = convert_item(field, item)) return mistake;
  }
  return std::nullopt;
}

Mistake convert_message(const Descriptor& message, Object& value) {
  switch (form_of(message)) {
    case encoding::TIME:
      return convert_time(value, TimeLayout::seconds);
    case encoding::MICRO_TIME:
      return convert_time(value, TimeLayout::micros);
    case encoding::QUANTITY: {
      const char* const why = validation::quantity_error(value);
      return why == nullptr ? std::nullopt : Mistake(why);
    }
    case encoding::INT_OR_STRING:
      return convert_int_or_string(value);
    case encoding::JSON:
      return std::nullopt;
    case encoding::LIST:
      return convert_list(*message.field(0), value);
    default:
      return convert_fields(message, value);
  }
}

Mistake convert_item(const FieldDescriptor& field, Object& value) {
  if (value.is_null()) return std::nullopt;
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return value.is_boolean() ? std::nullopt : Mistake("unrecognized type: bool");
    case FieldDescriptor::CPPTYPE_INT32:
    case FieldDescriptor::CPPTYPE_INT64:
      return convert_number(field, value);
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return convert_message(*field.message_type(), value);
    default:
      return is_byte_field(field) ? convert_bytes(value) : convert_text(field, value);
  }
}

Mistake convert_map(const FieldDescriptor& field, Object& value) {
  if (!value.is_object()) return std::string("cannot restore map from ") + go_kind(value);
  for (Object& own : value) {
    if (Mistake mistake = convert_item(item_field(field), own)) return mistake;
  }
  return std::nullopt;
}

// Fields come in the order of the struct.
Mistake convert_fields(const Descriptor& type, Object& object) {
  if (!object.is_object()) return std::string("cannot restore struct from: ") + go_kind(object);
  for (int i = 0; i < type.field_count(); ++i) {
    const FieldDescriptor& field = *type.field(i);
    Mistake mistake;
    if (field.options().GetExtension(encoding::inlined)) {
      mistake = convert_fields(*field.message_type(), object);
    } else if (const auto own = object.find(field.name()); own != object.end() && !own->is_null()) {
      mistake = field.is_map()        ? convert_map(field, *own)
                : field.is_repeated() ? convert_list(field, *own)
                                      : convert_item(field, *own);
    }
    if (mistake) return mistake;
  }
  return std::nullopt;
}

const FieldDescriptor& metadata_of_any() {
  return *encoding::AnyKind::descriptor()->FindFieldByName("metadata");
}

}  // namespace

void keep_as_go(const GroupVersionKind& kind, Object& object, const Release* release) {
  if (const Descriptor* const whole = any_message_of(kind, release)) return keep_fields(*whole, object);
  const auto metadata = object.find("metadata");
  if (metadata != object.end()) keep_field(metadata_of_any(), *metadata);
}

std::optional<std::string> convert_as_go(const GroupVersionKind& kind, Object& object, const Release* release) {
  if (const Descriptor* const whole = any_message_of(kind, release)) return convert_fields(*whole, object);
  const auto metadata = object.find("metadata");
  return metadata == object.end() ? std::nullopt : convert_item(metadata_of_any(), *metadata);
}

}  // namespace nodebound
