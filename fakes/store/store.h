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

/// Keeps API objects and adds what a server adds: UID, resourceVersion, creation time, generated names. It also keeps
/// the last changes of each resource, for watches and lists of older versions. Generated values except the time follow
/// from the order of writes, so the same writes give the same bytes.
///
/// Objects are kept without apiVersion and kind, which depend on the request; events once for each of their two groups,
/// always both at the same version. Several threads may call const functions
/// at once, as long as none writes.
///
/// With a journal, writes take effect at the next `commit`: until then no listener is told of them, and the caller must
/// keep readers out who may only see durable writes.
class Store {
 public:
  /// `history`: how many changes of a resource are kept. A store with a journal begins with its recovered state. If it
  /// keeps text, the kinds of which clusters have many objects are kept as that.
  explicit Store(const RuleSet& rules, std::size_t history = 1024, std::shared_ptr<StoreJournal> journal = nullptr,
                 bool keeps_text = false);

  [[nodiscard]] const Cluster& cluster() const { return cluster_; }
  [[nodiscard]] std::uint64_t version() const { return version_; }

  /// Five letters for a generated name; they change after each adopted object.
  [[nodiscard]] std::string next_suffix() const;

  /// Gives a new object its UID and creation time, and a name if it has only a generateName.
  void adopt(Object& object, const std::string& time);

  /// Stores an object under a new resourceVersion, and sets that in the object.
  KeptObject put(const ObjectKey& key, Object object);
  /// Repeats what another store did after the same writes: adopted and stored an object, which both share from now on.
  void repeat(const ObjectKey& key, ObjectPtr stored);
  /// Returns the last object, with the version of the deletion; null if there was none.
  ObjectPtr erase(const ObjectKey& key);

  /// Makes the writes since the last commit durable, or undoes them on an error. Does nothing without a journal.
  Result<void> commit();

  /// Applies what another store has appended to the journal that both share. This store must have no uncommitted writes
  /// then.
  void learn(const JournalEntry& entry);

  /// An object in its state at a version: none if it did not exist, nothing if the version is too old.
  [[nodiscard]] std::optional<KeptObject> object_at(const ObjectKey& key, std::uint64_t version) const;

  /// Which objects of a resource are asked for: all, those of one name, or the pods of one node. A narrow scope costs
  /// no look at the others: each of thousands of kubelets lists and watches its own Node and its own pods.
  struct Scope {
    enum class Of { all, name, node };
    Of of = Of::all;
    std::string value = {};
  };

  /// The objects of a resource at a version, in the order of their keys; nothing if the version is too old. An object
  /// that has changed since may be outside the scope.
  struct Listed {
    std::string namespace_;
    std::string name;
    KeptObject object;
  };
  [[nodiscard]] std::optional<std::vector<Listed>> objects_at(std::string_view group, std::string_view resource,
                                                              std::string_view namespace_, std::uint64_t version,
                                                              const Scope& scope) const;

  /// The changes of a resource after a version, oldest first; nothing if some are no longer known.
  using Changes = std::vector<std::shared_ptr<const Change>>;
  [[nodiscard]] std::optional<Changes> changes_since(std::string_view group, std::string_view resource,
                                                     std::uint64_t version) const;
  /// Forgets the changes up to a version, as etcd does when it is compacted.
  void compact(std::uint64_t version);
  /// The oldest version whose changes are all known.
  [[nodiscard]] std::uint64_t oldest_version(std::string_view group, std::string_view resource) const;

  /// Tells the listener of all changes in the scope from now on, until the listener is destroyed. Thread-safe.
  void listen(std::string_view group, std::string_view resource, const std::shared_ptr<ChangeListener>& listener,
              const Scope& scope) const;
  void each_listener(const std::function<void(ChangeListener&)>& visit) const;

  /// Tells a single follower of every change of every resource from now on, as listeners are told; null removes it.
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

  void each_now(std::string_view group, std::string_view resource, std::string_view namespace_, const Scope& scope,
                const Cluster::KeptVisitor& visit) const;
  std::string next_uid();
  KeptObject kept(const ObjectKey& key, const ObjectPtr& object);
  /// Keeps an object, or erases it, at the current version.
  KeptObject keep(const ObjectKey& key, ObjectPtr object);
  ObjectPtr let_go(const ObjectKey& key);
  void recover(StoreState state);
  void record(const ObjectKey& key, Change::Kind kind, KeptObject object, KeptObject before);
  void publish(const ObjectKey& key, const std::shared_ptr<const Change>& change);
  void tell(const std::string& listeners, const std::shared_ptr<const Change>& change);
  History& remember(const std::string& id, const std::shared_ptr<const Change>& change);
  void forget_oldest(const std::string& id, History& history);
  void forget(const std::string& id, const Change& change);
  void undo();
  [[nodiscard]] const History* history_of(std::string_view group, std::string_view resource) const;

  Cluster cluster_;
  const bool keeps_text_;
  CommonTexts common_;
  std::deque<ObjectPtr> recent_;  ///< what was written last and is kept as text is needed again soon
  std::size_t history_;
  std::shared_ptr<StoreJournal> journal_;
  std::uint64_t version_ = 1;
  std::uint64_t compacted_ = 0;  ///< of all resources, changes up to this version may be forgotten
  std::uint64_t uids_ = 0;
  std::vector<Written> uncommitted_;
  std::uint64_t committed_version_ = 1;
  std::uint64_t committed_uids_ = 0;
  JournalEntry forgetting_;  ///< what the next entry reports about forgotten changes
  Follower follower_;
  std::map<std::string, History, std::less<>> histories_;  ///< by `group/resource`
  mutable std::mutex listening_;
  mutable std::map<std::string, Listeners, std::less<>>
      listeners_;  ///< by `group/resource`, then scope; guarded by `listening_`
};

/// Whether a key comes before another in lists: by `namespace/name` as one text.
bool before_in_list(std::string_view namespace_, std::string_view name, std::string_view other_namespace,
                    std::string_view other_name);

}  // namespace nodebound
