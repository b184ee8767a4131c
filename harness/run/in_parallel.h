#pragma once

#include <cstddef>
#include <functional>

namespace nodebound {

/// Processes `count` items with this many threads, including the calling one. The work gets the item's index and the
/// number of its thread. Once `stop` returns true, no further item is begun.
void in_parallel(std::size_t count, std::size_t threads, const std::function<void(std::size_t, std::size_t)>& work,
                 const std::function<bool()>& stop);

}  // namespace nodebound
