#include "fakes/wire/go/go_types.h"

#include <algorithm>
#include <limits>
#include <set>

#include "fakes/validation/quantity.h"
#include "fakes/wire/go/go_text.h"
#include "fakes/wire/go/go_time.h"
#include "fakes/wire/go/go_type_names.h"
#include "fakes/wire/go/json.h"
#include "fakes/wire/protobuf/api_messages.h"
#include "fakes/wire/protobuf/message_kinds.h"
#include "fakes/wire/protobuf/messages.pb.h"
#include "reference/encoding/base64.h"
#include "reference/release/behaviour_ids.h"
#include "reference/release/refusal_text.h"
#include "reference/release/release.h"

namespace nodebound {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

// The messages that hold an inlined field, from the outside in.
std::string inlined_path(const Descriptor& type, const std::string& name) {
  if (const FieldDescriptor* const own = type.FindFieldByName(name)) {
    if (!own->options().GetExtension(encoding::inlined)) return {};
  }
  for (int i = 0; i < type.field_count(); ++i) {
    const FieldDescriptor& field = *type.field(i);
    if (!field.options().GetExtension(encoding::inlined)) continue;
    const Descriptor& inner = *field.message_type();
    if (field_named(inner, name) != nullptr) return inner.name() + "." + inlined_path(inner, name);
  }
  return {};
}

/// What a value is to be.
struct Expected {
  enum class Kind { nothing, anything, object, field, item, byte };
  Kind kind = Kind::nothing;               ///< nothing: the value is skipped
  const FieldDescriptor* field = nullptr;  ///< of a field, or an item of its list or map
  const Descriptor* type = nullptr;        ///< of an object
};

/// Decodes JSON as Go does, without keeping what it reads.
class TypedReader final : public nlohmann::json_sax<Object> {
 public:
  /// `name` must live as long as the reader.
  TypedReader(Expected whole, std::string_view name, bool open, bool tells_embedded = true)
      : next_(whole), open_(open), tells_embedded_(tells_embedded), structure_(name) {}

  [[nodiscard]] bool stopped() const { return fatal_.has_value(); }

  GoDecoding told() { return {fatal_ ? std::move(fatal_) : std::move(mistake_), std::move(strict_)}; }

