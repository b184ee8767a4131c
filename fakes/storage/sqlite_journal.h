#pragma once

#include <filesystem>
#include <memory>

#include "fakes/store/journal.h"

namespace nodebound::storage {

/// A journal in a SQLite database, `nodebound.db` in a folder. While it is open, no other process can use it.
class SqliteJournal final : public StoreJournal {
 public:
  /// Makes the folder and the database if they do not exist, and reads the stored state. The error says what is wrong
  /// with them: in use, read-only, full, damaged, of another program, of a newer Nodebound. `most_pages` limits the
  /// size of the database; 0: no limit.
  static Result<std::shared_ptr<SqliteJournal>> open(const std::filesystem::path& folder, unsigned most_pages = 0);

  ~SqliteJournal() override;

  SqliteJournal(const SqliteJournal&) = delete;
  SqliteJournal& operator=(const SqliteJournal&) = delete;

  StoreState recovered() override;
  Result<void> append(const JournalEntry& entry) override;

 private:
  class Database;
  explicit SqliteJournal(std::unique_ptr<Database> database);

  std::unique_ptr<Database> database_;
  StoreState recovered_;
};

}  // namespace nodebound::storage
