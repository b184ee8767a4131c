#pragma once

#include <map>
#include <memory>
#include <string>

#include "fakes/kubelet/reflector.h"

namespace nodebound::fake_kubelet {

/// The Secrets and ConfigMaps that the node's pods reference, read in the way of the release.
class ReferencedObjects {
 public:
  enum class Kind { secret, configmap };
  enum class Found { there, missing, refused };

  struct Key {
    Kind kind;
    std::string namespace_;
    std::string name;

    auto operator<=>(const Key&) const = default;
  };

  /// Reads an object that a pod needs. A pod that reads it for the first time must also `hold` it.
  Found read(KubeletSelf& self, const Key& key);
  void hold(const Key& key) { ++entries_[key].holders; }
  void release(const Key& key);

  [[nodiscard]] KubeletTime due() const;
  void act(KubeletSelf& self);
  void drop();

  /// Whether objects of that kind are cached for a limited time, so that running pods read them again.
  static bool expire(const KubeletSelf& self, Kind kind);

 private:
  struct Entry final : ObjectSink {
    void listed(const Object& items) override;
    void changed(const Object& object) override;
    void deleted(const Object& object) override;

    std::size_t holders = 0;
    std::unique_ptr<Reflector> watch;
    KubeletTime good_until;
    Found found = Found::missing;
    bool immutable = false;
    bool settled = false;  ///< it will not change any more
  };

  static void look(KubeletSelf& self, Entry& entry);
  static Found get(KubeletSelf& self, const Key& key);

  std::map<Key, Entry> entries_;
};

/// The URL of a Secret or ConfigMap, by its name; the same in all releases.
std::string target_of(const ReferencedObjects::Key& key);

}  // namespace nodebound::fake_kubelet
