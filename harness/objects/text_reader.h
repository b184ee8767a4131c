#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/objects/document.h"

namespace nodebound {

/// A mistake in a text, and its place.
struct TextMistake : std::runtime_error {
  TextMistake(int at, const std::string& what, std::string next = {})
      : std::runtime_error(what), line(at), hint(std::move(next)) {}
  int line;
  std::string hint;
};

/// A text that is read block by block. Each block must be UTF-8 without control characters, because parsers take some
/// of those for the end. Throws TextMistake.
class TextReader {
 public:
  explicit TextReader(const TextSource& source);

  /// The bytes that were read but not taken yet.
  [[nodiscard]] std::string_view ahead() const { return {block_.data() + at_, size_ - at_}; }

  /// Takes the next bytes, at most `size`; 0 at the end. Lines are not counted.
  std::size_t read(char* to, std::size_t size);

  [[nodiscard]] bool ended() const { return at_ == size_; }
  [[nodiscard]] const char& current() const { return block_[at_]; }
  /// The line of the current character.
  [[nodiscard]] int line() const { return line_; }
  void advance() {
    line_ += block_[at_] == '\n' ? 1 : 0;
    if (++at_ == size_) fill();
  }

 private:
  void fill();
  void check();

  const TextSource& source_;
  std::vector<char> block_;
  std::size_t at_ = 0;
  std::size_t size_ = 0;
  int line_ = 1;
  int checked_line_ = 1;
  std::string unfinished_;  ///< the first bytes of a character that continues in the next block
};

}  // namespace nodebound
