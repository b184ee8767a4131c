#include "reference/cel/evaluation/value.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include "reference/cel/evaluation/numbers.h"

namespace nodebound::cel {

namespace {

class FixedList : public ListData {
 public:
  explicit FixedList(std::span<const Value> elements) : elements_(elements) {}
  [[nodiscard]] std::size_t size() const override { return elements_.size(); }
  [[nodiscard]] Value at(std::size_t index) const override { return elements_[index]; }

 private:
  std::span<const Value> elements_;
};

class FixedMap : public Map {
 public:
  explicit FixedMap(std::span<const Value> entries) : entries_(entries) {}
  [[nodiscard]] std::size_t size() const override { return entries_.size() / 2; }
  [[nodiscard]] Value key(std::size_t index) const override { return entries_[2 * index]; }
  [[nodiscard]] std::optional<Value> find(const Value& key) const override {
    for (std::size_t i = 0; i < entries_.size(); i += 2) {
      if (equal(entries_[i], key)) return entries_[i + 1];
    }
    return std::nullopt;
  }

 private:
  std::span<const Value> entries_;
};

bool is_number(const Value& value) {
  return value.is(Value::Kind::integer) || value.is(Value::Kind::unsigned_integer) || value.is(Value::Kind::floating);
}

int sign(auto a, auto b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

// As cel-go's common/types/compare.go: beyond the range of the integer a double is decided at once, otherwise both are
// compared as doubles.
int compare_floating(double d, std::int64_t i) {
  if (d < -0x1p63) return -1;
  if (d > 0x1p63) return 1;
  return sign(d, static_cast<double>(i));
}
int compare_floating(double d, std::uint64_t u) {
  if (d < 0) return -1;
  if (d > 0x1p64) return 1;
  return sign(d, static_cast<double>(u));
}

std::optional<int> compare_numbers(const Value& a, const Value& b) {
  if ((a.is(Value::Kind::floating) && std::isnan(a.floating())) ||
      (b.is(Value::Kind::floating) && std::isnan(b.floating()))) {
    return std::nullopt;
  }
  if (a.is(Value::Kind::floating)) {
    if (b.is(Value::Kind::floating)) return sign(a.floating(), b.floating());
    return b.is(Value::Kind::integer) ? compare_floating(a.floating(), b.integer())
                                      : compare_floating(a.floating(), b.unsigned_integer());
  }
  if (b.is(Value::Kind::floating)) return -*compare_numbers(b, a);
  if (a.is(Value::Kind::integer)) {
    if (b.is(Value::Kind::integer)) return sign(a.integer(), b.integer());
    if (a.integer() < 0) return -1;
    return sign(static_cast<std::uint64_t>(a.integer()), b.unsigned_integer());
  }
  if (b.is(Value::Kind::integer)) return -*compare_numbers(b, a);
  return sign(a.unsigned_integer(), b.unsigned_integer());
}

bool equal_lists(const List& a, const List& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!equal(a.at(i), b.at(i))) return false;
  }
  return true;
}

bool equal_maps(const Map& a, const Map& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Value key = a.key(i);
    const std::optional<Value> other = b.find(key);
    if (!other || !equal(*a.find(key), *other)) return false;
  }
  return true;
}

}  // namespace

std::size_t count_characters(std::string_view text) {
  // Requests and programs hold valid UTF-8: each byte that continues none begins a character.
  std::size_t out = 0;
  for (const char c : text) out += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
  return out;
}

template <typename Object, typename... Arguments>
Object& Arena::make(Arguments&&... arguments) {
  return *new (memory_.allocate(sizeof(Object), alignof(Object))) Object(std::forward<Arguments>(arguments)...);
}

std::string_view Arena::keep(std::string_view text) {
  if (text.empty()) return {};
  char* const out = static_cast<char*>(memory_.allocate(text.size(), 1));
  std::memcpy(out, text.data(), text.size());
  return {out, text.size()};
}

std::span<Value> Arena::values(std::size_t count) {
  auto* const out = static_cast<Value*>(memory_.allocate(count * sizeof(Value), alignof(Value)));
  std::uninitialized_default_construct_n(out, count);
  return {out, count};
}

Value Arena::list(std::span<const Value> elements) {
  const std::span<Value> kept = values(elements.size());
  std::copy(elements.begin(), elements.end(), kept.begin());
  return Value::of(make<FixedList>(kept));
}

Value Arena::map(std::span<const Value> entries) {
  const std::span<Value> kept = values(entries.size());
  std::size_t size = 0;
  for (std::size_t i = 0; i < entries.size(); i += 2) {
    std::size_t at = 0;
    while (at < size && !(kept[at].kind() == entries[i].kind() && equal(kept[at], entries[i]))) at += 2;
    kept[at] = entries[i];
    kept[at + 1] = entries[i + 1];
    if (at == size) size += 2;
  }
  return Value::of(make<FixedMap>(std::span<const Value>(kept.first(size))));
}

