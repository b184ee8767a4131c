#include "fakes/kubelet/kubelets.h"

#include <algorithm>
#include <utility>

namespace nodebound::fake_kubelet {

std::unique_ptr<FakeKubelet> Kubelets::make(std::size_t number, FakeKubelet::Identity identity,
                                            std::unique_ptr<KubeletLine> line) {
  return std::make_unique<FakeKubelet>(std::move(identity), std::move(line), [woken = woken_, number] {
    const std::lock_guard lock(woken->mutex);
    woken->numbers.push_back(number);
  });
}

std::size_t Kubelets::add(FakeKubelet::Identity identity, std::unique_ptr<KubeletLine> line, KubeletTime start) {
  const std::size_t number = kubelets_.size();
  kubelets_.push_back(make(number, std::move(identity), std::move(line)));
  wishes_.push_back(KubeletTime::max());
  wish(number, start);
  return number;
}

void Kubelets::replace(std::size_t number, FakeKubelet::Identity identity, std::unique_ptr<KubeletLine> line,
                       KubeletTime start) {
  kubelets_[number] = make(number, std::move(identity), std::move(line));
  wish(number, start);
}

void Kubelets::wish(std::size_t number, KubeletTime at) {
  wishes_[number] = at;
  if (at != KubeletTime::max()) queue_.push({at, number});
}

// A woken kubelet acts at once; one that was woken several times acts once.
void Kubelets::hear() {
  std::vector<std::size_t> numbers;
  {
    const std::lock_guard lock(woken_->mutex);
    numbers.swap(woken_->numbers);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  for (const std::size_t number : numbers) {
    if (wishes_[number] > now_) wish(number, now_);
  }
}

KubeletTime Kubelets::next() {
  hear();
  // The queue still has outdated entries of kubelets whose wish has changed.
  while (!queue_.empty() && wishes_[queue_.top().number] != queue_.top().at) queue_.pop();
  return queue_.empty() ? KubeletTime::max() : queue_.top().at;
}

void Kubelets::act(KubeletTime now, std::size_t most) {
  now_ = std::max(now_, now);
  for (std::size_t count = 0; count < most; ++count) {
    if (next() > now_) return;
    const std::size_t number = queue_.top().number;
    queue_.pop();
    kubelets_[number]->act(now_);
    wish(number, std::max(kubelets_[number]->next(), now_));
  }
}

void Kubelets::drop_watches() {
  for (std::size_t number = 0; number < kubelets_.size(); ++number) {
    kubelets_[number]->drop_watches();
    look_again(number);
  }
}

void Kubelets::look_again(std::size_t number) {
  wish(number, std::max(kubelets_[number]->next(), now_));
}

}  // namespace nodebound::fake_kubelet
