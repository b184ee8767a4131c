#include "harness/objects/text_reader.h"

#include <algorithm>
#include <cstring>

#include "reference/encoding/utf8.h"

namespace nodebound {
namespace {

constexpr std::size_t block_size = std::size_t{1} << 16U;
constexpr std::size_t longest_character = 4;

// The bytes at the end that begin a character but do not complete it.
std::size_t unfinished_at_end(std::string_view text) {
  for (std::size_t back = 1; back < longest_character && back <= text.size(); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xC0U) == 0x80U) continue;
    const std::size_t length = byte >= 0xF0U ? 4U : byte >= 0xE0U ? 3U : byte >= 0xC0U ? 2U : 1U;
    return length > back ? back : 0;
  }
  return 0;
}

bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20U && byte < 0x80U;
}

}  // namespace

TextReader::TextReader(const TextSource& source) : source_(source), block_(block_size + longest_character) {
  fill();
  if (ahead().starts_with("\xEF\xBB\xBF")) at_ += 3;
  if (at_ == size_) fill();
}

void TextReader::fill() {
  std::memcpy(block_.data(), unfinished_.data(), unfinished_.size());
  at_ = 0;
  size_ = unfinished_.size();
  unfinished_.clear();
  std::size_t given = 0;
  // A source may give a byte at a time.
  while (size_ < block_size && (given = source_(block_.data() + size_, block_size - size_)) > 0) size_ += given;
  if (given > 0 || size_ == block_size) {
    const std::size_t open = unfinished_at_end({block_.data(), size_});
    unfinished_.assign(block_.data() + size_ - open, open);
    size_ -= open;
  }
  check();
}

void TextReader::check() {
  const std::string_view text(block_.data(), size_);
  bool plain = true;
  for (const char c : text) {
    if (is_plain(c)) continue;
    if (c == '\n') {
      ++checked_line_;
    } else if (static_cast<unsigned char>(c) >= 0x80U) {
      plain = false;
    } else if (c != '\r' && c != '\t') {
      throw TextMistake(checked_line_, "has a control character", "expected YAML or JSON text");
    }
  }
  if (plain) return;
  const std::string_view after_valid = text.substr(utf8_prefix(text).size());
  if (after_valid.empty()) return;
  const auto after = std::count(after_valid.begin(), after_valid.end(), '\n');
  throw TextMistake(checked_line_ - static_cast<int>(after), "is not UTF-8", "expected YAML or JSON text in UTF-8");
}

std::size_t TextReader::read(char* to, std::size_t size) {
  const std::size_t given = std::min(size, size_ - at_);
  std::memcpy(to, block_.data() + at_, given);
  at_ += given;
  if (at_ == size_) fill();
  return given;
}

}  // namespace nodebound
