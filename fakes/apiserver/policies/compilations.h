#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "reference/cluster/object.h"

namespace nodebound::apiserver {

/// What has been compiled of stored objects, once for each version of an object. Thread-safe.
template <typename Compiled>
class Compilations {
 public:
  /// What `key` names in that version of the object `owner`.
  std::shared_ptr<const Compiled> of(const std::string& key, const Object& owner,
                                     const std::function<Compiled()>& compile) {
    const std::string version = key + "\n" + std::string(text(owner, "metadata", "uid")) + "\n" +
                                std::string(text(owner, "metadata", "resourceVersion"));
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = all_.find(version); found != all_.end()) return found->second;
    }
    auto made = std::make_shared<const Compiled>(compile());
    const std::lock_guard lock(mutex_);
    // Names and versions of those that are gone would fill the memory.
    if (all_.size() >= most) all_.clear();
    all_.emplace(version, made);
    return made;
  }

 private:
  static constexpr std::size_t most = 10'000;

  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Compiled>> all_;
};

}  // namespace nodebound::apiserver
