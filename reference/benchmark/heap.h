#pragma once

#include <cstddef>
#include <cstdint>

namespace nodebound {

/// How much this thread has allocated so far. heap.cpp replaces operator new to count, so only benchmarks and the test
/// of allocations link it.
struct Heap {
  std::uint64_t allocations = 0;
  std::size_t bytes_live = 0;  ///< whole blocks, including malloc's overhead

  static Heap now();
};

}  // namespace nodebound
