#include "fakes/store/store.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "fakes/store/event_groups.h"

namespace nodebound {
namespace {

std::string resource_id(std::string_view group, std::string_view resource) {
  return std::string(group) + "/" + std::string(resource);
}

std::string scope_id(const std::string& id, const Store::Scope& scope) {
  if (scope.of == Store::Scope::Of::all) return id;
  return id + (scope.of == Store::Scope::Of::name ? "?name=" : "?node=") + scope.value;
}

bool in_list_order(const Store::Listed& a, const Store::Listed& b) {
  return before_in_list(a.namespace_, a.name, b.namespace_, b.name);
}

constexpr std::size_t most_recent = 512;

// Whether clusters have many objects of that kind. Writes of others look at few of them.
bool is_of_many(const ObjectKey& key) {
  static constexpr std::array<std::string_view, 7> many = {
      "pods", "events", "replicasets", "endpointslices", "secrets", "configmaps", "controllerrevisions"};
  return std::find(many.begin(), many.end(), key.resource) != many.end();
}

}  // namespace

// Namespace and name compare as one text, so `a-b/…` comes before `a/…`: a hyphen sorts before a slash.
bool before_in_list(std::string_view namespace_, std::string_view name, std::string_view other_namespace,
                    std::string_view other_name) {
  if (namespace_ == other_namespace) return name < other_name;
  const std::size_t common = std::min(namespace_.size(), other_namespace.size());
  const int order = namespace_.substr(0, common).compare(other_namespace.substr(0, common));
  if (order != 0) return order < 0;
  return namespace_.size() < other_namespace.size() ? '/' < other_namespace[common] : namespace_[common] < '/';
}

Store::Store(const RuleSet& rules, std::size_t history, std::shared_ptr<StoreJournal> journal, bool keeps_text)
    : cluster_(rules), keeps_text_(keeps_text), history_(history), journal_(std::move(journal)) {
  if (journal_) recover(journal_->recovered());
}

std::string Store::next_uid() {
  std::array<char, 37> uid{};
  std::snprintf(uid.data(), uid.size(), "00000000-0000-4000-8000-%012llx", static_cast<unsigned long long>(++uids_));
  return uid.data();
}

std::string Store::next_suffix() const {
  // Letters that form no words, as in apimachinery's pkg/util/rand.
  constexpr std::string_view letters = "bcdfghjklmnpqrstvwxz2456789";
  std::string out;
  for (std::uint64_t left = uids_ + 1; out.size() < 5; left /= letters.size()) {
    out.insert(out.begin(), letters[left % letters.size()]);
  }
  return out;
}

void Store::adopt(Object& object, const std::string& time) {
  Object& metadata = object["metadata"];
  if (text(metadata, "name").empty()) {
    metadata["name"] = std::string(text(metadata, "generateName")) + next_suffix();
  }
  metadata["uid"] = next_uid();
  metadata["creationTimestamp"] = time;
  metadata.erase("deletionTimestamp");
  metadata.erase("deletionGracePeriodSeconds");
}

KeptObject Store::put(const ObjectKey& key, Object object) {
  object.erase("apiVersion");
  object.erase("kind");
  object["metadata"]["resourceVersion"] = std::to_string(++version_);
  if (const std::optional<ObjectKey> other = key_in_other_group(key)) {
    keep(*other, std::make_shared<const Object>(event_in_group(object, *other)));
  }
  return keep(key, std::make_shared<const Object>(std::move(object)));
}

void Store::repeat(const ObjectKey& key, ObjectPtr stored) {
  ++uids_;
  ++version_;
  keep(key, std::move(stored));
}

KeptObject Store::kept(const ObjectKey& key, const ObjectPtr& object) {
  if (!keeps_text_ || !is_of_many(key)) return object;
  recent_.push_back(object);
  if (recent_.size() > most_recent) recent_.pop_front();
  return KeptObject::as_text(object, common_);
}

KeptObject Store::keep(const ObjectKey& key, ObjectPtr object) {
  KeptObject before = cluster_.find_kept(key);
  KeptObject now = kept(key, object);
  cluster_.put_shared(key, now);
  const Change::Kind kind = before ? Change::Kind::modified : Change::Kind::added;
  record(key, kind, now, std::move(before));
  return now;
}

ObjectPtr Store::erase(const ObjectKey& key) {
  if (!cluster_.find_kept(key)) return nullptr;
  ++version_;
  if (const std::optional<ObjectKey> other = key_in_other_group(key)) let_go(*other);
  return let_go(key);
}

ObjectPtr Store::let_go(const ObjectKey& key) {
  KeptObject before = cluster_.find_kept(key);
  if (!before) return nullptr;
  Object last = *before.open();
  last["metadata"]["resourceVersion"] = std::to_string(version_);
  ObjectPtr deleted = std::make_shared<const Object>(std::move(last));
  cluster_.erase(key);
  record(key, Change::Kind::deleted, kept(key, deleted), std::move(before));
  return deleted;
}

void Store::record(const ObjectKey& key, Change::Kind kind, KeptObject object, KeptObject before) {
  auto change = std::make_shared<Change>();
  change->kind = kind;
  change->version = version_;
  change->namespace_ = key.namespace_;
  change->name = key.name;
  change->object = std::move(object);
  change->before = std::move(before);
  if (journal_) {
    uncommitted_.push_back({key, std::move(change)});
  } else {
    publish(key, change);
  }
}

Store::History& Store::remember(const std::string& id, const std::shared_ptr<const Change>& change) {
  History& history = histories_[id];
  history.changes.push_back(change);
  if (history.changes.size() > history_) forget_oldest(id, history);
  return history;
}

void Store::forget_oldest(const std::string& id, History& history) {
  const std::shared_ptr<const Change> oldest = std::move(history.changes.front());
  history.changes.pop_front();
  history.forgotten = oldest->version;
  if (journal_) forget(id, *oldest);
}

void Store::compact(std::uint64_t version) {
  compacted_ = std::max(compacted_, version);
  for (auto& [id, history] : histories_) {
    while (!history.changes.empty() && history.changes.front()->version <= version) forget_oldest(id, history);
  }
}

void Store::publish(const ObjectKey& key, const std::shared_ptr<const Change>& change) {
  const std::string id = resource_id(key.group, key.resource);
  // Held open, so that all listeners share them.
  const ObjectPtr object = change->object.open();
  const ObjectPtr was = change->before.open();
  remember(id, change);
  if (follower_) follower_(key, change);
  const std::lock_guard lock(listening_);
  tell(id, change);
  tell(scope_id(id, {Scope::Of::name, key.name}), change);
  if (key.resource != "pods") return;
  // A change may bind the pod to the node, or, in theory, take it from the node.
  const std::string node(text(*object, "spec", "nodeName"));
  const std::string before(was ? text(*was, "spec", "nodeName") : std::string_view());
  if (!node.empty()) tell(scope_id(id, {Scope::Of::node, node}), change);
  if (!before.empty() && before != node) tell(scope_id(id, {Scope::Of::node, before}), change);
}

void Store::tell(const std::string& of, const std::shared_ptr<const Change>& change) {
  const auto listeners = listeners_.find(of);
  if (listeners == listeners_.end()) return;
  std::erase_if(listeners->second, [&](const std::weak_ptr<ChangeListener>& weak) {
    const std::shared_ptr<ChangeListener> listener = weak.lock();
    if (listener) listener->changed(change);
    return !listener;
  });
  if (listeners->second.empty()) listeners_.erase(listeners);
}

const Store::History* Store::history_of(std::string_view group, std::string_view resource) const {
  const auto found = histories_.find(resource_id(group, resource));
  return found == histories_.end() ? nullptr : &found->second;
}

std::optional<KeptObject> Store::object_at(const ObjectKey& key, std::uint64_t version) const {
  const std::optional<Changes> later = changes_since(key.group, key.resource, version);
  if (!later) return std::nullopt;
  for (const auto& change : *later) {
    if (change->name == key.name && change->namespace_ == key.namespace_) return change->before;
  }
  return cluster_.find_kept(key);
}

std::uint64_t Store::oldest_version(std::string_view group, std::string_view resource) const {
  const History* history = history_of(group, resource);
  return std::max(compacted_, history == nullptr ? 0 : history->forgotten);
}

std::optional<Store::Changes> Store::changes_since(std::string_view group, std::string_view resource,
                                                   std::uint64_t version) const {
  const History* history = history_of(group, resource);
  if (version < oldest_version(group, resource)) return std::nullopt;
  if (history == nullptr) return Changes();
  const auto first = std::partition_point(history->changes.begin(), history->changes.end(),
                                          [&](const auto& change) { return change->version <= version; });
  return Changes(first, history->changes.end());
}

void Store::each_now(std::string_view group, std::string_view resource, std::string_view namespace_, const Scope& scope,
                     const Cluster::KeptVisitor& visit) const {
  switch (scope.of) {
    case Scope::Of::all:
      return cluster_.each_kept(group, resource, namespace_, visit);
    case Scope::Of::name:
      return cluster_.each_named(group, resource, namespace_, scope.value, visit);
    case Scope::Of::node:
      return cluster_.each_pod_of_node(scope.value, namespace_, visit);
  }
}

std::optional<std::vector<Store::Listed>> Store::objects_at(std::string_view group, std::string_view resource,
                                                            std::string_view namespace_, std::uint64_t version,
                                                            const Scope& scope) const {
  const std::optional<Changes> later = changes_since(group, resource, version);
  if (!later) return std::nullopt;
  // The earlier state of each object that has changed since: its oldest change has it.
  std::map<std::pair<std::string_view, std::string_view>, KeptObject> changed;
  for (const auto& change : *later) {
    if (!namespace_.empty() && change->namespace_ != namespace_) continue;
    if (scope.of == Scope::Of::name && change->name != scope.value) continue;
    changed.try_emplace({change->namespace_, change->name}, change->before);
  }
  std::vector<Listed> objects;
  // The cluster has them in the order of lists already, unless one namespace's name begins with another's.
  bool sorted = true;
  const std::string* last = nullptr;
  each_now(group, resource, namespace_, scope,
           [&](const std::string& in, const std::string& name, const KeptObject& object) {
             if (!changed.empty() && changed.contains({in, name})) return;
             if (last != nullptr && last != &in) sorted = sorted && before_in_list(*last, {}, in, {});
             last = &in;
             objects.push_back({in, name, object});
           });
  for (const auto& [key, object] : changed) {
    if (!object) continue;
    objects.push_back({std::string(key.first), std::string(key.second), object});
    sorted = false;
  }
  if (!sorted) std::sort(objects.begin(), objects.end(), in_list_order);
  return objects;
}

void Store::listen(std::string_view group, std::string_view resource, const std::shared_ptr<ChangeListener>& listener,
                   const Scope& scope) const {
  const std::lock_guard lock(listening_);
  Listeners& listeners = listeners_[scope_id(resource_id(group, resource), scope)];
  // Resources without writes are not cleaned up elsewhere.
  if (listeners.size() == listeners.capacity())
    std::erase_if(listeners, [](const auto& weak) { return weak.expired(); });
  listeners.push_back(listener);
}

void Store::each_listener(const std::function<void(ChangeListener&)>& visit) const {
  const std::lock_guard lock(listening_);
  for (auto& [id, listeners] : listeners_) {
    for (const std::weak_ptr<ChangeListener>& weak : listeners) {
      if (const std::shared_ptr<ChangeListener> listener = weak.lock()) visit(*listener);
    }
  }
}

}  // namespace nodebound
