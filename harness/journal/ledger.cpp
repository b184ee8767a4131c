#include "harness/journal/ledger.h"

#include "harness/journal/stored_path.h"

namespace nodebound::journal {

Result<void> Ledger::apply(const JournalRecord& record) {
  if (record.kind == JournalRecord::Kind::finalizer) {
    finalizers_.insert(record.finalizer);
    return {};
  }
  if (record.kind == JournalRecord::Kind::asked) {
    if (record.number <= last_) return input_error("", "the numbers of what is asked for do not ascend");
    last_ = record.number;
    open_[record.number] = {record.number, record.path, record.manner, record.marked, ""};
    return {};
  }
  const auto found = open_.find(record.number);
  if (found == open_.end()) return input_error("", "nothing of this number was asked for, or it is gone already");
  if (record.kind == JournalRecord::Kind::made) {
    LedgerEntry& entry = found->second;
    const bool names_path = !record.path.empty();
    if (!entry.uid.empty() || names_path == is_object_path(entry.path)) {
      return input_error("", "what was asked for cannot have been made so");
    }
    const bool of_collection = record.path.starts_with(entry.path + "/");
    if (names_path && !of_collection) return input_error("", "what was made is not of the kind that was asked for");
    if (names_path) entry.path = record.path;
    entry.uid = record.uid;
    return {};
  }
  if (record.kind == JournalRecord::Kind::not_made && !found->second.uid.empty()) {
    return input_error("", "what was made is said not to have been made");
  }
  open_.erase(found);
  return {};
}

const LedgerEntry* Ledger::find(std::uint64_t number) const {
  const auto found = open_.find(number);
  return found == open_.end() ? nullptr : &found->second;
}

std::vector<LedgerEntry> Ledger::open() const {
  std::vector<LedgerEntry> out;
  out.reserve(open_.size());
  for (auto at = open_.rbegin(); at != open_.rend(); ++at) out.push_back(at->second);
  return out;
}

}  // namespace nodebound::journal
