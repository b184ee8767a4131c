#pragma once

#include <cstdint>
#include <string>

#include "reference/cluster/cluster.h"

namespace nodebound {

/// Keeps API objects with what a server adds to them: UID, resourceVersion, creation time, generated names. Everything
/// it makes up follows from the order of writes, so the same writes give the same bytes.
class Store {
 public:
  explicit Store(const RuleSet& rules) : cluster_(rules) {}

  [[nodiscard]] const Cluster& cluster() const { return cluster_; }
  [[nodiscard]] std::string version() const { return std::to_string(version_); }

  /// Gives a new object its UID, creation time, and a name where it has only a generateName.
  void adopt(Object& object);

  /// Stores an object under a new resourceVersion, which it also gets.
  void put(const ObjectKey& key, Object& object);
  void erase(const ObjectKey& key);

 private:
  std::string next_uid();

  Cluster cluster_;
  std::uint64_t version_ = 1;
  std::uint64_t uids_ = 0;
};

}  // namespace nodebound
