#pragma once

namespace nodebound {

/// Keeps the compiler from leaving out the computation of a value that nothing else uses.
template <typename T>
void keep(const T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

}  // namespace nodebound
