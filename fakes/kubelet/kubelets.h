#pragma once

#include <memory>
#include <mutex>
#include <queue>
#include <tuple>
#include <vector>

#include "fakes/kubelet/fake_kubelet.h"

namespace nodebound::fake_kubelet {

/// Many kubelets driven by one clock. Not thread-safe, except for the watches that wake them.
class Kubelets {
 public:
  /// Adds a kubelet that starts at `start`; returns its number.
  std::size_t add(FakeKubelet::Identity identity, std::unique_ptr<KubeletLine> line, KubeletTime start);
  /// Replaces a kubelet by another, as when its node has been upgraded.
  void replace(std::size_t number, FakeKubelet::Identity identity, std::unique_ptr<KubeletLine> line,
               KubeletTime start);

  /// When the first kubelet wants to act.
  [[nodiscard]] KubeletTime next();
  /// Lets the kubelets act that want to by `now`, one after the other, until none is left, but at most `most` times. A
  /// caller that moves time from one `next()` to the next lets each act exactly when it wants to.
  void act(KubeletTime now, std::size_t most = SIZE_MAX);

  [[nodiscard]] std::size_t size() const { return kubelets_.size(); }
  [[nodiscard]] FakeKubelet& operator[](std::size_t number) { return *kubelets_[number]; }
  [[nodiscard]] const FakeKubelet& operator[](std::size_t number) const { return *kubelets_[number]; }

  void drop_watches();
  /// Looks again when a kubelet wants to act, because the caller has given it work, as by `end_pod`.
  void look_again(std::size_t number);

 private:
  /// The kubelets whose watches have news.
  struct Woken {
    std::mutex mutex;
    std::vector<std::size_t> numbers;
  };
  struct Wish {
    KubeletTime at;
    std::size_t number;

    bool operator>(const Wish& other) const { return std::tie(at, number) > std::tie(other.at, other.number); }
  };

  std::unique_ptr<FakeKubelet> make(std::size_t number, FakeKubelet::Identity identity,
                                    std::unique_ptr<KubeletLine> line);
  void wish(std::size_t number, KubeletTime at);
  void hear();

  std::shared_ptr<Woken> woken_ = std::make_shared<Woken>();
  std::vector<std::unique_ptr<FakeKubelet>> kubelets_;
  std::vector<KubeletTime> wishes_;  ///< the current wish of each kubelet
  std::priority_queue<Wish, std::vector<Wish>, std::greater<>> queue_;
  KubeletTime now_;
};

}  // namespace nodebound::fake_kubelet
