#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>

#include "reference/cluster/readers.h"

namespace nodebound {

/// A value that some threads read while another changes it. It is kept twice: readers see one copy, a writer changes
/// the other, shows it, waits until nobody reads the first any more, and makes the same change there. So readers never
/// wait, not even for a writer that is interrupted in the middle of a change; they see a change wholly or not at all,
/// and whoever reads after `write` has returned sees it.
///
/// It takes the memory of two values; what they share by pointer is there once.
template <typename T>
class TwoCopies {
 public:
  /// `make` is called twice and must make the same value both times.
  template <typename Make>
  explicit TwoCopies(const Make& make) : copies_{make(), make()} {}

  /// Calls `use` with the value as it is now, and returns what it returns. Nothing may point into the value afterwards,
  /// and `use` must not call `write`.
  template <typename Use>
  auto read(Use use) const {
    const Readers::Visit visit(readers_);
    return use(copies_[shown_.load()]);
  }

  /// The two copies, for what refers to each of them and is used within `read` alone.
  [[nodiscard]] const std::array<T, 2>& both() const { return copies_; }

  /// Calls `change` with one copy and then with the other: it must do the same to both, and not throw.
  template <typename Change>
  void write(const Change& change) noexcept {
    const std::lock_guard lock(writing_);
    const std::size_t first = shown_.load();
    const std::size_t other = 1 - first;
    change(copies_[other]);
    shown_.store(other);
    readers_.wait_for_present();
    change(copies_[first]);
  }

 private:
  std::array<T, 2> copies_;
  std::atomic<std::size_t> shown_ = 0;
  mutable Readers readers_;
  std::mutex writing_;
};

}  // namespace nodebound
