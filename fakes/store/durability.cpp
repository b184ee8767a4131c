// How a store works with its journal.

#include <algorithm>
#include <charconv>

#include "fakes/store/store.h"

namespace nodebound {
namespace {

std::uint64_t version_of(const Object& object) {
  const std::string_view digits = text(object, "metadata", "resourceVersion");
  std::uint64_t version = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), version);
  return version;
}

std::string object_id(const ObjectKey& key) {
  return key.group + "/" + key.resource + "/" + key.namespace_ + "/" + key.name;
}

}  // namespace

void Store::recover(StoreState state) {
  version_ = committed_version_ = state.version;
  uids_ = committed_uids_ = state.uids;
  for (const auto& [id, version] : state.forgotten) histories_[id].forgotten = version;
  struct Latest {
    ObjectKey key;
    bool deleted = false;
    KeptObject object;
  };
  std::map<std::string, Latest> latest;
  for (Revision& revision : state.revisions) {
    const std::string id = revision.key.group + "/" + revision.key.resource;
    Latest& last = latest[object_id(revision.key)];
    const KeptObject object = kept(revision.key, revision.object);
    if (revision.version > histories_[id].forgotten) {
      auto change = std::make_shared<Change>();
      const bool was_there = last.object && !last.deleted;
      change->kind = revision.deleted ? Change::Kind::deleted
                     : was_there      ? Change::Kind::modified
                                      : Change::Kind::added;
      change->version = revision.version;
      change->namespace_ = revision.key.namespace_;
      change->name = revision.key.name;
      change->object = object;
      if (was_there) change->before = last.object;
      remember(id, change);
    }
    last = {revision.key, revision.deleted, object};
    revision.object = nullptr;
  }
  // The graph is that of a freshly started server: it has seen only the latest objects.
  for (const auto& [id, last] : latest) {
    if (!last.deleted) cluster_.put_shared(last.key, last.object);
  }
}

// The revision that a change replaced is needed only as long as the change is kept.
void Store::forget(const std::string& id, const Change& change) {
  forgetting_.forgotten[id] = change.version;
  if (change.before) forgetting_.obsolete.push_back(version_of(*change.before.open()));
  if (change.kind == Change::Kind::deleted) forgetting_.obsolete.push_back(change.version);
}

Result<void> Store::commit() {
  if (!journal_ || uncommitted_.empty()) return {};
  JournalEntry entry = forgetting_;
  entry.version = version_;
  entry.uids = uids_;
  for (const Written& written : uncommitted_) {
    const Change& change = *written.change;
    entry.revisions.push_back(
        {written.key, change.version, change.kind == Change::Kind::deleted, change.object.open()});
  }
  if (Result<void> done = journal_->append(entry); !done) {
    undo();
    return done;
  }
  committed_version_ = version_;
  committed_uids_ = uids_;
  forgetting_ = {};
  const std::vector<Written> committed = std::exchange(uncommitted_, {});
  for (const Written& written : committed) publish(written.key, written.change);
  return {};
}

void Store::learn(const JournalEntry& entry) {
  // The store that made the writes records what is forgotten; this one must not record it again.
  JournalEntry own = std::exchange(forgetting_, {});
  for (const Revision& revision : entry.revisions) {
    auto change = std::make_shared<Change>();
    change->before = cluster_.find_kept(revision.key);
    change->kind = revision.deleted ? Change::Kind::deleted
                   : change->before ? Change::Kind::modified
                                    : Change::Kind::added;
    change->version = revision.version;
    change->namespace_ = revision.key.namespace_;
    change->name = revision.key.name;
    change->object = kept(revision.key, revision.object);
    if (revision.deleted) {
      cluster_.erase(revision.key);
    } else {
      cluster_.put_shared(revision.key, change->object);
    }
    publish(revision.key, change);
  }
  version_ = committed_version_ = entry.version;
  uids_ = committed_uids_ = entry.uids;
  forgetting_ = std::move(own);
}

void Store::undo() {
  std::reverse(uncommitted_.begin(), uncommitted_.end());
  for (const Written& written : uncommitted_) {
    // Erased first, because the graph ignores some changes of an object that it already knows.
    cluster_.erase(written.key);
    if (written.change->before) cluster_.put_shared(written.key, written.change->before);
  }
  uncommitted_.clear();
  version_ = committed_version_;
  uids_ = committed_uids_;
}

}  // namespace nodebound
