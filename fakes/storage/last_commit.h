#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "fakes/files/private_file.h"
#include "reference/result.h"

namespace nodebound::storage {

/// Records the last commit in a file beside a database. SQLite ends a write-ahead log at a damaged frame, as at one
/// that a power failure has cut off: later commits are then lost, and the database looks intact. The mark is written
/// after each commit, without waiting for the disk, so it can be older than the database but never newer.
class LastCommit {
 public:
  struct Mark {
    std::uint64_t version = 0;
    std::uint64_t rows = 0;  ///< the sum of the digests of all rows
  };

  /// Reads the mark of a folder; there may be none.
  static Result<LastCommit> open(const PrivateFolder& folder);

  [[nodiscard]] const std::optional<Mark>& found() const { return found_; }

  /// Makes the file if it does not exist.
  Result<void> begin(const PrivateFolder& folder, const Mark& mark);

  /// A failed write loses only the mark, no stored data.
  void write(const Mark& mark) const;

  /// Removes the mark of a database that no longer exists.
  static void remove(const std::filesystem::path& folder);

 private:
  LastCommit() = default;

  std::optional<Mark> found_;
  Descriptor file_;
};

}  // namespace nodebound::storage
