#pragma once

#include <filesystem>
#include <memory>

#include "fakes/store/journal.h"

namespace nodebound {

/// A journal in a SQLite database, `nodebound.db` of a folder, that is this process's alone while it is open.
class SqliteJournal final : public StoreJournal {
 public:
  /// Makes the folder and the database where there are none, and reads what is there. The error says what is wrong with
  /// them: in use, read-only, full, damaged, of another program, of a newer Nodebound. `most_pages` bounds the size of
  /// the database; 0 does not.
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

}  // namespace nodebound
