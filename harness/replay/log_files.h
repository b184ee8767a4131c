#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "harness/replay/audit_event.h"
#include "harness/replay/event_reader.h"
#include "harness/replay/followed_file.h"
#include "harness/replay/log_troubles.h"
#include "reference/result.h"

namespace nodebound::replay {

/// Logs as one: rotated files, and the files of several API servers, merged by when requests were answered, which is
/// the order in which an API server writes.
class LogFiles {
 public:
  static constexpr std::size_t most_files = 1000;  ///< all are open at a time

  /// `-` is standard input. With `following`, which must outlive the logs, the only file is read on as it grows.
  static Result<std::unique_ptr<LogFiles>> open(const std::vector<std::string>& files,
                                                const Following* following = nullptr);

  /// The next request; false at the end.
  bool next(LoggedRequest& out);

  [[nodiscard]] const LogTroubles& troubles() const { return troubles_; }
  [[nodiscard]] const LogCounts& counts() const { return counts_; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  /// A file with its next requests.
  struct File {
    std::string name;
    std::string broken;
    std::unique_ptr<LogDocuments> documents;
    std::unique_ptr<EventReader> reader;
    std::deque<LoggedRequest> ready;
  };

  void fill(File& file);

  std::vector<std::unique_ptr<File>> files_;
  LogTroubles troubles_;
  LogCounts counts_;
};

}  // namespace nodebound::replay
