#include "fakes/wire/configuration_types.h"

#include <set>
#include <vector>

#include "fakes/wire/go/go_text.h"
#include "fakes/wire/protobuf/api_messages.h"
#include "fakes/wire/protobuf/messages.pb.h"
#include "fakes/wire/value_type.h"
#include "reference/release/behaviour_ids.h"
#include "reference/release/refusal_text.h"
#include "reference/release/release.h"

namespace nodebound {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

// How much text errors about one configuration may have: many errors below one long key would need quadratic space.
constexpr std::size_t most_text = 1'000'000;

encoding::Form form_of(const Descriptor& type) {
  return type.options().GetExtension(encoding::form);
}

// Top-level objects, which have metadata, have these two fields.
bool is_type_meta(const Descriptor& type, std::string_view field) {
  return (field == "apiVersion" || field == "kind") && type.FindFieldByName("metadata") != nullptr;
}

const char* go_type(const Object& value) {
  if (value.is_string()) return "string";
  if (value.is_boolean()) return "bool";
  return value.is_object() ? "map[string]interface {}" : "[]interface {}";
}

class TypeCheck {
 public:
  /// `checks_scalars`: whether a value of a type with a text of its own, such as a quantity, must be a scalar.
  explicit TypeCheck(bool checks_scalars) : checks_scalars_(checks_scalars) {}

  void object(const Descriptor& type, const Object& value) {
    if (!is_map(value)) return;
    for (const auto& [name, own] : value.items()) {
      const Step step(path_, "." + name);
      const FieldDescriptor* const field = field_named(type, name);
      if (field != nullptr) {
        this->field(*field, own);
      } else if (!is_type_meta(type, name)) {
        // The rest of the object is not checked.
        wrong("field not declared in schema");
        return;
      } else if (!own.is_null() && !own.is_string()) {
        wrong_text(own);
      }
    }
  }

  void field(const FieldDescriptor& field, const Object& value) {
    if (field.is_map()) {
      if (!is_map(value)) return;
      for (const auto& [name, own] : value.items()) {
        const Step step(path_, "." + name);
        item(*field.message_type()->map_value(), own);
      }
    } else if (field.is_repeated()) {
      if (is_list(value)) list(field, value);
    } else {
      item(field, value);
    }
  }

  [[nodiscard]] std::optional<std::string> told() const {
    if (mistakes_.empty()) return std::nullopt;
    if (mistakes_.size() == 1) return mistakes_.front();
    std::string out = "errors:";
    for (const std::string& mistake : mistakes_) out += "\n  " + mistake;
    return out;
  }

 private:
  /// Adds an element to the path as long as it lives.
  class Step {
   public:
    Step(std::string& path, const std::string& element) : path_(path), length_(path.size()) { path_ += element; }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;
    ~Step() { path_.resize(length_); }

   private:
    std::string& path_;
    std::size_t length_;
  };

  void wrong(const std::string& what) {
    if (length_ > most_text) return;
    mistakes_.push_back(path_ + ": " + what);
    length_ += mistakes_.back().size();
  }

  void wrong_text(const Object& value) {
    wrong("expected string, got &value.valueUnstructured{Value:" + go_syntax(value) + "}");
  }

  bool is_map(const Object& value) {
    if (!value.is_null() && !value.is_object()) wrong("expected map, got &{" + go_text(value) + "}");
    return value.is_object();
  }

  bool is_list(const Object& value) {
    if (!value.is_null() && !value.is_array()) wrong("expected list, got &{" + go_text(value) + "}");
    return value.is_array();
  }

  void item(const FieldDescriptor& field, const Object& value) {
    if (value.is_null()) return;
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_MESSAGE:
        return message(*field.message_type(), value);
      case FieldDescriptor::CPPTYPE_STRING:
        if (!value.is_string()) wrong_text(value);
        return;
      case FieldDescriptor::CPPTYPE_BOOL:
        if (!value.is_boolean()) wrong("expected boolean, got &{" + go_text(value) + "}");
        return;
      default:
        if (!value.is_number()) wrong(std::string("expected numeric (int or float), got ") + go_type(value));
    }
  }

