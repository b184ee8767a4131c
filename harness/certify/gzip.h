#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "reference/result.h"

namespace nodebound::certify {

/// One member of a gzip file. The same bytes give the same member: it names no file and no time.
std::string gzip(std::string_view bytes);

/// Reads the lines of a gzip file of any number of members, block by block. What it reads may come from a stranger, so
/// a line and the whole have a largest size.
class GzipLines {
 public:
  struct Limits {
    std::size_t line = std::size_t{64} << 20U;
    std::size_t all = std::size_t{1} << 30U;
  };

  /// `compressed` must outlive the reader; errors name it `where`.
  GzipLines(std::string_view compressed, std::string where, Limits limits);
  GzipLines(std::string_view compressed, std::string where) : GzipLines(compressed, std::move(where), Limits{}) {}
  ~GzipLines();
  GzipLines(const GzipLines&) = delete;
  GzipLines& operator=(const GzipLines&) = delete;

  /// The next line without its end; nothing at the end of the file.
  Result<std::optional<std::string>> next();

 private:
  Result<bool> inflate_more();

  struct Stream;
  std::string where_;
  Limits limits_;
  std::unique_ptr<Stream> stream_;
  std::string read_;
  std::size_t at_ = 0;  ///< where the next line begins
  std::size_t inflated_ = 0;
  bool in_member_ = false;
};

}  // namespace nodebound::certify
