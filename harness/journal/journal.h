#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "harness/journal/ledger.h"

namespace nodebound::journal {

/// What a target does with `dryRun=All`.
enum class DryRuns {
  untried,
  kept,    ///< stores nothing, as it should, or refuses such requests
  stored,  ///< stores what it should only answer
  unknown  ///< was tried, with no clear result
};

/// The record of what one run makes on a cluster that others use, in a file of its own that the run holds locked. An
/// object is recorded before it is made, and its UID afterwards. Thread-safe.
class Journal {
 public:
  /// A journal that records nothing, for targets that end with the run.
  Journal() = default;

  /// Creates `journal-RUN.jsonl` in the folder. An error if anything of that name exists.
  static Result<std::unique_ptr<Journal>> create(const std::filesystem::path& folder, const JournalHeader& header);

  /// Returns the object's number once the record is on disk. After an error the journal accepts nothing more, and the
  /// run must end.
  Result<std::uint64_t> write_down(const std::string& path, Manner manner, bool marked);
  /// The same for a finalizer that the run is about to add to an object.
  Result<void> write_down_finalizer(const std::string& name);
  [[nodiscard]] bool has_finalizer(const std::string& name);

  /// A crash may lose these records: whoever cleans up later looks at the cluster. `path` is that of an object whose
  /// name the server chose.
  void note_made(std::uint64_t number, const std::string& uid, const std::string& path = {});
  void note_not_made(std::uint64_t number);
  void note_gone(std::uint64_t number);

  /// Why nothing more can be written.
  [[nodiscard]] std::optional<Error> failure();

  /// What may still exist on the cluster.
  [[nodiscard]] std::size_t left();

  /// What was observed of the target's dry runs. If the target may store them, they are recorded like other writes.
  void set_dry_runs(DryRuns seen) { dry_runs_ = seen; }
  [[nodiscard]] DryRuns dry_runs() const { return dry_runs_; }
  [[nodiscard]] bool dry_runs_stick() const {
    const DryRuns seen = dry_runs_;
    return seen == DryRuns::stored || seen == DryRuns::unknown;
  }

  /// Removes the file if nothing is left.
  void finish();

  /// Empty for a journal that records nothing.
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

}  // namespace nodebound::journal
