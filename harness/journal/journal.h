#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "harness/journal/ledger.h"

namespace nodebound {

/// What a target does with `dryRun=All`.
enum class DryRuns {
  untried,
  kept,    ///< nothing is stored, as it should be, or such requests are refused
  stored,  ///< it stores what it should only have answered
  unknown  ///< it was tried, and cannot be told
};

/// What one run makes on a cluster of others, in a file of its own that the run holds locked: written down before it is
/// made, and with the UID once it is. Thread-safe.
class Journal {
 public:
  /// A journal that keeps nothing, for targets that end with the run.
  Journal() = default;

  /// Makes `journal-RUN.jsonl` in the folder. An error if there is one already, whatever it is.
  static Result<std::unique_ptr<Journal>> create(const std::filesystem::path& folder, const JournalHeader& header);

  /// Returns the object's number, once the record is on disk. After an error the run must end: nothing more is taken.
  Result<std::uint64_t> write_down(const std::string& path, Manner manner, bool marked);
  /// The same of a finalizer that the run is about to put on something.
  Result<void> write_down_finalizer(const std::string& name);
  [[nodiscard]] bool has_finalizer(const std::string& name);

  /// These may be lost in a crash: whoever cleans up after looks at the cluster. `path` is that of an object of which
  /// the server has chosen the name.
  void note_made(std::uint64_t number, const std::string& uid, const std::string& path = {});
  void note_not_made(std::uint64_t number);
  void note_gone(std::uint64_t number);

  /// Why nothing more can be written.
  [[nodiscard]] std::optional<Error> failure();

  /// What may still be on the cluster.
  [[nodiscard]] std::size_t left();

  /// What was seen of the target's dry runs. Where they may be stored, they are written down like other writes.
  void set_dry_runs(DryRuns seen) { dry_runs_ = seen; }
  [[nodiscard]] DryRuns dry_runs() const { return dry_runs_; }
  [[nodiscard]] bool dry_runs_stick() const {
    const DryRuns seen = dry_runs_;
    return seen == DryRuns::stored || seen == DryRuns::unknown;
  }

  /// Removes the file if nothing is left.
  void finish();

  /// Empty for a journal that keeps nothing.
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

 private:
  Result<void> lock();
  Result<void> append(const std::string& line, bool to_disk);
  Result<void> broken(const std::string& what, int problem);
  void note(const JournalRecord& record);

  std::mutex mutex_;
  std::filesystem::path file_;
  int descriptor_ = -1;
  std::uint64_t last_ = 0;
  Ledger ledger_;
  std::optional<Error> failure_;
  bool closed_ = false;
  std::atomic<DryRuns> dry_runs_ = DryRuns::untried;
};

}  // namespace nodebound
