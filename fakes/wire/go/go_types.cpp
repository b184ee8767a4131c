#include "fakes/wire/go/go_types.h"

#include <array>
#include <limits>

#include "fakes/wire/protobuf/api_messages.h"
#include "fakes/wire/protobuf/message_kinds.h"
#include "fakes/wire/protobuf/messages.pb.h"
#include "fakes/wire/timestamp.h"
#include "reference/release/refusal_text.h"

namespace nodebound {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

/// The place of a value as Go reports it: the struct that has the field, and the path of the field.
struct Place {
  std::string structure;
  std::string path;

  [[nodiscard]] Place below(std::string_view inner, const std::string& field) const {
    return {std::string(inner), path.empty() ? field : path + "." + field};
  }
};

std::string mismatch(const std::string& what, const Place& place, const std::string& type) {
  return "json: cannot unmarshal " + what + " into Go struct field " + place.structure + "." + place.path +
         " of type " + type;
}

std::string type_of_item(const FieldDescriptor& field) {
  const std::string& own = field.options().GetExtension(encoding::go_type);
  if (!own.empty()) return own;
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return "bool";
    case FieldDescriptor::CPPTYPE_INT32:
      return "int32";
    case FieldDescriptor::CPPTYPE_INT64:
      return "int64";
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return "v1." + field.message_type()->name();
    default:
      return "string";
  }
}

// Parses the layout of RFC 3339 piece by piece, as Go's time package does.
std::optional<std::string> time_error(const std::string& text) {
  if (seconds_of(text) && text.size() > 19) return std::nullopt;
  constexpr std::array<std::string_view, 11> layout = {"2006", "-", "01", "-", "02", "T", "15", ":", "04", ":", "05"};
  std::string_view rest = text;
  std::string_view expected = "Z07:00";
  for (const std::string_view piece : layout) {
    const bool digits = piece.front() >= '0' && piece.front() <= '9';
    const std::string_view found = rest.substr(0, piece.size());
    const bool good =
        digits ? found.size() == piece.size() && found.find_first_not_of("0123456789") == std::string_view::npos
               : found == piece;
    if (!good) {
      expected = piece;
      break;
    }
    rest.remove_prefix(piece.size());
  }
  return "parsing time " + go_quoted(text) + R"( as "2006-01-02T15:04:05Z07:00": cannot parse )" + go_quoted(rest) +
         " as " + go_quoted(expected);
}

std::optional<std::string> error_in(const Descriptor& type, const Object& object, const Place& place);

std::optional<std::string> error_of_item(const FieldDescriptor& field, const Object& value, const Place& place);

std::optional<std::string> error_of_message(const Descriptor& message, const Object& value, const Place& place,
                                            const std::string& type) {
  const auto wrong = [&] { return std::optional(mismatch(go_json_type(value), place, type)); };
  switch (message.options().GetExtension(encoding::form)) {
    case encoding::JSON:
      return std::nullopt;
    case encoding::TIME:
    case encoding::MICRO_TIME: {
      if (!value.is_string()) return mismatch(go_json_type(value), place, "string");
      const auto& text = value.get_ref<const std::string&>();
      return text.empty() ? std::nullopt : time_error(text);
    }
    case encoding::LIST:
      if (!value.is_array()) return wrong();
      for (const Object& item : value) {
        if (auto error = error_of_item(*message.field(0), item, place)) return error;
      }
      return std::nullopt;
    case encoding::QUANTITY:
      if (value.is_string() || value.is_number()) return std::nullopt;
      return "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
    case encoding::INT_OR_STRING:
      if (value.is_string() || value.is_number()) return std::nullopt;
      return mismatch(go_json_type(value), place, "int32");
    default:
      return value.is_object() ? error_in(message, value, place) : wrong();
  }
}

