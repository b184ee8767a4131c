#pragma once

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/cel/types/type.h"

namespace nodebound::cel {

class Value;

/// What a list is made of.
class ListData {
 public:
  virtual ~ListData() = default;
  [[nodiscard]] virtual std::size_t size() const = 0;
  [[nodiscard]] virtual Value at(std::size_t index) const = 0;
};

/// A list: of values, or of a request's texts.
class List {
 public:
  explicit List(const ListData& data) : data_(&data) {}
  explicit List(const std::vector<std::string>& texts) : texts_(&texts) {}
  [[nodiscard]] std::size_t size() const { return texts_ != nullptr ? texts_->size() : data_->size(); }
  [[nodiscard]] Value at(std::size_t index) const;
  [[nodiscard]] const ListData* data() const { return data_; }

 private:
  const ListData* data_ = nullptr;
  const std::vector<std::string>* texts_ = nullptr;
};

/// A map or an object.
class Map {
 public:
  virtual ~Map() = default;
  [[nodiscard]] virtual std::size_t size() const = 0;
  [[nodiscard]] virtual Value key(std::size_t index) const = 0;
  [[nodiscard]] virtual std::optional<Value> find(const Value& key) const = 0;
};

/// What has functions alone: no fields, no order.
class Opaque {
 public:
  virtual ~Opaque() = default;
  [[nodiscard]] virtual std::string_view type_name() const = 0;
};

/// What an expression evaluates to: small, trivially copied, and a view of what it names. Texts, lists and maps live in
/// the request, in the program, or in the memory of one evaluation.
class Value {
 public:
  enum class Kind : std::uint8_t {
    unset,
    error,
    null,
    boolean,
    integer,
    unsigned_integer,
    floating,
    string,
    bytes,
    duration,  ///< in nanoseconds
    list,
    map,
    type,
    optional,
    opaque,
  };

  Value() : integer_(0) {}
  static Value null() { return Value(Kind::null, std::int64_t{0}); }
  static Value of(bool value) { return Value(Kind::boolean, std::int64_t{value ? 1 : 0}); }
  static Value of(std::int64_t value) { return Value(Kind::integer, value); }
  static Value of(std::uint64_t value) {
    Value out(Kind::unsigned_integer, std::int64_t{0});
    out.unsigned_ = value;
    return out;
  }
  static Value of(double value) {
    Value out(Kind::floating, std::int64_t{0});
    out.floating_ = value;
    return out;
  }
  static Value of(std::string_view text) { return Value(Kind::string, text); }
  static Value of(const char*) = delete;
  static Value bytes(std::string_view data) { return Value(Kind::bytes, data); }
  static Value duration(std::int64_t nanoseconds) { return Value(Kind::duration, nanoseconds); }
  /// The text must outlive the value.
  static Value error(std::string_view text) { return Value(Kind::error, text); }
  static Value of(const ListData& list) { return pointing(Kind::list, &list); }
  static Value of(const std::vector<std::string>& texts) {
    Value out = pointing(Kind::list, &texts);
    out.size_ = of_texts;
    return out;
  }
  static Value of(const Map& map) { return pointing(Kind::map, &map); }
  static Value of(const Opaque& opaque) { return pointing(Kind::opaque, &opaque); }
  static Value of(const Type& type) { return pointing(Kind::type, &type); }
  /// An optional with that value, or without one.
  static Value optional(const Value* value) { return pointing(Kind::optional, value); }

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] bool is(Kind kind) const { return kind_ == kind; }
  [[nodiscard]] bool is_error() const { return kind_ == Kind::error; }
  [[nodiscard]] bool is_true() const { return kind_ == Kind::boolean && integer_ != 0; }
  [[nodiscard]] bool is_false() const { return kind_ == Kind::boolean && integer_ == 0; }

  // What follows is for a value of that kind alone.
  [[nodiscard]] bool boolean() const { return integer_ != 0; }
  [[nodiscard]] std::int64_t integer() const { return integer_; }
  [[nodiscard]] std::uint64_t unsigned_integer() const { return unsigned_; }
  [[nodiscard]] double floating() const { return floating_; }
  [[nodiscard]] std::string_view text() const { return {text_, size_}; }
  [[nodiscard]] List list() const {
    return size_ == of_texts ? List(*static_cast<const std::vector<std::string>*>(pointer_))
                             : List(*static_cast<const ListData*>(pointer_));
  }
  [[nodiscard]] const Map& map() const { return *static_cast<const Map*>(pointer_); }
  [[nodiscard]] const Type& type() const { return *static_cast<const Type*>(pointer_); }
  [[nodiscard]] const Opaque& opaque() const { return *static_cast<const Opaque*>(pointer_); }
  [[nodiscard]] const Value* inner() const { return static_cast<const Value*>(pointer_); }

 private:
  static constexpr std::size_t of_texts = 1;  // in a list's `size_`

  Value(Kind kind, std::int64_t value) : kind_(kind), integer_(value) {}
  Value(Kind kind, std::string_view text) : kind_(kind), text_(text.data()), size_(text.size()) {}
  static Value pointing(Kind kind, const void* to) {
    Value out(kind, std::int64_t{0});
    out.pointer_ = to;
    return out;
  }

  Kind kind_ = Kind::unset;
  union {
    std::int64_t integer_;
    std::uint64_t unsigned_;
    double floating_;
    const char* text_;
    const void* pointer_;
  };
  std::size_t size_ = 0;
};

inline Value List::at(std::size_t index) const {
  return texts_ != nullptr ? Value::of(std::string_view((*texts_)[index])) : data_->at(index);
}

/// The memory of one evaluation, or of a program's constants. Nothing in it is destroyed before all of it is.
class Arena {
 public:
  explicit Arena(std::pmr::memory_resource& memory) : memory_(memory) {}

  std::string_view keep(std::string_view text);
  Value error(std::string_view text) { return Value::error(keep(text)); }
  Value string(std::string_view text) { return Value::of(keep(text)); }
  Value bytes(std::string_view data) { return Value::bytes(keep(data)); }
  Value list(std::span<const Value> elements);
  /// Of keys and values in turn. The last of equal keys counts.
  Value map(std::span<const Value> entries);
  Value optional(const Value& value);
  std::span<Value> values(std::size_t count);
  [[nodiscard]] std::pmr::memory_resource& memory() const { return memory_; }

 private:
  template <typename Object, typename... Arguments>
  Object& make(Arguments&&... arguments);
  std::pmr::memory_resource& memory_;
};

/// A list that grows: only the loop that fills it may know it.
class GrowingList : public ListData {
 public:
  explicit GrowingList(std::pmr::memory_resource& memory) : elements_(&memory) {}
  void push(const Value& value) { elements_.push_back(value); }
  [[nodiscard]] std::size_t size() const override { return elements_.size(); }
  [[nodiscard]] Value at(std::size_t index) const override { return elements_[index]; }

 private:
  std::pmr::vector<Value> elements_;
};

/// Whether CEL's == holds: numbers of any type are equal if they stand for the same, values of different types are not.
bool equal(const Value& a, const Value& b);
/// Less than, equal to or greater than 0; nothing if they have no order.
std::optional<int> compare(const Value& a, const Value& b);
/// How long cel-go takes a value to be: characters, bytes, elements; 1 of all else.
std::uint64_t size_of(const Value& value);
/// The value as cel-go prints it in errors.
std::string to_string(const Value& value);
/// The name of the value's type, and whether the type admits it.
std::string_view type_name(const Value& value);
bool is_of(const Value& value, const Type& type);
std::size_t count_characters(std::string_view text);

}  // namespace nodebound::cel
