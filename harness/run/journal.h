#pragma once

#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <vector>

#include "reference/result.h"

namespace nodebound {

/// What a run makes on a cluster, written down before it is made, so that a run that was killed can be cleaned up
/// after. One path of the API a line. Thread-safe.
class Journal {
 public:
  /// A journal that keeps nothing, for targets that end with the run.
  Journal() = default;

  static Result<std::unique_ptr<Journal>> open(const std::filesystem::path& file);

  /// Returns when the line is on disk.
  void record(const std::string& path);

  /// Everything was removed: the journal is, too.
  void close_empty();

  /// The paths of a journal, latest first.
  static Result<std::vector<std::string>> read(const std::filesystem::path& file);

 private:
  std::mutex mutex_;
  std::filesystem::path file_;
  int descriptor_ = -1;

 public:
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
};

}  // namespace nodebound