// An object, list or value where one value of the field, or one of its items, is expected.
std::optional<std::string> error_of_item(const FieldDescriptor& field, const Object& value, const Place& place) {
  if (value.is_null()) return std::nullopt;
  const std::string type = type_of_item(field);
  const auto wrong = [&](const std::string& what) { return mismatch(what, place, type); };
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return value.is_boolean() ? std::nullopt : std::optional(wrong(go_json_type(value)));
    case FieldDescriptor::CPPTYPE_INT32:
    case FieldDescriptor::CPPTYPE_INT64: {
      if (!value.is_number()) return wrong(go_json_type(value));
      const bool narrow = field.cpp_type() == FieldDescriptor::CPPTYPE_INT32;
      const std::int64_t most =
          narrow ? std::numeric_limits<std::int32_t>::max() : std::numeric_limits<std::int64_t>::max();
      const bool fits = value.is_number_unsigned()  ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(most)
                        : value.is_number_integer() ? value.get<std::int64_t>() >= -most - 1
                                                    : false;
      return fits ? std::nullopt : std::optional(wrong("number " + value.dump()));
    }
    case FieldDescriptor::CPPTYPE_MESSAGE:
      break;
    default:
      return value.is_string() ? std::nullopt : std::optional(wrong(go_json_type(value)));
  }
  return error_of_message(*field.message_type(), value, place, type);
}

std::optional<std::string> error_of_field(const FieldDescriptor& field, const Object& value, const Place& place) {
  if (!field.is_repeated()) return error_of_item(field, value, place);
  if (value.is_null()) return std::nullopt;
  const FieldDescriptor& item = field.is_map() ? *field.message_type()->map_value() : field;
  const bool good = field.is_map() ? value.is_object() : value.is_array();
  if (!good) return mismatch(go_json_type(value), place, (field.is_map() ? "map[string]" : "[]") + type_of_item(item));
  for (const Object& one : value) {
    if (auto error = error_of_item(item, one, place)) return error;
  }
  return std::nullopt;
}

std::optional<std::string> error_in(const Descriptor& type, const Object& object, const Place& place) {
  for (auto own = object.begin(); own != object.end(); ++own) {
    const FieldDescriptor* const field = field_named(type, own.key());
    if (field == nullptr) continue;
    if (auto error = error_of_field(*field, *own, place.below(type.name(), own.key()))) return error;
  }
  return std::nullopt;
}

const Descriptor* descriptor_of(const GroupVersionKind& kind) {
  const Descriptor* const own = message_of(kind);
  return own != nullptr ? own : api_message_of(kind);
}

const FieldDescriptor& metadata_of_any() {
  return *encoding::TokenReview::descriptor()->FindFieldByName("metadata");
}

void read_nulls_in(const Descriptor& type, Object& object);

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
  const encoding::Form form = field.message_type()->options().GetExtension(encoding::form);
  if (form == encoding::OBJECT) return Object::object();
  if (form == encoding::QUANTITY) return "0";
  return form == encoding::INT_OR_STRING ? Object(0) : Object();
}

void read_nulls_of_item(const FieldDescriptor& field, Object& value) {
  if (value.is_null()) {
    value = empty_value(field);
  } else if (value.is_object() && field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
    read_nulls_in(*field.message_type(), value);
  }
}

void read_nulls_of(const FieldDescriptor& field, Object& value) {
  if (!value.is_structured()) return;
  if (!field.is_repeated()) return read_nulls_of_item(field, value);
  const FieldDescriptor& item = field.is_map() ? *field.message_type()->map_value() : field;
  for (Object& one : value) read_nulls_of_item(item, one);
}

void read_nulls_in(const Descriptor& type, Object& object) {
  if (type.options().GetExtension(encoding::form) != encoding::OBJECT) return;
  for (auto own = object.begin(); own != object.end();) {
    const FieldDescriptor* const field = field_named(type, own.key());
    if (field != nullptr && own->is_null()) {
      own = object.erase(own);
      continue;
    }
    if (field != nullptr) read_nulls_of(*field, *own);
    ++own;
  }
}

}  // namespace

const char* go_json_type(const Object& value) {
  return value.is_boolean() ? "bool" : value.is_number() ? "number" : value.type_name();
}

std::optional<std::string> go_type_error(const GroupVersionKind& kind, const Object& object) {
  if (const Descriptor* const whole = descriptor_of(kind)) return error_in(*whole, object, {});
  return error_of_field(metadata_of_any(), member(object, "metadata"), {kind.kind, "metadata"});
}

void read_nulls(const GroupVersionKind& kind, Object& object) {
  if (const Descriptor* const whole = descriptor_of(kind)) return read_nulls_in(*whole, object);
  const auto metadata = object.find("metadata");
  if (metadata != object.end()) read_nulls_of(metadata_of_any(), *metadata);
}

}  // namespace nodebound
