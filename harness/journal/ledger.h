#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/journal/record.h"

namespace nodebound {

/// An object that a run has asked for, and that may be there.
struct LedgerEntry {
  std::uint64_t number = 0;
  std::string path;  ///< of the object, or of the collection where the server chooses the name
  Manner manner = Manner::create;
  bool marked = true;
  std::string uid;  ///< empty while it is not known whether the object was made

  bool operator==(const LedgerEntry&) const = default;
};

/// What the records of a journal come to. Decides only; it reads and writes nothing.
class Ledger {
 public:
  /// An error means that no run writes this record after those before it; then nothing has changed.
  Result<void> apply(const JournalRecord& record);

  [[nodiscard]] const LedgerEntry* find(std::uint64_t number) const;

  /// What may be on the cluster, latest first.
  [[nodiscard]] std::vector<LedgerEntry> open() const;
  [[nodiscard]] bool empty() const { return open_.empty(); }
  [[nodiscard]] std::size_t size() const { return open_.size(); }

  /// That the run has put on objects itself.
  [[nodiscard]] const std::set<std::string>& finalizers() const { return finalizers_; }

  bool operator==(const Ledger&) const = default;

 private:
  std::map<std::uint64_t, LedgerEntry> open_;
  std::uint64_t last_ = 0;
  std::set<std::string> finalizers_;
};

}  // namespace nodebound
