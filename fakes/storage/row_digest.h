#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nodebound::storage {

/// A digest of a row's columns, stored in the row: SQLite detects damage to a database's structure, not to its
/// contents.
class RowDigest {
 public:
  RowDigest& add(std::string_view column);
  RowDigest& add(std::uint64_t column);

  /// The first eight bytes of the SHA-256 of all columns and their lengths.
  [[nodiscard]] std::uint64_t value() const;

 private:
  std::string columns_;
};

}  // namespace nodebound::storage
