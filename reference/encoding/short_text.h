#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace nodebound {

// Compares and hashes words and names of objects. They are short, so both work in line and a word at a time: a call of
// memcmp takes longer than the comparison itself.

template <typename Word>
Word word_at(const char* at) {
  Word word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

/// Whether the words at the beginning are the same, and those `last` bytes further on, which may overlap the first.
template <typename Word>
[[gnu::always_inline]] inline bool same_ends(const char* x, const char* y, std::size_t last) {
  return word_at<Word>(x) == word_at<Word>(y) && word_at<Word>(x + last) == word_at<Word>(y + last);
}

/// Where `b` is a literal, little more than the comparison of one or two words is left of this.
[[gnu::always_inline]] inline bool same_text(std::string_view a, std::string_view b) {
  using Long = std::uint64_t;
  using Middle = std::uint32_t;
  using Short = std::uint16_t;
  const std::size_t size = b.size();
  if (size != a.size()) return false;
  const char* const x = a.data();
  const char* const y = b.data();
  if (size > 2 * sizeof(Long)) {
    for (std::size_t at = 0; at < size - 2 * sizeof(Long); at += 2 * sizeof(Long)) {
      if (!same_ends<Long>(x + at, y + at, sizeof(Long))) return false;
    }
    return same_ends<Long>(x + size - 2 * sizeof(Long), y + size - 2 * sizeof(Long), sizeof(Long));
  }
  if (size >= sizeof(Long)) return same_ends<Long>(x, y, size - sizeof(Long));
  if (size >= sizeof(Middle)) return same_ends<Middle>(x, y, size - sizeof(Middle));
  if (size >= sizeof(Short)) return same_ends<Short>(x, y, size - sizeof(Short));
  return size == 0 || x[0] == y[0];
}

/// The upper half of the product folded into the lower one: each bit of either factor reaches most bits of the result.
inline std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

[[gnu::always_inline]] inline std::uint64_t text_hash(std::string_view text, std::uint64_t seed) {
  using Long = std::uint64_t;
  using Middle = std::uint32_t;
  using Short = std::uint16_t;
  constexpr Long odd = 0x9E3779B97F4A7C15ULL;
  constexpr Long even = 0xD1B54A32D192ED03ULL;
  constexpr std::size_t step = 2 * sizeof(Long);
  const char* from = text.data();
  std::size_t left = text.size();
  Long first = 0;
  Long last = 0;
  seed ^= left * even;
  while (left > step) {
    seed = folded_product(word_at<Long>(from) ^ odd, word_at<Long>(from + sizeof(Long)) ^ seed);
    from += step;
    left -= step;
  }
  if (left >= sizeof(Long)) {
    first = word_at<Long>(from);
    last = word_at<Long>(from + left - sizeof(Long));
  } else if (left >= sizeof(Middle)) {
    first = word_at<Middle>(from);
    last = word_at<Middle>(from + left - sizeof(Middle));
  } else if (left >= sizeof(Short)) {
    first = word_at<Short>(from);
    last = word_at<Short>(from + left - sizeof(Short));
  } else if (left > 0) {
    first = static_cast<unsigned char>(*from);
  }
  return folded_product(first ^ odd, last ^ seed ^ even);
}

}  // namespace nodebound
