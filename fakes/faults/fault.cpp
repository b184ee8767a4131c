#include "fakes/faults/fault.h"

namespace nodebound::faults {
namespace {

/// What a random number decides; each use has a random sequence of its own.
enum class Draw : std::uint64_t { hit = 1, amount = 2, cut = 3 };

// splitmix64: the nth number depends only on the seed and n, not on other draws.
std::uint64_t draw(std::uint64_t seed, std::uint64_t n, Draw what) {
  std::uint64_t z = seed * 0x9e3779b97f4a7c15U + n * 0xd1b54a32d192ed03U + static_cast<std::uint64_t>(what);
  for (int round = 0; round < 2; ++round) {
    z += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    z ^= z >> 31U;
  }
  return z;
}

}  // namespace

bool Fault::hits(std::uint64_t n) const {
  constexpr double kAll = 1ULL << 53U;
  return static_cast<double>(draw(seed, n, Draw::hit) >> 11U) / kAll < probability;
}

std::uint64_t Fault::amount_of(std::uint64_t n) const {
  const std::uint64_t span = amount.most - amount.least + 1;
  return amount.least + draw(seed, n, Draw::amount) % span;
}

std::size_t Fault::cut_of(std::uint64_t n, std::size_t size) const {
  return size == 0 ? 0 : draw(seed, n, Draw::cut) % size;
}

bool fits_pattern(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return true;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  std::size_t p = 0;
  std::size_t t = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      // On a mismatch, let the last star match one more character.
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace nodebound::faults
