#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "reference/cluster/object.h"

namespace nodebound {

/// An object as it was stored: it never changes, so whoever needs it keeps it.
using ObjectPtr = std::shared_ptr<const Object>;

/// One write of one object.
class Change {
 public:
  enum class Kind { added, modified, deleted };

  Kind kind = Kind::added;
  std::uint64_t version = 0;  ///< the resourceVersion it made
  std::string namespace_;
  std::string name;
  ObjectPtr object;  ///< after it; of a deletion, the last there was, under the version of the deletion
  ObjectPtr before;  ///< null if it was added

  /// The object in JSON, made once for all who send it. Safe to call from several threads.
  [[nodiscard]] const std::string& json() const;

 private:
  mutable std::once_flag once_;
  mutable std::string json_;
};

/// Is told of every change of a resource, in order, while nobody else can write.
class ChangeListener {
 public:
  virtual ~ChangeListener() = default;
  virtual void changed(const std::shared_ptr<const Change>& change) = 0;
};

/// `object` in JSON; what is no UTF-8 is replaced.
std::string json_text(const Object& object);

}  // namespace nodebound
