#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/journal/ledger.h"

namespace nodebound {

/// `journal-RUN.jsonl`
std::string journal_name(const std::string& run);

/// A journal in a folder, as far as can be seen without reading it.
struct FoundJournal {
  enum class State {
    left_behind,  ///< by a run that was killed, or that could not remove everything
    in_use,       ///< by a run, or by `clean`
    unreadable    ///< or no file of ours: a symbolic link, a pipe, of another user
  };

  std::filesystem::path file;
  State state = State::left_behind;
  std::string why;  ///< it is unreadable
};

/// The journals of a folder, by name.
std::vector<FoundJournal> find_journals(const std::filesystem::path& folder);

/// The journal of a run that has ended, locked against everybody else. What it says may be forged.
class JournalFile {
 public:
  static Result<JournalFile> open(const std::filesystem::path& file);

  /// Nothing was written down, so nothing was made.
  [[nodiscard]] bool is_blank() const { return blank_; }
  [[nodiscard]] const JournalHeader& header() const { return header_; }
  [[nodiscard]] const Ledger& ledger() const { return ledger_; }
  /// When something was last written to it.
  [[nodiscard]] std::chrono::system_clock::time_point last_write() const { return last_write_; }

  /// Everything that it names is gone.
  void remove();

  JournalFile(JournalFile&& other) noexcept;
  JournalFile& operator=(JournalFile&&) = delete;
  JournalFile(const JournalFile&) = delete;
  JournalFile& operator=(const JournalFile&) = delete;
  ~JournalFile();

 private:
  explicit JournalFile(std::filesystem::path file) : file_(std::move(file)) {}

  Result<void> take();
  Result<void> read();
  Result<void> read_line(std::string_view line, std::size_t number);

  std::filesystem::path file_;
  int descriptor_ = -1;
  bool blank_ = false;
  JournalHeader header_;
  Ledger ledger_;
  std::chrono::system_clock::time_point last_write_;
};

}  // namespace nodebound
