#pragma once

#include <memory>
#include <string>

#include "fakes/kubelet/node/kubelet_self.h"

namespace nodebound {

/// Receives what a reflector sees.
class ObjectSink {
 public:
  virtual ~ObjectSink() = default;
  /// All objects; any that are not among `items` are gone.
  virtual void listed(const Object& items) = 0;
  virtual void changed(const Object& object) = 0;
  virtual void deleted(const Object& object) = 0;
};

/// Follows a collection as client-go's reflector does: a list, then a watch from its version, a new watch whenever one
/// ends, and a new list after a failure.
class Reflector {
 public:
  struct Collection {
    std::string path;           ///< `/api/v1/pods`
    std::string selector = {};  ///< a field selector, not encoded
    bool list_first = true;     ///< false: the watch itself begins with the existing objects
  };

  /// `kept`: whether its watches stay open. Watches that are not kept deliver nothing.
  Reflector(Collection collection, bool kept)
      : collection_(std::move(collection)), kept_(kept), listed_(!collection_.list_first) {}

  [[nodiscard]] KubeletTime due() const { return due_; }
  [[nodiscard]] bool synced() const { return synced_; }

  /// Lists or watches if that is due, and tells `sink` the news.
  void act(KubeletSelf& self, ObjectSink& sink);

  /// The watch is broken, as when the server has gone away.
  void drop();

 private:
  void list(KubeletSelf& self, ObjectSink& sink);
  void watch(KubeletSelf& self);
  /// Delivers what the watch has brought.
  void take(KubeletSelf& self, ObjectSink& sink);
  void tell(const Object& event, ObjectSink& sink);
  void fail(KubeletSelf& self);
  [[nodiscard]] std::string target(const std::string& query) const;

  Collection collection_;
  std::shared_ptr<BodyStream> stream_;
  std::string unread_;  ///< the beginning of an event
  std::string version_ = "0";
  KubeletTime due_;
  KubeletTime watch_end_;  ///< until then it lists in place of a watch without a stream
  std::uint8_t failures_ = 0;
  bool kept_;
  bool polls_ = false;   ///< its last watch had no stream, so it lists instead
  bool listed_ = false;  ///< since the last failure
  bool synced_ = false;
};

/// A sink that drops everything.
ObjectSink& no_sink();

}  // namespace nodebound
