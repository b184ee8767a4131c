#pragma once

#include <cstddef>
#include <string>

namespace nodebound {

/// A line of a file.
struct SourcePlace {
  std::string file;
  std::size_t line = 0;  ///< 0: the whole file

  /// `scenarios/a.toml:12`
  [[nodiscard]] std::string text() const { return line == 0 ? file : file + ":" + std::to_string(line); }
};

/// Reads what `text()` writes; whatever else is a file.
SourcePlace source_place(const std::string& where);

}  // namespace nodebound
