#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>

namespace nodebound::explore {

/// A random generator: the same seed draws the same values on every machine (SplitMix64), as long as no two arguments
/// of one call, nor operands of one `+`, draw: compilers evaluate those in any order.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t out = state_ += 0x9e3779b97f4a7c15U;
    out = (out ^ (out >> 30U)) * 0xbf58476d1ce4e5b9U;
    out = (out ^ (out >> 27U)) * 0x94d049bb133111ebU;
    return out ^ (out >> 31U);
  }

  /// 0 … n-1; n must not be 0.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }
  bool one_in(std::size_t n) { return below(n) == 0; }

  /// One of the members of a non-empty list. A member that occurs several times is drawn more often.
  template <typename Members>
  const auto& pick(const Members& members) {
    return *(std::begin(members) + static_cast<std::ptrdiff_t>(below(std::size(members))));
  }
  const char* pick(std::initializer_list<const char*> members) { return *(members.begin() + below(members.size())); }

 private:
  std::uint64_t state_;
};

}  // namespace nodebound::explore
