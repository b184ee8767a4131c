#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "reference/cluster/kept_object.h"

namespace nodebound {

/// One write of one object.
class Change {
 public:
  Change() = default;
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;
  ~Change() { delete written_.load(); }

  enum class Kind { added, modified, deleted };

  Kind kind = Kind::added;
  std::uint64_t version = 0;  ///< the resourceVersion that the write gave
  std::string namespace_;
  std::string name;
  KeptObject object;  ///< the new object; for a deletion, the last one, with the version of the deletion
  KeptObject before;  ///< the old object; none if the write added it

  /// The object in JSON; it is written once for all readers. Thread-safe.
  [[nodiscard]] std::string json() const;

  /// The object in protobuf as an object of `kind`, a name with group and version: `write` makes it once for all
  /// readers that ask for that kind. Thread-safe.
  [[nodiscard]] const std::string& protobuf(std::string_view kind,
                                            const std::function<std::string(const Object&)>& write) const;

 private:
  /// What was written of it for its readers. Most changes of a big cluster have none.
  struct Written {
    std::once_flag once;
    std::string json;  ///< of an object that is not kept as text
    std::mutex writing;
    std::map<std::string, std::string, std::less<>> protobuf;  ///< by kind; guarded by `writing`
  };
  Written& written() const;

  mutable std::atomic<Written*> written_ = nullptr;
};

/// Receives every change of a resource, in order, while nobody else can write.
class ChangeListener {
 public:
  virtual ~ChangeListener() = default;
  virtual void changed(const std::shared_ptr<const Change>& change) = 0;
};

}  // namespace nodebound