  void message(const Descriptor& type, const Object& value) {
    switch (form_of(type)) {
      case encoding::OBJECT:
        return object(type, value);
      case encoding::LIST:
        if (is_list(value)) list(*type.field(0), value);
        return;
      case encoding::INT_OR_STRING:
        // The conversion to the Go type refuses what is neither.
        return;
      case encoding::JSON:
        // These fields may hold any JSON object.
        if (type.name() == "RawExtension" || type.name() == "FieldsV1") is_map(value);
        return;
      default:
        if (checks_scalars_ && value.is_structured()) wrong("expected any scalar, got &{" + go_text(value) + "}");
    }
  }

  void list(const FieldDescriptor& field, const Object& items) {
    const Merging* const merging = merging_of(field);
    const bool apart = merging != nullptr && merging->by != Merging::By::whole;
    std::set<std::string> known;
    for (std::size_t i = 0; i < items.size(); ++i) {
      std::string element = "[" + std::to_string(i) + "]";
      if (apart) {
        const std::vector<ListKey>& keys = merging->keys;
        const std::string why = keys.empty() ? no_value(items[i]) : no_item(items[i], keys);
        if (!why.empty()) return wrong("element " + std::to_string(i) + ": " + why);
        element = keys.empty() ? "[=" + key_text(items[i]) + "]" : keys_text(items[i], keys);
        if (!known.insert(element).second) wrong("duplicate entries for key " + element);
      }
      const Step step(path_, element);
      item(field, items[i]);
    }
  }

  static std::string no_item(const Object& item, const std::vector<ListKey>& keys) {
    if (item.is_null()) return "associative list with keys may not have a null element";
    if (!item.is_object()) return "associative list with keys may not have non-map elements";
    const ListKey& first = keys.front();
    if (keys.size() > 1 || !first.otherwise.is_null() || item.contains(first.name)) return {};
    return "associative list with keys has an element that omits all key fields [" + go_quoted(first.name) +
           "] (and doesn't have default values for any key fields)";
  }

  static std::string no_value(const Object& item) {
    if (item.is_null()) return "associative list without keys has an element that's an explicit null";
    if (item.is_array()) return "not supported: associative list with lists as elements";
    return item.is_object() ? "associative list without keys has an element that's a map type" : "";
  }

  static std::string key_text(const Object& value) {
    if (value.is_object() && value.empty()) return {};
    return value.is_string() ? go_quoted(value.get_ref<const std::string&>())
                             : value.dump(-1, ' ', false, Object::error_handler_t::replace);
  }

  static std::string keys_text(const Object& item, const std::vector<ListKey>& keys) {
    std::string out;
    for (const ListKey& key : keys) {
      const bool has = item.contains(key.name);
      if (!has && key.otherwise.is_null()) continue;
      out += (out.empty() ? "[" : ",") + key.name + "=" + key_text(has ? member(item, key.name) : key.otherwise);
    }
    return out + "]";
  }

  bool checks_scalars_;
  std::string path_;
  std::vector<std::string> mistakes_;
  std::size_t length_ = 0;
};

}  // namespace

std::optional<std::string> configuration_type_error(const GroupVersionKind& kind, const Object& configuration,
                                                    const Release* release) {
  TypeCheck check(release == nullptr || release->does(Behaviour::applied_scalars_checked));
  if (const Descriptor* const type = api_message_of(kind, release)) {
    check.object(*type, configuration);
  } else {
    const Descriptor& any = *api_message_of({"", "v1", "ConfigMap"});
    check.object(any, {{"metadata", member(configuration, "metadata")}});
  }
  return check.told();
}

}  // namespace nodebound
