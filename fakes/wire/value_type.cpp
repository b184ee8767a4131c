#include "fakes/wire/value_type.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "fakes/wire/go/go_type_names.h"
#include "fakes/wire/protobuf/api_messages.h"

namespace nodebound {
namespace data {

std::string_view field_merging_text();

}  // namespace data

namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

struct MessageMerging {
  bool whole = false;
  std::vector<std::pair<std::string_view, Merging>> fields;
};

std::string_view next_word(std::string_view& line) {
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return word;
}

ListKey key_in(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos) return {std::string(word), nullptr};
  return {std::string(word.substr(0, equals)), Object::parse(word.substr(equals + 1))};
}

Merging merging_in(std::string_view line) {
  const std::string_view by = next_word(line);
  if (by == "whole") return {Merging::By::whole};
  if (by == "parts") return {Merging::By::parts};
  Merging out{by == "keys" ? Merging::By::keys : Merging::By::values};
  while (!line.empty()) out.keys.push_back(key_in(next_word(line)));
  return out;
}

using MergingTable = std::unordered_map<std::string_view, MessageMerging>;

MergingTable read_table(std::string_view text) {
  MergingTable out;
  MessageMerging* message = nullptr;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    if (line.front() != ' ') {
      message = &out[next_word(line)];
      message->whole = line == "whole";
    } else if (message != nullptr) {
      line.remove_prefix(1);
      const std::string_view name = next_word(line);
      message->fields.emplace_back(name, merging_in(line));
    }
  }
  return out;
}

const MessageMerging* merging_table_entry(const Descriptor& message) {
  static const MergingTable table = read_table(data::field_merging_text());
  const auto found = table.find(message.full_name());
  return found == table.end() ? nullptr : &found->second;
}

bool is_optional_in_go(const FieldDescriptor& field) {
  return field.options().GetExtension(encoding::pointer) || !field.options().GetExtension(encoding::always);
}

// What Go writes for a field that nobody has set.
Object go_zero_of(const FieldDescriptor& field) {
  if (field.is_repeated()) return nullptr;
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return false;
    case FieldDescriptor::CPPTYPE_STRING:
      return is_byte_field(field) ? Object() : Object("");
    case FieldDescriptor::CPPTYPE_MESSAGE:
      break;
    default:
      return 0;
  }
  const encoding::Form form = form_of(*field.message_type());
  if (form == encoding::OBJECT) return Object::object();
  if (form == encoding::QUANTITY) return "0";
  return form == encoding::INT_OR_STRING ? Object(0) : Object();
}

void complete_message(const Descriptor& type, Object& object);

void complete_value(const FieldDescriptor& field, Object& value) {
  if (field.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) return;
  const bool is_struct = form_of(*field.message_type()) == encoding::OBJECT;
  if (is_struct && value.is_object()) complete_message(*field.message_type(), value);
}

void complete_field(const FieldDescriptor& field, Object& object) {
  if (field.options().GetExtension(encoding::inlined)) return complete_message(*field.message_type(), object);
  auto own = object.find(field.name());
  if (own == object.end()) {
    if (is_optional_in_go(field)) return;
    own = object.emplace(field.name(), go_zero_of(field)).first;
  }
  if (!field.is_repeated()) return complete_value(field, *own);
  if (!own->is_structured()) return;
  for (Object& each : *own) complete_value(item_field(field), each);
}

void complete_message(const Descriptor& type, Object& object) {
  for (int i = 0; i < type.field_count(); ++i) complete_field(*type.field(i), object);
}

}  // namespace

const Merging* merging_of(const FieldDescriptor& field) {
  const MessageMerging* const entry = merging_table_entry(*field.containing_type());
  if (entry == nullptr) return nullptr;
  const auto found = std::find_if(entry->fields.begin(), entry->fields.end(),
                                  [&](const auto& own) { return own.first == field.name(); });
  return found == entry->fields.end() ? nullptr : &found->second;
}

ValueType ValueType::of_kind(const GroupVersionKind& kind, const Release* release) {
  ValueType out;
  out.message_ = api_message_of(kind, release);
  out.shape_ = out.message_ == nullptr ? Shape::kind : Shape::message;
  return out;
}

ValueType ValueType::of_value(const FieldDescriptor& field) {
  ValueType out;
  out.shape_ = Shape::scalar;
  if (field.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) return out;
  const encoding::Form form = form_of(*field.message_type());
  // What is in a RawExtension has no type, and is replaced as a whole.
  if (form != encoding::OBJECT) return out;
  out.shape_ = Shape::message;
  out.message_ = field.message_type();
  return out;
}

ValueType ValueType::of_field(const FieldDescriptor& field) {
  ValueType out = of_value(field);
  if (field.is_repeated()) {
    out.shape_ = field.is_map() ? Shape::map : Shape::list;
    out.field_ = &field;
  }
  out.merging_ = merging_of(field);
  return out;
}

ValueType ValueType::member(const std::string& name) const {
  if (shape_ == Shape::map) return of_value(item_field(*field_));
  const Descriptor* type = message_;
  // Every kind has the same metadata.
  if (shape_ == Shape::kind && name == "metadata") type = api_message_of({"", "v1", "ConfigMap"});
  const FieldDescriptor* const field = type == nullptr ? nullptr : field_named(*type, name);
  return field == nullptr ? ValueType() : of_field(*field);
}

ValueType ValueType::item() const {
  return shape_ == Shape::list ? of_value(*field_) : ValueType();
}

bool ValueType::declares(const std::string& name) const {
  if (shape_ == Shape::kind) return name == "metadata" || name == "kind" || name == "apiVersion";
  if (shape_ != Shape::message) return false;
  const bool typed = message_->options().GetExtension(encoding::typed);
  return field_named(*message_, name) != nullptr || (typed && (name == "kind" || name == "apiVersion"));
}

Merging::By ValueType::merging(const Object* value) const {
  if (merging_ != nullptr) return merging_->by;
  switch (shape_) {
    case Shape::kind:
    case Shape::map:
      return Merging::By::parts;
    case Shape::message: {
      const MessageMerging* const entry = merging_table_entry(*message_);
      return entry != nullptr && entry->whole ? Merging::By::whole : Merging::By::parts;
    }
    case Shape::unknown:
      return value != nullptr && value->is_object() ? Merging::By::parts : Merging::By::whole;
    default:
      return Merging::By::whole;
  }
}

const std::vector<ListKey>& ValueType::keys() const {
  static const std::vector<ListKey> none;
  return merging_ == nullptr ? none : merging_->keys;
}

void ValueType::complete(Object& object) const {
  if (message_ != nullptr && object.is_object()) complete_message(*message_, object);
}

}  // namespace nodebound
