#pragma once

#include <map>

#include "fakes/store/journal.h"

namespace nodebound {

/// Keeps a store's objects in memory for its successor, as etcd does when kube-apiserver is replaced. It keeps no
/// history, so watches begin again.
class MemoryJournal final : public StoreJournal {
 public:
  StoreState recovered() override;
  Result<void> append(const JournalEntry& entry) override;

 private:
  std::map<std::string, Revision> objects_;       ///< by group, resource, namespace and name
  std::map<std::string, std::uint64_t> changed_;  ///< by `group/resource`: the newest change
  std::uint64_t version_ = 1;
  std::uint64_t uids_ = 0;
};

}  // namespace nodebound
