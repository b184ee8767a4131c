#include "reference/cel/request_value.h"

#include <array>

namespace nodebound::cel {

namespace {

// An empty text is a field all the same.
Value string_value(const std::string& text) {
  return Value::of(std::string_view(text));
}

}  // namespace

std::size_t RequestValue::Object::size() const {
  std::size_t out = 0;
  for (std::size_t i = 0; i < names().size(); ++i) out += field(i) ? 1 : 0;
  return out;
}

Value RequestValue::Object::key(std::size_t index) const {
  for (std::size_t i = 0; i < names().size(); ++i) {
    if (field(i) && index-- == 0) return Value::of(names()[i]);
  }
  return Value::null();
}

std::optional<Value> RequestValue::Object::find(const Value& key) const {
  if (!key.is(Value::Kind::string)) return std::nullopt;
  const std::span<const std::string_view> all = names();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] == key.text()) return field(i);
  }
  return std::nullopt;
}

Value RequestValue::Extra::key(std::size_t index) const {
  auto at = all->begin();
  std::advance(at, static_cast<std::ptrdiff_t>(index));
  return string_value(at->first);
}

std::optional<Value> RequestValue::Extra::find(const Value& key) const {
  if (!key.is(Value::Kind::string)) return std::nullopt;
  const auto found = all->find(std::string(key.text()));
  if (found == all->end()) return std::nullopt;
  return Value::of(found->second);
}

std::span<const std::string_view> RequestValue::Requirement::names() const {
  static constexpr std::array<std::string_view, 3> all = {"key", "operator", "values"};
  return all;
}

std::optional<Value> RequestValue::Requirement::field(std::size_t index) const {
  if (index == 0) return string_value(requirement->key);
  if (index == 1) return string_value(requirement->op);
  return Value::of(requirement->values);
}

void RequestValue::Selector::show(const SelectorAttributes& attributes) {
  selector = &attributes;
  // The API server shows the text alone if there are both.
  if (!attributes.raw_selector.empty()) return;
  for (const SelectorRequirement& one : attributes.requirements) {
    requirements.all.emplace_back();
    requirements.all.back().requirement = &one;
  }
}

std::span<const std::string_view> RequestValue::Selector::names() const {
  static constexpr std::array<std::string_view, 2> all = {"rawSelector", "requirements"};
  return all;
}

std::optional<Value> RequestValue::Selector::field(std::size_t index) const {
  const bool raw = !selector->raw_selector.empty();
  if (raw != (index == 0)) return std::nullopt;
  return raw ? string_value(selector->raw_selector) : Value::of(static_cast<const ListData&>(requirements));
}

std::span<const std::string_view> RequestValue::Resource::names() const {
  static constexpr std::array<std::string_view, 9> all = {
      "namespace", "verb", "group", "version", "resource", "subresource", "name", "fieldSelector", "labelSelector"};
  return all;
}

std::optional<Value> RequestValue::Resource::field(std::size_t index) const {
  const Selector* selector = nullptr;
  switch (index) {
    case 0:
      return string_value(attributes->namespace_);
    case 1:
      return string_value(attributes->verb);
    case 2:
      return string_value(attributes->group);
    case 3:
      return string_value(attributes->version);
    case 4:
      return string_value(attributes->resource);
    case 5:
      return string_value(attributes->subresource);
    case 6:
      return string_value(attributes->name);
    case 7:
      selector = field_selector;
      break;
    default:
      selector = label_selector;
      break;
  }
  if (selector == nullptr) return std::nullopt;
  return Value::of(static_cast<const Map&>(*selector));
}

std::span<const std::string_view> RequestValue::NonResource::names() const {
  static constexpr std::array<std::string_view, 2> all = {"path", "verb"};
  return all;
}

std::optional<Value> RequestValue::NonResource::field(std::size_t index) const {
  return string_value(index == 0 ? attributes->path : attributes->verb);
}

std::span<const std::string_view> RequestValue::Spec::names() const {
  static constexpr std::array<std::string_view, 6> all = {
      "resourceAttributes", "nonResourceAttributes", "user", "groups", "extra", "uid"};
  return all;
}

std::optional<Value> RequestValue::Spec::field(std::size_t index) const {
  switch (index) {
    case 0:
      if (!spec->resource_attributes) return std::nullopt;
      return Value::of(static_cast<const Map&>(parts->resource_));
    case 1:
      if (!spec->non_resource_attributes) return std::nullopt;
      return Value::of(static_cast<const Map&>(parts->non_resource_));
    case 2:
      return string_value(spec->user);
    case 3:
      return Value::of(spec->groups);
    case 4:
      return Value::of(static_cast<const Map&>(parts->extra_));
    default:
      return string_value(spec->uid);
  }
}

RequestValue::RequestValue(const SubjectAccessReviewSpec& spec, bool field_selector, bool label_selector) {
  spec_.spec = &spec;
  spec_.parts = this;
  extra_.all = &spec.extra;
  if (spec.non_resource_attributes) non_resource_.attributes = &*spec.non_resource_attributes;
  if (!spec.resource_attributes) return;
  resource_.attributes = &*spec.resource_attributes;
  const auto show = [](bool asked, const std::optional<SelectorAttributes>& attributes,
                       Selector& selector) -> const Selector* {
    if (!asked || !attributes || (attributes->raw_selector.empty() && attributes->requirements.empty())) return nullptr;
    selector.show(*attributes);
    return &selector;
  };
  resource_.field_selector = show(field_selector, spec.resource_attributes->field_selector, field_selector_);
  resource_.label_selector = show(label_selector, spec.resource_attributes->label_selector, label_selector_);
}

}  // namespace nodebound::cel
