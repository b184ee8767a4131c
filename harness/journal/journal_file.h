#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/journal/ledger.h"

namespace nodebound::journal {

/// `journal-RUN.jsonl`
std::string journal_name(const std::string& run);

/// A journal in a folder, described without reading its content.
struct FoundJournal {
  enum class State {
    left_behind,  ///< a run left it: one that was killed, or that could not remove everything
    in_use,       ///< by a run, or by `clean`
    unreadable    ///< not readable, or no file of ours: a symbolic link, a pipe, another user's file
  };

  std::filesystem::path file;
  State state = State::left_behind;
  std::string why;  ///< the reason why it is unreadable
};

/// The journals of a folder, by name.
std::vector<FoundJournal> find_journals(const std::filesystem::path& folder);

/// The journal of a run that has ended, locked against everybody else. Its content may be forged.
class JournalFile {
 public:
  static Result<JournalFile> open(const std::filesystem::path& file);

  /// The journal names nothing, so nothing was made.
  [[nodiscard]] bool is_blank() const { return blank_; }
  [[nodiscard]] const JournalHeader& header() const { return header_; }
  [[nodiscard]] const Ledger& ledger() const { return ledger_; }
  /// When it was last written.
  [[nodiscard]] std::chrono::system_clock::time_point last_write() const { return last_write_; }

  /// Everything that it names has been removed.
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

}  // namespace nodebound::journal
