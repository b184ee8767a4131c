#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace nodebound {

/// A hash table of small values that does not know their keys: the caller gives the hash, and a predicate that tells
/// the value that is meant from others of the same hash. Hash and value lie side by side, so a look-up usually reads
/// one cache line of the table.
template <typename Value>
class HashTable {
 public:
  /// Null if there is none. The pointer holds until the next change.
  template <typename Predicate>
  [[nodiscard]] const Value* find(std::uint32_t hash, Predicate is_meant) const {
    const Slot* const slot = find_slot(hash, is_meant);
    return slot == nullptr ? nullptr : &slot->value;
  }
  template <typename Predicate>
  [[nodiscard]] Value* find(std::uint32_t hash, Predicate is_meant) {
    return const_cast<Value*>(std::as_const(*this).find(hash, is_meant));
  }

  /// `value` must not be in the table yet.
  void insert(std::uint32_t hash, Value value) {
    if ((size_ + 1) * 4 > capacity() * 3) grow();
    put(tag_of(hash), value);
    ++size_;
  }

  /// The value must be in the table.
  template <typename Predicate>
  void erase(std::uint32_t hash, Predicate is_meant) {
    auto hole = static_cast<std::size_t>(find_slot(hash, is_meant) - slots_.get());
    // Closes the gap, so that no search ends before a value that lies past it.
    for (std::size_t at = after(hole); slots_[at].tag != 0; at = after(at)) {
      if (distance(place(slots_[at].tag), at) < distance(hole, at)) continue;
      slots_[hole] = slots_[at];
      hole = at;
    }
    slots_[hole] = {};
    --size_;
  }

  [[nodiscard]] std::size_t size() const { return size_; }

  template <typename Visitor>
  void each(Visitor visit) const {
    for (std::size_t at = 0; at < capacity(); ++at) {
      if (slots_[at].tag != 0) visit(slots_[at].value);
    }
  }

 private:
  struct Slot {
    std::uint32_t tag = 0;  ///< the hash with its highest bit set; 0 where there is no value
    Value value = {};
  };

  static std::uint32_t tag_of(std::uint32_t hash) { return hash | 0x80000000U; }
  [[nodiscard]] std::size_t place(std::uint32_t tag) const { return tag & last_; }
  [[nodiscard]] std::size_t after(std::size_t at) const { return (at + 1) & last_; }
  [[nodiscard]] std::size_t distance(std::size_t from, std::size_t to) const { return (to - from) & last_; }
  [[nodiscard]] std::size_t capacity() const { return slots_ == nullptr ? 0 : last_ + 1; }

  template <typename Predicate>
  [[nodiscard]] const Slot* find_slot(std::uint32_t hash, Predicate is_meant) const {
    if (slots_ == nullptr) return nullptr;
    const std::uint32_t tag = tag_of(hash);
    for (std::size_t at = place(tag); slots_[at].tag != 0; at = after(at)) {
      if (slots_[at].tag == tag && is_meant(slots_[at].value)) return &slots_[at];
    }
    return nullptr;
  }

  void put(std::uint32_t tag, Value value) {
    std::size_t at = place(tag);
    while (slots_[at].tag != 0) at = after(at);
    slots_[at] = {tag, value};
  }

  void grow() {
    const std::size_t before = capacity();
    const std::size_t now = before == 0 ? 4 : before * 2;
    const std::unique_ptr<Slot[]> old = std::exchange(slots_, std::make_unique<Slot[]>(now));
    last_ = now - 1;
    for (std::size_t at = 0; at < before; ++at) {
      if (old[at].tag != 0) put(old[at].tag, old[at].value);
    }
  }

  std::unique_ptr<Slot[]> slots_;  ///< a power of two of them, at most three quarters in use
  std::size_t last_ = 0;           ///< the last slot's place
  std::size_t size_ = 0;
};

}  // namespace nodebound
