#include "harness/replay/log_documents.h"

#include <cstring>
#include <utility>

namespace nodebound::replay {
namespace {

constexpr std::size_t kRead = std::size_t{1} << 20U;

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

}  // namespace

LogDocuments::LogDocuments(TextSource source, std::size_t limit)
    : source_(std::move(source)), limit_(limit), buffer_(kRead + document_padding) {}

bool LogDocuments::read_more() {
  if (ended_) return false;
  if (at_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
    end_ -= at_;
    at_ = 0;
  }
  if (buffer_.size() - end_ < kRead / 2 + document_padding) buffer_.resize(buffer_.size() * 2);
  const std::size_t count = source_(buffer_.data() + end_, buffer_.size() - end_ - document_padding);
  if (count == 0) ended_ = true;
  end_ += count;
  bytes_ += count;
  return count > 0;
}

// Offsets from `at_`, which reading moves.
std::optional<LogDocuments::Line> LogDocuments::line_at(std::size_t begin) {
  std::size_t searched = begin;
  while (true) {
    const std::size_t there = end_ - at_;
    const void* found =
        searched < there ? std::memchr(buffer_.data() + at_ + searched, '\n', there - searched) : nullptr;
    if (found != nullptr) {
      return Line{begin, static_cast<std::size_t>(static_cast<const char*>(found) - (buffer_.data() + at_))};
    }
    searched = there;
    if (there > limit_) return std::nullopt;
    if (!read_more()) return Line{begin, end_ - at_};
  }
}

void LogDocuments::skip_line() {
  while (true) {
    const void* found = std::memchr(buffer_.data() + at_, '\n', end_ - at_);
    if (found != nullptr) {
      at_ = static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data()) + 1;
      ++line_;
      return;
    }
    at_ = end_;
    if (!read_more()) return;
  }
}

std::optional<LogDocument> LogDocuments::next() {
  while (true) {
    if (at_ == end_ && !read_more()) return std::nullopt;
    LogDocument out;
    out.line = line_;
    const std::optional<Line> first = line_at(0);
    if (!first) {
      skip_line();
      out.too_long = true;
      return out;
    }
    std::size_t begin = 0;
    std::size_t end = first->end;
    const auto at = [&](std::size_t offset) { return buffer_[at_ + offset]; };
    // A byte order mark, as some exports begin with.
    if (end >= 3 && std::memcmp(buffer_.data() + at_, "\xEF\xBB\xBF", 3) == 0) begin = 3;
    while (begin < end && is_blank(at(begin))) ++begin;
    while (end > begin && is_blank(at(end - 1))) --end;
    std::size_t after = first->end + 1;
    std::size_t lines = 1;
    // A value over several lines ends with a bracket at the beginning of a line, and all between is indented. In a list
    // the elements need not be.
    const char opener = begin < end ? at(begin) : ' ';
    const bool alone = end == begin + 1;
    const bool whole = end > begin && (at(end - 1) == '}' || at(end - 1) == ']');
    if ((opener == '{' || opener == '[') && (alone || !whole)) {
      while (true) {
        const std::optional<Line> line = line_at(after);
        if (!line) {
          at_ += after;
          line_ += lines;
          skip_line();
          out.too_long = true;
          return out;
        }
        if (line->begin >= line->end && ended_ && at_ + line->end >= end_) {
          out.cut_short = true;
          break;
        }
        const char c = line->begin < line->end ? at(line->begin) : ' ';
        const bool closes = opener == '{' ? c == '}' : c == ']';
        if (!closes && !is_blank(c) && opener == '{' && c != ']') {
          out.cut_short = true;
          break;
        }
        end = line->end;
        after = line->end + 1;
        ++lines;
        if (end > limit_) {
          out.too_long = true;
          break;
        }
        if (closes) break;
      }
    }
    out.text = std::string_view(buffer_.data() + at_ + begin, end - begin);
    at_ = std::min(end_, at_ + after);
    line_ += lines;
    if (out.too_long) out.text = {};
    if (out.text.empty() && !out.too_long) continue;
    while (is_blank(out.text.empty() ? 'x' : out.text.back())) out.text.remove_suffix(1);
    if (!out.text.empty() && out.text.back() == ',') out.text.remove_suffix(1);
    return out;
  }
}

}  // namespace nodebound::replay
