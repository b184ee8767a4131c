#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace nodebound {

/// The threads that read something, so that a writer can wait for those that might still see what it has replaced. A
/// reader waits for nobody and writes to memory of its own alone.
class Readers {
  using Count = std::atomic<std::uint64_t>;

 public:
  Readers() = default;
  ~Readers();
  Readers(const Readers&) = delete;
  Readers& operator=(const Readers&) = delete;

  /// Reads while it lives; a thread may have several, one within the other.
  class Visit {
   public:
    explicit Visit(Readers& readers) : count_(readers.own_count()), before_(count_.load(std::memory_order_relaxed)) {
      // Sequentially consistent: either `wait_for_present` sees the visit, or the visitor sees what came before it.
      if (is_outer()) count_.store(before_ + 1);
    }
    ~Visit() {
      if (is_outer()) count_.store(before_ + 2, std::memory_order_release);
    }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

   private:
    [[nodiscard]] bool is_outer() const { return before_ % 2 == 0; }

    Count& count_;
    const std::uint64_t before_;
  };

  /// Waits until all visits that have begun have ended; later ones do not matter.
  void wait_for_present() const;

 private:
  /// How many visits a thread has begun and ended: odd while it reads. Each has a cache line of its own.
  struct alignas(64) Slot {
    Count count = 0;
  };
  struct Block {
    std::array<Slot, 16> slots;
    std::atomic<Block*> next = nullptr;
  };

  /// The number of the calling thread: small, and no other thread's while this one lives.
  static std::size_t own_number();
  Count& own_count() {
    const std::size_t number = own_number();
    return number < first_.slots.size() ? first_.slots[number].count : count_beyond(number);
  }
  Count& count_beyond(std::size_t number);

  Block first_;  ///< of the threads with the lowest numbers; others follow
};

}  // namespace nodebound
