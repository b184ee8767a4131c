#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "fakes/kubelet/node/kubelet_self.h"

namespace nodebound::fake_kubelet {

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
/// ends, and a new list after a failure. If the release has it so, a watch that begins with what is there takes the
/// place of the list, which is only a second choice.
class Reflector {
 public:
  struct Collection {
    std::string path;           ///< `/api/v1/pods`
    std::string selector = {};  ///< a field selector, not encoded
    bool list_first = true;     ///< false: the watch itself begins with the existing objects
    bool always_list = false;   ///< a list tells which version of the API is served
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
  ApiAnswer open_watch(KubeletSelf& self, const std::string& from);
  void watch(KubeletSelf& self);
  /// False if the server has no such watch, or refuses it.
  bool watch_from_the_beginning(KubeletSelf& self);
  /// Delivers what the watch has brought.
  void take(KubeletSelf& self, ObjectSink& sink);
  void tell(const Object& event, ObjectSink& sink);
  void tell_initial(std::string_view type, const Object& object, ObjectSink& sink);
  void fail(KubeletSelf& self);
  [[nodiscard]] std::string target(const std::string& query) const;

  Collection collection_;
  std::shared_ptr<BodyStream> stream_;
  std::string unread_;             ///< the beginning of an event
  std::optional<Object> initial_;  ///< by namespace and name, until a watch has sent all that was there
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

}  // namespace nodebound::fake_kubelet
