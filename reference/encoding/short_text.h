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

/// Where `b` is a literal, little more than the comparison of one or two words is left of this.
[[gnu::always_inline]] inline bool same_text(std::string_view a, std::string_view b) {
  using Long = std::uint64_t;
  using Short = std::uint32_t;
  const std::size_t size = b.size();
  if (size != a.size()) return false;
  const char* const x = a.data();
  const char* const y = b.data();
  if (size >= sizeof(Long)) {
    const std::size_t last = size - sizeof(Long);  // the last word may overlap the one before
    for (std::size_t at = 0; at < last; at += sizeof(Long)) {
      if (word_at<Long>(x + at) != word_at<Long>(y + at)) return false;
    }
    return word_at<Long>(x + last) == word_at<Long>(y + last);
  }
  if (size >= sizeof(Short)) {
    const std::size_t last = size - sizeof(Short);
    return word_at<Short>(x) == word_at<Short>(y) && word_at<Short>(x + last) == word_at<Short>(y + last);
  }
  return size == 0 || (x[0] == y[0] && x[size / 2] == y[size / 2] && x[size - 1] == y[size - 1]);
}

/// The upper half of the product folded into the lower one: each bit of either factor reaches most bits of the result.
inline std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

inline std::uint64_t text_hash(std::string_view text, std::uint64_t seed) {
  using Long = std::uint64_t;
  using Short = std::uint32_t;
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
  } else if (left >= sizeof(Short)) {
    first = word_at<Short>(from);
    last = word_at<Short>(from + left - sizeof(Short));
  } else if (left > 0) {
    const auto byte = [&](std::size_t at) { return static_cast<Long>(static_cast<unsigned char>(from[at])); };
    first = byte(0) << 16U | byte(left / 2) << 8U | byte(left - 1);
  }
  return folded_product(first ^ odd, last ^ seed ^ even);
}

}  // namespace nodebound