  bool null() override {
    next_item();
    return true;
  }
  bool boolean(bool) override { return scalar(false); }
  bool number_integer(number_integer_t value) override { return scalar(value); }
  bool number_unsigned(number_unsigned_t value) override { return scalar(value); }
  bool number_float(number_float_t value, const string_t& digits) override {
    digits_ = digits;
    return scalar(value);
  }
  bool string(string_t& value) override { return scalar(value); }
  bool binary(binary_t&) override { return true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

  bool start_object(std::size_t) override {
    Frame frame = opened();
    if (expects_anything()) {
      frame.inner = {Expected::Kind::anything};
    } else if (next_.kind == Expected::Kind::object) {
      frame.type = next_.type;
    } else if (next_.kind == Expected::Kind::field && next_.field->is_map()) {
      frame.inner = {Expected::Kind::item, &item_field(*next_.field)};
      frame.collection = next_.field;
    } else if (const Descriptor* const message = message_expected();
               message != nullptr && form_of(*message) == encoding::OBJECT) {
      frame.type = message;
    } else {
      expect_other("object");
    }
    frames_.push_back(std::move(frame));
    return !fatal_;
  }

  bool key(string_t& name) override {
    Frame& frame = frames_.back();
    shorten(frame);
    next_ = frame.inner;
    if (frame.type != nullptr) {
      enter_field(frame, name);
    } else if (frame.inner.kind != Expected::Kind::nothing) {
      note_repeated(frame, name);
      strict_path_ += (strict_path_.empty() ? "" : ".") + name;
    }
    return true;
  }

  bool end_object() override { return end(); }

  bool start_array(std::size_t) override {
    Frame frame = opened();
    frame.list = true;
    const Descriptor* const message = message_expected();
    if (expects_anything()) {
      frame.inner = {Expected::Kind::anything};
    } else if (next_.kind == Expected::Kind::field && next_.field->is_repeated() && !next_.field->is_map()) {
      frame.inner = {Expected::Kind::item, next_.field};
      frame.collection = next_.field;
    } else if (message != nullptr && form_of(*message) == encoding::LIST) {
      frame.inner = {Expected::Kind::item, message->field(0)};
      frame.collection = message->field(0);
    } else if (const FieldDescriptor* const field = scalar_expected(); field != nullptr && is_byte_field(*field)) {
      frame.inner = {Expected::Kind::byte};
    } else {
      expect_other("array");
    }
    frames_.push_back(std::move(frame));
    next_item();
    return !fatal_;
  }

  bool end_array() override { return end(); }

 private:
  /// An object or list that is being read.
  struct Frame {
    const Descriptor* type = nullptr;  ///< of an object with fields; null: all values are `inner`
    Expected inner;
    const FieldDescriptor* collection = nullptr;  ///< the list or map that this is
    bool list = false;
    std::size_t items = 0;
    std::uint64_t seen_fields = 0;  ///< a bit for each of the first fields of the type
    std::set<std::string, std::less<>> seen;
    // What to return to.
    std::size_t strict_length;
    std::size_t path_length;
    std::string_view structure;
  };

  Frame opened() {
    Frame out;
    out.strict_length = strict_path_.size();
    out.path_length = path_.size();
    out.structure = structure_;
    return out;
  }

  void shorten(const Frame& frame) {
    strict_path_.resize(frame.strict_length);
    path_.resize(frame.path_length);
    structure_ = frame.structure;
  }

  bool end() {
    shorten(frames_.back());
    frames_.pop_back();
    next_item();
    return true;
  }

  // In a list, the next value is the next item.
  void next_item() {
    if (frames_.empty() || !frames_.back().list) return;
    Frame& frame = frames_.back();
    shorten(frame);
    next_ = frame.inner;
    strict_path_ += "[" + std::to_string(frame.items++) + "]";
  }

  void enter_field(Frame& frame, const std::string& name) {
    const FieldDescriptor* const field = field_named(*frame.type, name);
    const bool type_field =
        frame.type->options().GetExtension(encoding::typed) && (name == "kind" || name == "apiVersion");
    next_ = {};
    if (field == nullptr && !type_field) {
      if (!(open_ && frames_.size() == 1)) note("unknown", name);
      return;
    }
    if (field == nullptr || field->containing_type() != frame.type || field->index() >= 64) {
      note_repeated(frame, name);
    } else {
      const std::uint64_t own = std::uint64_t{1} << static_cast<unsigned>(field->index());
      if ((frame.seen_fields & own) != 0) note("duplicate", name);
      frame.seen_fields |= own;
    }
    strict_path_ += (strict_path_.empty() ? "" : ".") + name;
    if (field == nullptr) return;
    next_ = {field->is_repeated() ? Expected::Kind::field : Expected::Kind::item, field};
    if (!(open_ && frames_.size() == 1)) structure_ = frame.type->name();
    path_ += (path_.empty() ? "" : ".") + (tells_embedded_ ? inlined_path(*frame.type, name) : "") + name;
  }

  void note_repeated(Frame& frame, const std::string& name) {
    if (!frame.seen.insert(name).second) note("duplicate", name);
  }

  void note(const char* what, const std::string& name) {
    constexpr std::size_t most = 100;
    if (strict_.size() >= most) return;
    std::string error =
        std::string(what) + " field " + go_quoted(strict_path_ + (strict_path_.empty() ? "" : ".") + name);
    if (std::find(strict_.begin(), strict_.end(), error) == strict_.end()) strict_.push_back(std::move(error));
  }

  [[nodiscard]] const Descriptor* message_expected() const {
    const bool is_item = next_.kind == Expected::Kind::item;
    const bool is_message = is_item && next_.field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
    return is_message ? next_.field->message_type() : nullptr;
  }

  [[nodiscard]] bool expects_anything() const {
    const Descriptor* const message = message_expected();
    return next_.kind == Expected::Kind::anything || (message != nullptr && form_of(*message) == encoding::ANY);
  }

  [[nodiscard]] const FieldDescriptor* scalar_expected() const {
    return next_.kind == Expected::Kind::item && message_expected() == nullptr ? next_.field : nullptr;
  }

  // Go goes on after most mistakes, and reports the first one; after a mistake in a type that decodes itself it stops.
  bool wrong(const std::string& what, const std::string& type) {
    std::string error = "json: cannot unmarshal " + what + " into Go ";
    error += path_.empty() ? "value of type " : "struct field " + std::string(structure_) + "." + path_ + " of type ";
    if (!mistake_) mistake_ = error + type;
    return true;
  }

  bool stop(std::string why) {
    fatal_ = std::move(why);
    return false;
  }

  bool stop_wrong(const std::string& what, const char* type) {
    const std::optional<std::string> before = std::move(mistake_);
    mistake_.reset();
    wrong(what, type);
    fatal_ = std::exchange(mistake_, before);
    return false;
  }

  [[nodiscard]] std::string expected_type() const {
    if (next_.kind == Expected::Kind::byte) return "uint8";
    if (next_.kind == Expected::Kind::object) return go_message_type(*next_.type);
    if (next_.kind == Expected::Kind::field) return go_whole_type(*next_.field);
    // The item of a map is a field of its own there, which does not know the name of its type.
    const FieldDescriptor* const map = frames_.empty() ? nullptr : frames_.back().collection;
    return go_item_type(map != nullptr && map->is_map() ? *map : *next_.field);
  }

  // A value that cannot be what is expected.
  bool expect_other(const std::string& what) {
    if (next_.kind == Expected::Kind::nothing) return true;
    const Descriptor* const message = message_expected();
    if (message == nullptr) return wrong(what, expected_type());
    switch (form_of(*message)) {
      case encoding::JSON:
      case encoding::ANY:
        return true;
      case encoding::TIME:
      case encoding::MICRO_TIME:
        return stop_wrong(what, "string");
      case encoding::QUANTITY:
        return stop(validation::quantity_error(Object::array()));
      case encoding::INT_OR_STRING:
        return stop_wrong(what, "int32");
      default:
        return wrong(what, expected_type());
    }
  }

  bool scalar(const Object& value) {
    const bool keeps_on = check(value);
    next_item();
    return keeps_on;
  }

  bool check(const Object& value) {
    switch (next_.kind) {
      case Expected::Kind::nothing:
      case Expected::Kind::anything:
        return true;
      case Expected::Kind::byte:
        return is_integer(value, 0, 255) || wrong(described(value), "uint8");
      case Expected::Kind::item:
        break;
      default:
        return wrong(go_json_type(value), expected_type());
    }
    if (const Descriptor* const message = message_expected()) return check_message(*message, value);
    switch (next_.field->cpp_type()) {
      case FieldDescriptor::CPPTYPE_BOOL:
        return value.is_boolean() || wrong(go_json_type(value), expected_type());
      case FieldDescriptor::CPPTYPE_INT32:
        return is_int32(value) || wrong(described(value), expected_type());
      case FieldDescriptor::CPPTYPE_INT64:
        return is_integer(value, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()) ||
               wrong(described(value), expected_type());
      default:
        return check_text(value);
    }
  }

  bool check_text(const Object& value) {
    if (!value.is_string()) return wrong(go_json_type(value), expected_type());
    if (!is_byte_field(*next_.field)) return true;
    const auto mistake = base64_mistake(value.get_ref<const std::string&>());
    if (mistake && !mistake_) mistake_ = "illegal base64 data at input byte " + std::to_string(*mistake);
    return true;
  }

  bool check_message(const Descriptor& message, const Object& value) {
    const encoding::Form form = form_of(message);
    if (form == encoding::TIME || form == encoding::MICRO_TIME) {
      if (!value.is_string()) return stop_wrong(go_json_type(value), "string");
      const auto time = parse_go_time(value.get_ref<const std::string&>(),
                                      form == encoding::TIME ? TimeLayout::seconds : TimeLayout::micros);
      return time || stop(time.error());
    }
    if (form == encoding::QUANTITY) {
      const char* const why = validation::quantity_error(value);
      return why == nullptr || stop(why);
    }
    if (form == encoding::INT_OR_STRING) {
      return value.is_string() || is_int32(value) || stop_wrong(described(value), "int32");
    }
    return expect_other(go_json_type(value));
  }

  static bool is_integer(const Object& value, std::int64_t least, std::int64_t most) {
    if (value.is_number_unsigned()) return value.get<std::uint64_t>() <= static_cast<std::uint64_t>(most);
    return value.is_number_integer() && value.get<std::int64_t>() >= least && value.get<std::int64_t>() <= most;
  }

  static bool is_int32(const Object& value) {
    return is_integer(value, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max());
  }

  // A number that does not fit is named with its digits.
  [[nodiscard]] std::string described(const Object& value) const {
    if (!value.is_number()) return go_json_type(value);
    return "number " + (value.is_number_float() ? digits_ : value.dump());
  }

  Expected next_;
  bool open_;            ///< the outermost object may have any field, and errors call it by another name
  bool tells_embedded_;  ///< embedded structs are part of the path in an error
  std::vector<Frame> frames_;
  std::string digits_;  ///< of the last fraction, as it was written
  std::string strict_path_;
  // Where Go says a mistake is: the struct with the field, the fields on the way there without places in lists.
  std::string_view structure_;
  std::string path_;
  std::optional<std::string> mistake_;
  std::optional<std::string> fatal_;
  std::vector<std::string> strict_;
};

// Visits an object like its text.
bool visit(const Object& value, TypedReader& reader) {
  switch (value.type()) {
    case Object::value_t::object:
      if (!reader.start_object(value.size())) return false;
      for (auto own = value.begin(); own != value.end(); ++own) {
        std::string name = own.key();
        if (!reader.key(name) || !visit(*own, reader)) return false;
      }
      return reader.end_object();
    case Object::value_t::array:
      if (!reader.start_array(value.size())) return false;
      for (const Object& item : value) {
        if (!visit(item, reader)) return false;
      }
      return reader.end_array();
    case Object::value_t::string: {
      std::string text = value.get<std::string>();
      return reader.string(text);
    }
    case Object::value_t::boolean:
      return reader.boolean(value.get<bool>());
    case Object::value_t::number_integer:
      return reader.number_integer(value.get<std::int64_t>());
    case Object::value_t::number_unsigned:
      return reader.number_unsigned(value.get<std::uint64_t>());
    case Object::value_t::number_float:
      return reader.number_float(value.get<double>(), go_number(value.get<double>()));
    default:
      return reader.null();
  }
}

TypedReader reader_of(const GroupVersionKind& kind, const Release* release) {
  const Descriptor* const own = any_message_of(kind, release);
  const bool known = own != nullptr;
  const bool tells_embedded = release == nullptr || release->does(Behaviour::embedded_structs_told);
  return {{Expected::Kind::object, nullptr, known ? own : encoding::AnyKind::descriptor()},
          kind.kind,
          !known,
          tells_embedded};
}

// Visits the text of a value that was read before.
GoDecoding told_of(TypedReader reader, std::string_view json) {
  TypedReader first = reader;
  const bool done = is_plain_json(json) && (Object::sax_parse(json, &first) || first.stopped());
  if (done) return first.told();
  if (const auto plain = plain_json(json)) Object::sax_parse(*plain, &reader);
  return reader.told();
}

}  // namespace

const char* go_json_type(const Object& value) {
  return value.is_boolean() ? "bool" : value.is_number() ? "number" : value.type_name();
}

std::string cannot_unmarshal(const Object& value, const std::string& place) {
  return std::string("json: cannot unmarshal ") + go_json_type(value) + " into Go " + place;
}

GoDecoding decode_json_as_go(const GroupVersionKind& kind, std::string_view json, const Release* release) {
  return told_of(reader_of(kind, release), json);
}

GoDecoding decode_as_go(const GroupVersionKind& kind, const Object& object, const Release* release) {
  TypedReader reader = reader_of(kind, release);
  visit(object, reader);
  return reader.told();
}

std::vector<std::string> repeated_fields(std::string_view json) {
  TypedReader reader({Expected::Kind::anything}, "", false);
  return told_of(std::move(reader), json).strict;
}

std::vector<std::string> strict_patch_errors(std::string_view json_patch) {
  TypedReader reader({Expected::Kind::field, encoding::JsonPatch::descriptor()->field(0)}, "", false);
  return told_of(std::move(reader), json_patch).strict;
}

}  // namespace nodebound
