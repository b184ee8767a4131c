#include "fakes/encoding/go_types.h"

#include <array>
#include <limits>

#include "fakes/encoding/message_kinds.h"
#include "fakes/encoding/messages.pb.h"
#include "fakes/encoding/timestamp.h"
#include "reference/release/refusal_text.h"

namespace nodebound {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

/// Where a value is, as Go tells it: the struct whose field it is in, and the path of the field.
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

// The layout of RFC 3339 as Go's time writes it, piece by piece.
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

// An object, list or value in the place of one field or one item of it.
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
  const Descriptor& message = *field.message_type();
  if (message.full_name() == encoding::FieldsV1::descriptor()->full_name()) return std::nullopt;
  if (message.full_name() == encoding::Time::descriptor()->full_name()) {
    if (!value.is_string()) return mismatch(go_json_type(value), place, "string");
    return value.get_ref<const std::string&>().empty() ? std::nullopt : time_error(value.get_ref<const std::string&>());
  }
  if (message.full_name() == encoding::ExtraValue::descriptor()->full_name()) {
    if (!value.is_array()) return wrong(go_json_type(value));
    for (const Object& item : value) {
      if (auto error = error_of_item(*message.FindFieldByNumber(1), item, place)) return error;
    }
    return std::nullopt;
  }
  return value.is_object() ? error_in(message, value, place) : std::optional(wrong(go_json_type(value)));
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
    const FieldDescriptor* const field = type.FindFieldByName(own.key());
    if (field == nullptr) continue;
    if (auto error = error_of_field(*field, *own, place.below(type.name(), own.key()))) return error;
  }
  return std::nullopt;
}

}  // namespace

const char* go_json_type(const Object& value) {
  return value.is_boolean() ? "bool" : value.is_number() ? "number" : value.type_name();
}

std::optional<std::string> go_type_error(const GroupVersionKind& kind, const Object& object) {
  if (const Descriptor* const whole = message_of(kind)) return error_in(*whole, object, {});
  const FieldDescriptor& metadata = *encoding::TokenReview::descriptor()->FindFieldByName("metadata");
  return error_of_field(metadata, member(object, "metadata"), {kind.kind, "metadata"});
}

}  // namespace nodebound
