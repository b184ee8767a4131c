#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fakes/store/change.h"
#include "reference/cluster/cluster.h"
#include "reference/result.h"

namespace nodebound {

/// An object as it was from one version on.
struct Revision {
  ObjectKey key;
  std::uint64_t version = 0;
  bool deleted = false;
  ObjectPtr object;  ///< of a deletion, the last there was, under the version of the deletion
};

/// What a store knows of its past when it begins.
struct StoreState {
  std::uint64_t version = 1;
  std::uint64_t uids = 0;                          ///< how many were made
  std::map<std::string, std::uint64_t> forgotten;  ///< by `group/resource`: the newest change that is no longer kept
  std::vector<Revision> revisions;                 ///< oldest first
};

/// What is written down at once, all of it or nothing.
struct JournalEntry {
  std::uint64_t version = 0;  ///< of the store after it
  std::uint64_t uids = 0;
  std::vector<Revision> revisions;
  std::map<std::string, std::uint64_t> forgotten;  ///< what has become more, as in StoreState
  std::vector<std::uint64_t> obsolete;             ///< revisions that nobody can ask for any more
};

/// Where a store writes down what it does, so that it outlives the process.
class StoreJournal {
 public:
  virtual ~StoreJournal() = default;

  /// What was written down before; asked for once, before anything is appended.
  virtual StoreState recovered() = 0;
  /// Durable when it returns. After an error nothing of the entry counts, and the next one may be tried.
  virtual Result<void> append(const JournalEntry& entry) = 0;
};

}  // namespace nodebound
