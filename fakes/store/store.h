#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fakes/store/change.h"
#include "fakes/store/journal.h"
#include "reference/cluster/cluster.h"

namespace nodebound {

/// Keeps API objects with what a server adds to them: UID, resourceVersion, creation time, generated names; and the
/// last changes of each resource, from which watches and lists of an older version are answered. Everything it makes up
/// but the time follows from the order of writes, so the same writes give the same bytes.
///
/// Objects are kept without apiVersion and kind, which depend on who asks. What is const may be called by several
/// threads at once, as long as none writes.
///
/// With a journal, what is written counts from the next `commit` on: until then nobody is told of it, and whoever may
/// not see what is not durable is to be kept from reading.
class Store {
 public:
  /// `history` is how many changes of a resource are kept. A store with a journal begins with what that has recovered.
  explicit Store(const RuleSet& rules, std::size_t history = 1024, std::shared_ptr<StoreJournal> journal = nullptr);

  [[nodiscard]] const Cluster& cluster() const { return cluster_; }
  [[nodiscard]] std::uint64_t version() const { return version_; }

  /// Five letters as generated names end in; others after each object that was adopted.
  [[nodiscard]] std::string next_suffix() const;

  /// Gives a new object its UID, creation time, and a name where it has only a generateName.
  void adopt(Object& object, const std::string& time);

  /// Stores an object under a new resourceVersion, which it also gets.
  ObjectPtr put(const ObjectKey& key, Object object);
  /// The last there was, under the version of the deletion; null if there was none.
  ObjectPtr erase(const ObjectKey& key);

  /// Makes what was written since the last time durable; or, on an error, undone. Does nothing without a journal.
  Result<void> commit();

  /// Takes over what another store has appended to the journal that both of them have. Nothing of its own may wait for
  /// `commit` meanwhile.
  void learn(const JournalEntry& entry);

  /// An object as it was at a version; null if there was none, nothing if the version is too old.
  [[nodiscard]] std::optional<ObjectPtr> object_at(const ObjectKey& key, std::uint64_t version) const;

  /// The objects of a resource as they were at a version, in the order of their keys; nothing if it is too old.
  [[nodiscard]] std::optional<std::vector<ObjectPtr>> objects_at(std::string_view group, std::string_view resource,
                                                                 std::string_view namespace_,
                                                                 std::uint64_t version) const;

  /// The changes of a resource after a version, oldest first; nothing if some of them are no longer known.
  using Changes = std::vector<std::shared_ptr<const Change>>;
  [[nodiscard]] std::optional<Changes> changes_since(std::string_view group, std::string_view resource,
                                                     std::uint64_t version) const;
  /// The oldest version whose changes are all known.
  [[nodiscard]] std::uint64_t oldest_version(std::string_view group, std::string_view resource) const;

  /// What a listener wants to hear of: of all objects, of those of one name, or of the pods of one node. A narrow one
  /// costs nobody else anything: each of thousands of kubelets watches its own node and its own pods.
  struct Scope {
    enum class Of { all, name, node };
    Of of = Of::all;
    std::string value = {};
  };
  /// Tells the listener of the changes from now on, until it is destroyed. Safe to call from several threads.
  void listen(std::string_view group, std::string_view resource, const std::shared_ptr<ChangeListener>& listener,
              const Scope& scope) const;
  void each_listener(const std::function<void(ChangeListener&)>& visit) const;

  /// Tells the one follower of every change of every resource from now on, as listeners are told; null: nobody.
  using Follower = std::function<void(const ObjectKey& key, const std::shared_ptr<const Change>& change)>;
  void set_follower(Follower follower) { follower_ = std::move(follower); }

 private:
  struct History {
    std::deque<std::shared_ptr<const Change>> changes;
    std::uint64_t forgotten = 0;  ///< version of the newest change that is no longer kept
  };
  using Listeners = std::vector<std::weak_ptr<ChangeListener>>;
  struct Written {
    ObjectKey key;
    std::shared_ptr<const Change> change;
  };

  std::string next_uid();
  void recover(StoreState state);
  void record(const ObjectKey& key, Change::Kind kind, ObjectPtr object, ObjectPtr before);
  void publish(const ObjectKey& key, const std::shared_ptr<const Change>& change);
  void tell(const std::string& listeners, const std::shared_ptr<const Change>& change);
  History& remember(const std::string& id, const std::shared_ptr<const Change>& change);
  void forget(const std::string& id, const Change& change);
  void undo();
  [[nodiscard]] const History* history_of(std::string_view group, std::string_view resource) const;

  Cluster cluster_;
  std::size_t history_;
  std::shared_ptr<StoreJournal> journal_;
  std::uint64_t version_ = 1;
  std::uint64_t uids_ = 0;
  std::vector<Written> uncommitted_;
  std::uint64_t committed_version_ = 1;
  std::uint64_t committed_uids_ = 0;
  JournalEntry forgetting_;  ///< what the next entry is to say of changes that are no longer kept
  Follower follower_;
  std::map<std::string, History, std::less<>> histories_;  ///< by `group/resource`
  mutable std::mutex listening_;
  mutable std::map<std::string, Listeners, std::less<>>
      listeners_;  ///< likewise, and by scope; guarded by `listening_`
};

/// Whether a key comes before another in the order of lists: by `namespace/name`, as one text.
bool before_in_list(std::string_view namespace_, std::string_view name, std::string_view other_namespace,
                    std::string_view other_name);

}  // namespace nodebound
