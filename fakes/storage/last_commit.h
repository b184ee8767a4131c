#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "fakes/files/private_file.h"
#include "reference/result.h"

namespace nodebound {

/// What was committed last, in a file beside a database. SQLite takes a write-ahead log to end where a frame is
/// damaged, as it does where a power failure has cut it off: what was committed after that is gone, and the database is
/// whole. The mark is written after the commit and not waited for. So it can be older than the database, never newer.
class LastCommit {
 public:
  struct Mark {
    std::uint64_t version = 0;
    std::uint64_t rows = 0;  ///< the sum of the digests of all rows
  };

  /// Reads the mark of a folder; there may be none.
  static Result<LastCommit> open(const PrivateFolder& folder);

  [[nodiscard]] const std::optional<Mark>& found() const { return found_; }

  /// Makes the file where there is none.
  Result<void> begin(const PrivateFolder& folder, const Mark& mark);

  /// That it cannot be written loses a mark, and nothing that was stored.
  void write(const Mark& mark) const;

  /// Of a database that is there no more.
  static void remove(const std::filesystem::path& folder);

 private:
  LastCommit() = default;

  std::optional<Mark> found_;
  Descriptor file_;
};

}  // namespace nodebound
