#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fakes/store/change.h"
#include "reference/cluster/cluster.h"
#include "reference/result.h"

namespace nodebound {

/// An object in the state that it has from one version on.
struct Revision {
  ObjectKey key;
  std::uint64_t version = 0;
  bool deleted = false;
  ObjectPtr object;  ///< for a deletion, the last object, with the version of the deletion
};

/// What a store recovers when it starts.
struct StoreState {
  std::uint64_t version = 1;
  std::uint64_t uids = 0;                          ///< how many were made
  std::map<std::string, std::uint64_t> forgotten;  ///< by `group/resource`: the newest change that is no longer kept
  std::vector<Revision> revisions;                 ///< oldest first
};

/// A unit that is written completely or not at all.
struct JournalEntry {
  std::uint64_t version = 0;  ///< of the store after the entry
  std::uint64_t uids = 0;
  std::vector<Revision> revisions;
  std::map<std::string, std::uint64_t> forgotten;  ///< new entries, as in StoreState
  std::vector<std::uint64_t> obsolete;             ///< revisions that nobody can ask for any more
};

/// Records a store's writes, so that they survive the process.
class StoreJournal {
 public:
  virtual ~StoreJournal() = default;

  /// The recorded state; asked for once, before anything is appended.
  virtual StoreState recovered() = 0;
  /// The entry is durable when this returns. After an error it does not count, and the next entry may be tried.
  virtual Result<void> append(const JournalEntry& entry) = 0;
};

}  // namespace nodebound
