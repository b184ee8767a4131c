#pragma once

#include <map>

#include "fakes/store/journal.h"

namespace nodebound {

/// Keeps in memory what a store holds, for the one that takes its place: as etcd does when kube-apiserver is replaced.
/// Of the past it keeps nothing, so that watches begin again.
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
