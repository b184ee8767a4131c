#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fakes/kubelet/pods/pod_status.h"

namespace nodebound::fake_kubelet {

/// The pods of a node, from binding to deletion.
class PodWorkers final : private ObjectSink {
 public:
  enum class State {
    starting,  ///< some of what it needs is missing
    running,
    ended,   ///< it has succeeded or failed
    leaving  ///< it is being deleted
  };

  struct Pod {
    PodId id;
    State state = State::starting;
    PodPhase phase = PodPhase::running;
    bool reported = false;  ///< the API server knows its phase
    bool leaves = false;    ///< it has a deletionTimestamp
    std::string mirror;     ///< hash of the static pod, for a mirror pod
    std::uint8_t tries = 0;
    KubeletTime due;
    KubeletTime tokens_due = KubeletTime::max();
    std::vector<PodToken> tokens;
    std::vector<ReferencedObjects::Key> held;
    std::unique_ptr<Object> object;  ///< only until the pod runs
  };

  PodWorkers(KubeletSelf& self, Informers& informers);

  [[nodiscard]] KubeletTime due() const { return due_; }
  [[nodiscard]] bool synced() const { return pods_of_node_.synced(); }
  /// Counts the changes of its pods.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }
  void act();
  void drop();

  /// Ends a pod; false if there is none with that name, or if it has already ended.
  bool end(const std::string& namespace_, const std::string& name, PodPhase phase);

  [[nodiscard]] const std::map<std::string, Pod>& pods() const { return pods_; }  ///< by `namespace/name`

 private:
  void listed(const Object& items) override;
  void changed(const Object& object) override;
  void deleted(const Object& object) override;

  void advance(Pod& pod);
  void start(Pod& pod);
  void refresh(Pod& pod);
  bool report(Pod& pod);
  void leave(Pod& pod);
  void retry(Pod& pod);
  void forget(const std::string& key);
  [[nodiscard]] KubeletTime next_of(const Pod& pod);

  KubeletSelf& self_;
  ReferencedObjects objects_;
  PodReader reader_;
  Reflector pods_of_node_;
  std::map<std::string, Pod> pods_;
  std::vector<std::string> gone_;  ///< forgotten after this round
  std::uint64_t changes_ = 0;
  KubeletTime due_;
};

}  // namespace nodebound::fake_kubelet
