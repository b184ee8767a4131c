#include "fakes/store/memory_journal.h"

namespace nodebound {

StoreState MemoryJournal::recovered() {
  StoreState state{version_, uids_, changed_, {}};
  state.revisions.reserve(objects_.size());
  for (const auto& [id, revision] : objects_) state.revisions.push_back(revision);
  return state;
}

Result<void> MemoryJournal::append(const JournalEntry& entry) {
  for (const Revision& revision : entry.revisions) {
    const ObjectKey& key = revision.key;
    const std::string kind = key.group + "/" + key.resource;
    std::string id = kind + "/" + key.namespace_ + "/" + key.name;
    changed_[kind] = revision.version;
    if (revision.deleted) {
      objects_.erase(id);
    } else {
      objects_.insert_or_assign(std::move(id), revision);
    }
  }
  version_ = entry.version;
  uids_ = entry.uids;
  return {};
}

}  // namespace nodebound
