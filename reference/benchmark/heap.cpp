#include "reference/benchmark/heap.h"

#include <cstdlib>
#include <malloc.h>
#include <new>

namespace {

thread_local nodebound::Heap heap;

std::size_t block_size(void* block) {
  return malloc_usable_size(block) + sizeof(std::size_t);
}

void* allocate(std::size_t size) {
  void* const block = std::malloc(size);
  if (block == nullptr) throw std::bad_alloc();
  ++heap.allocations;
  heap.bytes_live += block_size(block);
  return block;
}

void release(void* block) {
  if (block == nullptr) return;
  heap.bytes_live -= block_size(block);
  std::free(block);
}

}  // namespace

void* operator new(std::size_t size) {
  return allocate(size);
}
void* operator new[](std::size_t size) {
  return allocate(size);
}
void operator delete(void* block) noexcept {
  release(block);
}
void operator delete[](void* block) noexcept {
  release(block);
}
void operator delete(void* block, std::size_t) noexcept {
  release(block);
}
void operator delete[](void* block, std::size_t) noexcept {
  release(block);
}

nodebound::Heap nodebound::Heap::now() {
  return heap;
}
