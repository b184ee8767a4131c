#pragma once

#include <cstddef>
#include <functional>

namespace nodebound {

/// Does work on `count` items with so many threads, of which the calling one is the first. The work is told which item
/// it is on and the number of its thread. Once `stop` holds, no further item is begun.
void in_parallel(std::size_t count, std::size_t threads, const std::function<void(std::size_t, std::size_t)>& work,
                 const std::function<bool()>& stop);

}  // namespace nodebound
