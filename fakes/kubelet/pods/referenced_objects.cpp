#include "fakes/kubelet/pods/referenced_objects.h"

#include <algorithm>

#include "reference/release/kubelet_trait_ids.h"

namespace nodebound::fake_kubelet {
namespace {

using Kind = ReferencedObjects::Kind;
using Reads = KubeletTraits::Reads;

Reads way_of(const KubeletSelf& self, Kind kind) {
  return kind == Kind::secret ? self.traits->secret_reads : self.traits->configmap_reads;
}

std::string collection_of(const ReferencedObjects::Key& key) {
  return "/api/v1/namespaces/" + key.namespace_ + (key.kind == Kind::secret ? "/secrets" : "/configmaps");
}

}  // namespace

std::string target_of(const ReferencedObjects::Key& key) {
  return collection_of(key) + "/" + key.name;
}

bool ReferencedObjects::expire(const KubeletSelf& self, Kind kind) {
  return way_of(self, kind) != Reads::watch;
}

ReferencedObjects::Found ReferencedObjects::get(KubeletSelf& self, const Key& key) {
  const ApiAnswer answer = self.get(target_of(key));
  return answer.ok() ? Found::there : answer.status() == 404 ? Found::missing : Found::refused;
}

ReferencedObjects::Found ReferencedObjects::read(KubeletSelf& self, const Key& key) {
  Entry& entry = entries_[key];
  switch (way_of(self, key.kind)) {
    case Reads::get:
      return get(self, key);
    case Reads::cache:
      if (entry.good_until > self.now) return entry.found;
      entry.found = get(self, key);
      if (entry.found == Found::there) entry.good_until = self.now + self.node.object_ttl;
      return entry.found;
    case Reads::watch:
      break;
  }
  if (!entry.watch && !entry.settled) {
    entry.found = Found::refused;
    entry.watch = std::make_unique<Reflector>(Reflector::Collection{collection_of(key), "metadata.name=" + key.name},
                                              self.options->keeps == KubeletOptions::Keeps::all);
    look(self, entry);
  }
  return entry.found;
}

void ReferencedObjects::look(KubeletSelf& self, Entry& entry) {
  entry.watch->act(self, entry);
  if (!entry.immutable || !self.traits->has(KubeletTrait::immutable_unwatched)) return;
  entry.settled = true;
  entry.watch.reset();
}

void ReferencedObjects::release(const Key& key) {
  const auto found = entries_.find(key);
  if (found != entries_.end() && --found->second.holders == 0) entries_.erase(found);
}

KubeletTime ReferencedObjects::due() const {
  KubeletTime out = KubeletTime::max();
  for (const auto& [key, entry] : entries_) {
    if (entry.watch) out = std::min(out, entry.watch->due());
  }
  return out;
}

void ReferencedObjects::act(KubeletSelf& self) {
  for (auto& [key, entry] : entries_) {
    if (entry.watch) look(self, entry);
  }
}

void ReferencedObjects::drop() {
  for (auto& [key, entry] : entries_) {
    if (entry.watch) entry.watch->drop();
  }
}

void ReferencedObjects::Entry::listed(const Object& items) {
  found = Found::missing;
  if (!items.empty()) changed(items[0]);
}

void ReferencedObjects::Entry::changed(const Object& object) {
  found = Found::there;
  immutable = is_true(object, "immutable");
}

void ReferencedObjects::Entry::deleted(const Object& /*object*/) {
  found = Found::missing;
}

}  // namespace nodebound::fake_kubelet
