#pragma once

#include <cstddef>
#include <cstdint>

namespace nodebound {

/// What the program's heap has been asked for so far. heap.cpp replaces operator new to keep count, so it is linked
/// into benchmarks only.
struct Heap {
  std::uint64_t allocations = 0;
  std::size_t bytes_live = 0;  ///< whole blocks, with what malloc adds to them

  static Heap now();
};

}  // namespace nodebound
