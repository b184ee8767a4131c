#include "harness/run/in_parallel.h"

#include <atomic>
#include <thread>
#include <vector>

namespace nodebound {

void in_parallel(std::size_t count, std::size_t threads, const std::function<void(std::size_t, std::size_t)>& work,
                 const std::function<bool()>& stop) {
  std::atomic<std::size_t> next = 0;
  const auto take = [&](std::size_t thread) {
    for (std::size_t item = next++; item < count && !stop(); item = next++) work(item, thread);
  };
  std::vector<std::jthread> others;
  for (std::size_t thread = 1; thread < threads; ++thread) others.emplace_back(take, thread);
  take(0);
}

}  // namespace nodebound
