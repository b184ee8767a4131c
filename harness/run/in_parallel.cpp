#include "harness/run/in_parallel.h"

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace nodebound {

void in_parallel(std::size_t count, std::size_t threads, const std::function<void(std::size_t, std::size_t)>& work,
                 const std::function<bool()>& stop) {
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> failed = false;
  std::exception_ptr first;
  std::once_flag once;
  const auto take = [&](std::size_t thread) noexcept {
    try {
      for (std::size_t item = next++; item < count && !failed && !stop(); item = next++) work(item, thread);
    } catch (...) {
      std::call_once(once, [&] { first = std::current_exception(); });
      failed = true;
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t thread = 1; thread < threads; ++thread) others.emplace_back(take, thread);
    take(0);
  }
  if (first) std::rethrow_exception(first);
}

}  // namespace nodebound
