#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/journal/record.h"

namespace nodebound::journal {

/// An object that a run has requested and that may exist.
struct LedgerEntry {
  std::uint64_t number = 0;
  std::string path;  ///< of the object, or of the collection if the server chooses the name
  Manner manner = Manner::create;
  bool marked = true;
  std::string uid;  ///< empty until it is known that the object was made

  bool operator==(const LedgerEntry&) const = default;
};

/// The state that follows from the records of a journal. Decides only: it reads and writes nothing.
class Ledger {
 public:
  /// An error means that no run writes this record after those before it. Then nothing has changed.
  Result<void> apply(const JournalRecord& record);

  [[nodiscard]] const LedgerEntry* find(std::uint64_t number) const;

  /// What may exist on the cluster, the latest first.
  [[nodiscard]] std::vector<LedgerEntry> open() const;
  [[nodiscard]] bool empty() const { return open_.empty(); }
  [[nodiscard]] std::size_t size() const { return open_.size(); }

  /// The finalizers that the run itself has added to objects.
  [[nodiscard]] const std::set<std::string>& finalizers() const { return finalizers_; }

  bool operator==(const Ledger&) const = default;

 private:
  std::map<std::uint64_t, LedgerEntry> open_;
  std::uint64_t last_ = 0;
  std::set<std::string> finalizers_;
};

}  // namespace nodebound::journal
