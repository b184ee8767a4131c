#pragma once

#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "reference/cluster/object.h"

namespace nodebound {

/// An object that never changes, so anyone may keep it.
using ObjectPtr = std::shared_ptr<const Object>;

/// `object` in JSON; invalid UTF-8 is replaced.
std::string json_text(const Object& object);

/// An object as a cluster keeps it: ready for use, or as text, which takes a fifth of the memory. Text is read when
/// somebody asks for the object, and those who hold it at the same time share it. Thread-safe.
class KeptObject {
 public:
  /// None.
  KeptObject() = default;
  KeptObject(std::nullptr_t) {}
  /// Ready for use.
  KeptObject(ObjectPtr object) : kept_(std::move(object)) {}
  /// Its text alone, once nobody else holds the object.
  static KeptObject as_text(const ObjectPtr& object);

  explicit operator bool() const;
  /// Null if there is none.
  [[nodiscard]] ObjectPtr open() const;
  /// Null if the object is not kept as text.
  [[nodiscard]] const std::string* text() const;
  /// There must be an object.
  [[nodiscard]] std::string json() const;

 private:
  struct Text;

  std::variant<ObjectPtr, std::shared_ptr<Text>> kept_;
};

}  // namespace nodebound