Value Arena::optional(const Value& value) {
  const std::span<Value> kept = values(1);
  kept[0] = value;
  return Value::optional(kept.data());
}

bool equal(const Value& a, const Value& b) {
  if (is_number(a) && is_number(b)) return compare_numbers(a, b) == 0;
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Value::Kind::null:
      return true;
    case Value::Kind::boolean:
    case Value::Kind::duration:
      return a.integer() == b.integer();
    case Value::Kind::string:
    case Value::Kind::bytes:
      return a.text() == b.text();
    case Value::Kind::list:
      return equal_lists(a.list(), b.list());
    case Value::Kind::map:
      return equal_maps(a.map(), b.map());
    case Value::Kind::type:
      return a.type().name == b.type().name;
    case Value::Kind::optional:
      if (a.inner() == nullptr || b.inner() == nullptr) return a.inner() == b.inner();
      return equal(*a.inner(), *b.inner());
    default:
      return false;
  }
}

std::optional<int> compare(const Value& a, const Value& b) {
  if (is_number(a) && is_number(b)) return compare_numbers(a, b);
  if (a.kind() != b.kind()) return std::nullopt;
  switch (a.kind()) {
    case Value::Kind::boolean:
    case Value::Kind::duration:
      return sign(a.integer(), b.integer());
    case Value::Kind::string:
    case Value::Kind::bytes:
      return sign(a.text().compare(b.text()), 0);
    default:
      return std::nullopt;
  }
}

std::uint64_t size_of(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::string:
      return count_characters(value.text());
    case Value::Kind::bytes:
      return value.text().size();
    case Value::Kind::list:
      return value.list().size();
    case Value::Kind::map:
      return value.map().size();
    case Value::Kind::optional:
      return value.inner() == nullptr ? 1 : size_of(*value.inner());
    default:
      return 1;
  }
}

std::string to_string(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::null:
      return "NULL_VALUE";
    case Value::Kind::boolean:
      return value.boolean() ? "true" : "false";
    case Value::Kind::integer:
      return std::to_string(value.integer());
    case Value::Kind::unsigned_integer:
      return std::to_string(value.unsigned_integer());
    case Value::Kind::floating:
      return go_floating(value.floating());
    case Value::Kind::duration:
      return go_duration(value.integer());
    case Value::Kind::type:
      return value.type().name;
    case Value::Kind::string:
    case Value::Kind::bytes:
    case Value::Kind::error:
      return std::string(value.text());
    case Value::Kind::optional:
      return value.inner() == nullptr ? "optional.none()" : "optional(" + to_string(*value.inner()) + ")";
    case Value::Kind::list: {
      std::string out = "[";
      for (std::size_t i = 0; i < value.list().size(); ++i) {
        if (i > 0) out += ", ";
        out += to_string(value.list().at(i));
      }
      return out + "]";
    }
    case Value::Kind::map: {
      std::string out = "{";
      for (std::size_t i = 0; i < value.map().size(); ++i) {
        const Value key = value.map().key(i);
        if (i > 0) out += ", ";
        out += to_string(key) + ": " + to_string(*value.map().find(key));
      }
      return out + "}";
    }
    case Value::Kind::opaque:
    case Value::Kind::unset:
      break;
  }
  return {};
}

std::string_view type_name(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::null:
      return "null_type";
    case Value::Kind::boolean:
      return "bool";
    case Value::Kind::integer:
      return "int";
    case Value::Kind::unsigned_integer:
      return "uint";
    case Value::Kind::floating:
      return "double";
    case Value::Kind::string:
      return "string";
    case Value::Kind::bytes:
      return "bytes";
    case Value::Kind::duration:
      return "google.protobuf.Duration";
    case Value::Kind::list:
      return "list";
    case Value::Kind::map:
      return "map";
    case Value::Kind::type:
      return "type";
    case Value::Kind::optional:
      return "optional_type";
    case Value::Kind::opaque:
      return value.opaque().type_name();
    case Value::Kind::error:
    case Value::Kind::unset:
      break;
  }
  return "error";
}

bool is_of(const Value& value, const Type& type) {
  if (type.is(Type::Kind::dyn) || type.is(Type::Kind::parameter)) return true;
  if (type_name(value) != type.name) return false;
  // Of a list or map the first entry tells, as cel-go looks at no more.
  if (value.is(Value::Kind::list)) return value.list().size() == 0 || is_of(value.list().at(0), *type.parameters[0]);
  if (value.is(Value::Kind::map) && value.map().size() > 0) {
    const Value key = value.map().key(0);
    return is_of(key, *type.parameters[0]) && is_of(*value.map().find(key), *type.parameters[1]);
  }
  return true;
}

}  // namespace nodebound::cel
