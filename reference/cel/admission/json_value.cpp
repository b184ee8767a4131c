#include "reference/cel/admission/json_value.h"

#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <utility>

namespace nodebound::cel {
namespace {

class JsonList final : public ListData {
 public:
  JsonList(const Object& list, std::pmr::memory_resource& memory) : list_(list), memory_(memory) {}
  [[nodiscard]] std::size_t size() const override { return list_.size(); }
  [[nodiscard]] Value at(std::size_t index) const override { return json_value(list_[index], memory_); }

 private:
  const Object& list_;
  std::pmr::memory_resource& memory_;
};

class JsonMap final : public Map {
 public:
  JsonMap(const Object& object, std::pmr::memory_resource& memory) : object_(object), memory_(memory) {}
  [[nodiscard]] std::size_t size() const override { return object_.size(); }
  [[nodiscard]] Value key(std::size_t index) const override {
    auto at = object_.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(index));
    return Value::of(std::string_view(at.key()));
  }
  [[nodiscard]] std::optional<Value> find(const Value& key) const override {
    if (!key.is(Value::Kind::string)) return std::nullopt;
    const auto found = object_.find(key.text());
    if (found == object_.end()) return std::nullopt;
    return json_value(*found, memory_);
  }

 private:
  const Object& object_;
  std::pmr::memory_resource& memory_;
};

// Nothing in the memory is destroyed before all of it is.
template <typename View>
const View& view_of(const Object& json, std::pmr::memory_resource& memory) {
  return *new (memory.allocate(sizeof(View), alignof(View))) View(json, memory);
}

}  // namespace

Value json_value(const Object& json, std::pmr::memory_resource& memory) {
  switch (json.type()) {
    case Object::value_t::boolean:
      return Value::of(json.get<bool>());
    case Object::value_t::number_integer:
      return Value::of(json.get<std::int64_t>());
    case Object::value_t::number_unsigned: {
      const auto number = json.get<std::uint64_t>();
      if (std::in_range<std::int64_t>(number)) return Value::of(static_cast<std::int64_t>(number));
      return Value::of(static_cast<double>(number));
    }
    case Object::value_t::number_float:
      return Value::of(json.get<double>());
    case Object::value_t::string:
      return Value::of(std::string_view(json.get_ref<const std::string&>()));
    case Object::value_t::array:
      return Value::of(static_cast<const ListData&>(view_of<JsonList>(json, memory)));
    case Object::value_t::object:
      return Value::of(static_cast<const Map&>(view_of<JsonMap>(json, memory)));
    default:
      return Value::null();
  }
}

}  // namespace nodebound::cel
