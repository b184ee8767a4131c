#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "reference/cluster/object.h"

namespace nodebound {

/// An object that never changes, so anyone may keep it.
using ObjectPtr = std::shared_ptr<const Object>;

/// `object` in JSON; invalid UTF-8 is replaced.
std::string json_text(const Object& object);

/// Texts that many objects have in common, each kept once for as long as an object has it.
class CommonTexts {
 public:
  std::shared_ptr<const std::string> share(std::string_view text);

 private:
  struct Less {
    using is_transparent = void;
    static std::string_view view(std::string_view text) { return text; }
    static std::string_view view(const std::shared_ptr<const std::string>& text) { return *text; }
    template <typename One, typename Other>
    bool operator()(const One& one, const Other& other) const {
      return view(one) < view(other);
    }
  };

  std::set<std::shared_ptr<const std::string>, Less> texts_;
  std::size_t most_ = 64;  ///< those that no object has any more are dropped then
};

/// An object as a cluster keeps it: ready for use, or as text, which takes a sixth of the memory. Text is read when
/// somebody asks for the object, and those who hold it at the same time share it. Half of a pod's text many pods have
/// in common: the fields of a manager, the usual tolerations, the sources of the token's volume. Thread-safe.
class KeptObject {
 public:
  /// None.
  KeptObject() = default;
  KeptObject(std::nullptr_t) {}
  /// Ready for use.
  KeptObject(ObjectPtr object) : kept_(std::move(object)) {}
  /// Its text alone, once nobody else holds the object.
  static KeptObject as_text(const ObjectPtr& object, CommonTexts& common);

  explicit operator bool() const;
  /// Null if there is none.
  [[nodiscard]] ObjectPtr open() const;
  /// The text without what is kept in common texts; null if the object is not kept as text.
  [[nodiscard]] const std::string* own_text() const;
  /// There must be an object.
  void append_json(std::string& out) const;
  [[nodiscard]] std::string json() const;

 private:
  struct Text;

  std::variant<ObjectPtr, std::shared_ptr<Text>> kept_;
};

}  // namespace nodebound
