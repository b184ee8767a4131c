#include "fakes/wire/protobuf/api_messages.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <google/protobuf/descriptor_database.h>
#include <google/protobuf/dynamic_message.h>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "fakes/wire/protobuf/messages.pb.h"
#include "reference/release/release.h"
#include "reference/release/release_range.h"

namespace nodebound {
namespace data {

std::string_view api_messages_text();

}  // namespace data

namespace {

using google::protobuf::Descriptor;
using google::protobuf::DescriptorPool;
using google::protobuf::DescriptorProto;
using google::protobuf::FieldDescriptorProto;
using google::protobuf::FileDescriptor;
using google::protobuf::FileDescriptorProto;

std::string_view next_part(std::string_view& text, char divider) {
  const std::size_t end = std::min(text.find(divider), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

template <typename Value>
using Named = std::pair<std::string_view, Value>;

template <typename Value, std::size_t size>
const Value* value_of(const std::array<Named<Value>, size>& table, std::string_view name) {
  const auto* const found =
      std::find_if(table.begin(), table.end(), [&](const auto& own) { return own.first == name; });
  return found == table.end() ? nullptr : &found->second;
}

constexpr std::array<Named<FieldDescriptorProto::Type>, 5> scalars = {{{"string", FieldDescriptorProto::TYPE_STRING},
                                                                       {"bytes", FieldDescriptorProto::TYPE_BYTES},
                                                                       {"bool", FieldDescriptorProto::TYPE_BOOL},
                                                                       {"int32", FieldDescriptorProto::TYPE_INT32},
                                                                       {"int64", FieldDescriptorProto::TYPE_INT64}}};

constexpr std::array<Named<encoding::Form>, 6> forms = {{{"time", encoding::TIME},
                                                         {"micro_time", encoding::MICRO_TIME},
                                                         {"json", encoding::JSON},
                                                         {"list", encoding::LIST},
                                                         {"quantity", encoding::QUANTITY},
                                                         {"int_or_string", encoding::INT_OR_STRING}}};

/// Reads `SINCE`, `-UNTIL` or `SINCE-UNTIL`, or nothing for any.
ReleaseRange range_of(std::string_view releases) {
  ReleaseRange out;
  if (const auto since = Version::parse(next_part(releases, '-'))) out.since = {*since};
  out.until = Version::parse(releases);
  return out;
}

/// Makes the descriptor of one package from its lines, with the fields that it has in a version; without one, in the
/// newest.
class PackageReader {
 public:
  PackageReader(std::string_view package, const std::optional<Version>& version, FileDescriptorProto& out)
      : package_(package), version_(version), out_(out) {
    out_.set_name(std::string(package));
    out_.set_package(std::string(package));
  }

  void read(std::string_view lines) {
    while (!lines.empty()) {
      std::string_view line = next_part(lines, '\n');
      if (line.starts_with(' ')) {
        line.remove_prefix(1);
        read_field(line);
      } else if (!line.empty()) {
        message_ = out_.add_message_type();
        message_->set_name(std::string(next_part(line, ' ')));
        if (const auto* form = value_of(forms, line)) {
          message_->mutable_options()->SetExtension(encoding::form, *form);
        }
        if (line == "kind") message_->mutable_options()->SetExtension(encoding::typed, true);
      }
    }
  }

 private:
  [[nodiscard]] bool in_force(const ReleaseRange& range) const {
    return version_ ? range.contains(*version_) : !range.until.has_value();
  }

  void read_field(std::string_view line) {
    std::string_view releases = next_part(line, ' ');
    const std::string_view digits = next_part(releases, '@');
    const ReleaseRange range = range_of(releases);
    if (!in_force(range)) return;
    int number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const std::string name(next_part(line, ' '));
    std::string_view go_type = next_part(line, ' ');
    const std::string_view type = next_part(go_type, '=');
    const std::string_view flags = next_part(line, ' ');
    const auto has = [&](std::string_view flag) { return flags.find(flag) != std::string_view::npos; };
    FieldDescriptorProto& field = *message_->add_field();
    field.set_number(number);
    field.set_name(name);
    field.set_label(has("[]") || has("{}") ? FieldDescriptorProto::LABEL_REPEATED
                                           : FieldDescriptorProto::LABEL_OPTIONAL);
    if (has("{}")) {
      make_map(field, type);
    } else {
      set_type(field, type);
    }
    if (!go_type.empty()) field.mutable_options()->SetExtension(encoding::go_type, std::string(go_type));
    if (!line.empty()) field.mutable_options()->SetExtension(encoding::go_type_of_all, std::string(line));
    if (has("*")) field.mutable_options()->SetExtension(encoding::pointer, true);
    const std::size_t always = flags.find('!');
    const bool is_always = always != std::string_view::npos && in_force(range_of(flags.substr(always + 1)));
    if (is_always) field.mutable_options()->SetExtension(encoding::always, true);
    if (has("^")) field.mutable_options()->SetExtension(encoding::inlined, true);
  }

  void set_type(FieldDescriptorProto& field, std::string_view type) {
    if (const auto* scalar = value_of(scalars, type)) return field.set_type(*scalar);
    field.set_type(FieldDescriptorProto::TYPE_MESSAGE);
    const std::size_t dot = type.rfind('.');
    if (dot == std::string_view::npos) {
      field.set_type_name("." + package_ + "." + std::string(type));
      return;
    }
    field.set_type_name("." + std::string(type));
    const std::string other(type.substr(0, dot));
    if (imported_.insert(other).second) out_.add_dependency(other);
  }

  // In protobuf a map is a list of messages with a key and a value; the message must have this name.
  void make_map(FieldDescriptorProto& field, std::string_view value_type) {
    std::string name = field.name() + "Entry";
    if (name.front() >= 'a' && name.front() <= 'z') name.front() = static_cast<char>(name.front() - 'a' + 'A');
    field.set_type(FieldDescriptorProto::TYPE_MESSAGE);
    field.set_type_name("." + package_ + "." + message_->name() + "." + name);
    DescriptorProto& entry = *message_->add_nested_type();
    entry.set_name(name);
    entry.mutable_options()->set_map_entry(true);
    add_part(entry, "key", 1, "string");
    add_part(entry, "value", 2, value_type);
  }

  void add_part(DescriptorProto& entry, const char* name, int number, std::string_view type) {
    FieldDescriptorProto& part = *entry.add_field();
    part.set_name(name);
    part.set_number(number);
    part.set_label(FieldDescriptorProto::LABEL_OPTIONAL);
    set_type(part, type);
  }

  const std::string package_;
  const std::optional<Version> version_;
  FileDescriptorProto& out_;
  DescriptorProto* message_ = nullptr;
  std::set<std::string> imported_;
};

/// The table as a descriptor database for one version: each package is a file, and protobuf's library asks for
/// the files that it needs.
class ApiMessages final : public google::protobuf::DescriptorDatabase {
 public:
  explicit ApiMessages(const std::optional<Version>& version) : version_(version) {
    constexpr std::string_view beginning = "package ";
    std::string_view text = data::api_messages_text();
    std::size_t at = text.find("\npackage ");
    while (at != std::string_view::npos) {
      text.remove_prefix(at + 1 + beginning.size());
      at = text.find("\npackage ");
      std::string_view lines = text.substr(0, at);
      std::string_view line = next_part(lines, '\n');
      const std::string name(next_part(line, ' '));
      lines_.emplace(name, lines);
      if (!line.empty()) versions_[std::string(line)].name = name;
    }
  }

  const Descriptor* find(const GroupVersionKind& kind) {
    const auto found = versions_.find(kind.group_version());
    if (found == versions_.end()) return nullptr;
    Group& group = found->second;
    std::call_once(group.once, [&] { group.file = pool_.FindFileByName(group.name); });
    return group.file == nullptr ? nullptr : group.file->FindMessageTypeByName(kind.kind);
  }

  bool FindFileByName(const std::string& filename, FileDescriptorProto* output) override {
    const auto found = lines_.find(filename);
    if (found == lines_.end()) return false;
    PackageReader(found->first, version_, *output).read(found->second);
    return true;
  }
  bool FindFileContainingSymbol(const std::string&, FileDescriptorProto*) override { return false; }
  bool FindFileContainingExtension(const std::string&, int, FileDescriptorProto*) override { return false; }

 private:
  struct Group {
    std::string name;
    std::once_flag once;
    const FileDescriptor* file = nullptr;
  };

  const std::optional<Version> version_;
  std::map<std::string, std::string_view, std::less<>> lines_;  ///< of each package
  std::map<std::string, Group, std::less<>> versions_;          ///< by apiVersion
  DescriptorPool pool_{this};
};

/// The tables of all minor releases that somebody has asked for, and the messages of their types.
class Tables {
 public:
  ApiMessages& of(const Release* release) {
    const std::string minor = release == nullptr ? std::string() : release->version.minor_text();
    const std::lock_guard lock(mutex_);
    const auto found = by_minor_.find(minor);
    if (found != by_minor_.end()) return found->second;
    return by_minor_.try_emplace(minor, Version::parse(minor)).first->second;
  }
  const google::protobuf::Message& prototype(const Descriptor& type) { return *factory_.GetPrototype(&type); }

 private:
  std::mutex mutex_;
  std::map<std::string, ApiMessages> by_minor_;  ///< the newest under an empty text
  google::protobuf::DynamicMessageFactory factory_;
};

Tables& tables() {
  static Tables all;
  return all;
}

}  // namespace

const Descriptor* api_message_of(const GroupVersionKind& kind, const Release* release) {
  ApiMessages& messages = tables().of(release);
  const Descriptor* const own = messages.find(kind);
  if (own != nullptr || !kind.group.empty()) return own;
  // Kinds that describe the API itself (Status, APIGroup) have version v1 or none.
  return messages.find({"meta.k8s.io", kind.version.empty() ? "v1" : kind.version, kind.kind});
}

const google::protobuf::FieldDescriptor* field_named(const Descriptor& type, const std::string& name) {
  const google::protobuf::FieldDescriptor* const own = type.FindFieldByName(name);
  if (own != nullptr && !own->options().GetExtension(encoding::inlined)) return own;
  for (int i = 0; i < type.field_count(); ++i) {
    const google::protobuf::FieldDescriptor& field = *type.field(i);
    if (!field.options().GetExtension(encoding::inlined)) continue;
    if (const google::protobuf::FieldDescriptor* const inner = field_named(*field.message_type(), name)) return inner;
  }
  return nullptr;
}

std::unique_ptr<google::protobuf::Message> new_message(const Descriptor& type) {
  const bool is_compiled = type.file()->pool() == DescriptorPool::generated_pool();
  const auto* const prototype = is_compiled ? google::protobuf::MessageFactory::generated_factory()->GetPrototype(&type)
                                            : &tables().prototype(type);
  return std::unique_ptr<google::protobuf::Message>(prototype->New());
}

}  // namespace nodebound
