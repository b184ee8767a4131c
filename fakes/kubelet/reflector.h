#pragma once

#include <memory>
#include <string>

#include "fakes/kubelet/kubelet_self.h"

namespace nodebound {

/// Is told what a reflector sees.
class ObjectSink {
 public:
  virtual ~ObjectSink() = default;
  /// All there is; what is not among `items` is gone.
  virtual void listed(const Object& items) = 0;
  virtual void changed(const Object& object) = 0;
  virtual void deleted(const Object& object) = 0;
};

/// Keeps up with a collection as client-go's reflector does: a list, then a watch from its version on, again and again
/// when that is over, and a new list after a failure.
class Reflector {
 public:
  struct Collection {
    std::string path;           ///< `/api/v1/pods`
    std::string selector = {};  ///< of fields, not encoded
    bool list_first = true;     ///< or else a watch brings what is there
  };

  /// `kept`: whether its watches stay open. Those that do not tell what they have missed when their time is over.
  Reflector(Collection collection, bool kept)
      : collection_(std::move(collection)), kept_(kept), listed_(!collection_.list_first) {}

  [[nodiscard]] KubeletTime due() const { return due_; }
  [[nodiscard]] bool synced() const { return synced_; }

  /// Lists or watches if that is due, and tells `sink` what has come.
  void act(KubeletSelf& self, ObjectSink& sink);

  /// What it watches is over, as when the server has gone away.
  void drop();

 private:
  void list(KubeletSelf& self, ObjectSink& sink);
  void watch(KubeletSelf& self);
  /// Tells what the watch has brought.
  void take(KubeletSelf& self, ObjectSink& sink);
  void tell(const Object& event, ObjectSink& sink);
  void fail(KubeletSelf& self);
  [[nodiscard]] std::string target(const std::string& query) const;

  Collection collection_;
  std::shared_ptr<BodyStream> stream_;
  std::string unread_;  ///< the begin of an event
  std::string version_ = "0";
  KubeletTime due_;
  KubeletTime watch_end_;  ///< until when it lists in place of a watch without a stream
  std::uint8_t failures_ = 0;
  bool kept_;
  bool polls_ = false;   ///< its last watch had no stream, so it lists instead
  bool listed_ = false;  ///< since the last failure
  bool synced_ = false;
};

/// A sink of what nobody looks at.
ObjectSink& no_sink();

}  // namespace nodebound
