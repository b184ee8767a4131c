#include "reference/cluster/readers.h"

#include <mutex>
#include <thread>
#include <vector>

namespace nodebound {
namespace {

/// Gives out the numbers of threads, lowest first as far as threads have ended.
class ThreadNumbers {
 public:
  std::size_t take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return next_++;
    const std::size_t number = free_.back();
    free_.pop_back();
    return number;
  }
  void give_back(std::size_t number) {
    const std::lock_guard lock(mutex_);
    free_.push_back(number);
  }

  /// Never destroyed, because threads may end after everything else has.
  static ThreadNumbers& all() {
    static ThreadNumbers& numbers = *new ThreadNumbers;
    return numbers;
  }

 private:
  std::mutex mutex_;
  std::vector<std::size_t> free_;
  std::size_t next_ = 0;
};

struct ThreadNumber {
  const std::size_t value = ThreadNumbers::all().take();

  ThreadNumber() = default;
  ~ThreadNumber() { ThreadNumbers::all().give_back(value); }
  ThreadNumber(const ThreadNumber&) = delete;
  ThreadNumber& operator=(const ThreadNumber&) = delete;
};

}  // namespace

std::size_t Readers::own_number() {
  thread_local const ThreadNumber number;
  return number.value;
}

Readers::Count& Readers::count_beyond(std::size_t number) {
  Block* block = &first_;
  for (; number >= block->slots.size(); number -= block->slots.size()) {
    Block* next = block->next.load();
    if (next == nullptr) {
      auto made = std::make_unique<Block>();
      // Another thread may have been faster; then `next` is its block.
      if (block->next.compare_exchange_strong(next, made.get())) next = made.release();
    }
    block = next;
  }
  return block->slots[number].count;
}

void Readers::wait_for_present() const {
  for (const Block* block = &first_; block != nullptr; block = block->next.load()) {
    for (const Slot& slot : block->slots) {
      const std::uint64_t seen = slot.count.load();
      if (seen % 2 == 0) continue;
      while (slot.count.load(std::memory_order_acquire) == seen) std::this_thread::yield();
    }
  }
}

Readers::~Readers() {
  for (Block* block = first_.next.load(); block != nullptr;) {
    const std::unique_ptr<Block> owned(block);
    block = owned->next.load();
  }
}

}  // namespace nodebound
