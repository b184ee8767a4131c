#include "fakes/storage/sqlite_journal.h"

#include <utility>

#include "fakes/storage/sqlite.h"

namespace nodebound {
namespace {

namespace fs = std::filesystem;
using sqlite::Statement;

constexpr const char* kFile = "nodebound.db";
/// What tells our databases from those of other programs: `NbJl`.
constexpr std::uint64_t kApplication = 0x4e624a6c;
constexpr std::uint64_t kSchema = 1;

constexpr const char* kMake = R"(
  BEGIN;
  CREATE TABLE revisions (version INTEGER PRIMARY KEY, api_group TEXT NOT NULL, resource TEXT NOT NULL,
                          namespace TEXT NOT NULL, name TEXT NOT NULL, deleted INTEGER NOT NULL, object TEXT NOT NULL);
  CREATE TABLE forgotten (resource TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE counters (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL, uids INTEGER NOT NULL);
  INSERT INTO counters VALUES (1, 1, 0);
  PRAGMA application_id = 1315064428;
  PRAGMA user_version = 1;
  COMMIT;
)";
static_assert(kApplication == 1315064428 && kSchema == 1, "as in the statements");

/// Durable once committed, whatever happens to the process or the machine.
constexpr const char* kSetUp = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL";

tl::unexpected<Error> failed(int code, const fs::path& path, const std::string& message) {
  const std::string where = "--data-dir: " + path.string();
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return unreachable_error(where, "another process has it open",
                               "end the other nodebound serve, or name another folder");
    case SQLITE_FULL:
      return unreachable_error(where, "no room is left to write it (" + message + ")",
                               "make room, or name a folder on another disk; nothing that was stored is lost");
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
    case SQLITE_AUTH:
      return input_error(where, "cannot be opened for writing (" + message + ")",
                         "let this user write the folder and what is in it, or name another");
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      return input_error(where, "is damaged, or no database at all (" + message + ")",
                         "put a copy of it back, or move it away to begin with nothing");
    default:
      return unreachable_error(where, "cannot be read or written (" + message + ")",
                               "see whether the disk is well, or name a folder on another");
  }
}

Object parsed(std::string_view json) {
  return Object::parse(json, nullptr, false);
}

}  // namespace

class SqliteJournal::Database {
 public:
  explicit Database(fs::path path) : path_(std::move(path)) {}

  Result<void> open(unsigned most_pages) {
    sqlite3* made = nullptr;
    const int code = sqlite3_open_v2(path_.c_str(), &made,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX, nullptr);
    connection_.reset(made);
    if (code != SQLITE_OK) return error();
    // SQLite is content with reading what it may not write.
    if (sqlite3_db_readonly(made, "main") == 1) return failed(SQLITE_READONLY, path_, "it is read-only");
    if (!run("PRAGMA locking_mode = EXCLUSIVE")) return error();
    if (Result<void> ours = check(); !ours) return ours;
    if (!run(kSetUp)) return error();
    if (most_pages != 0 && !run(("PRAGMA max_page_count = " + std::to_string(most_pages)).c_str())) return error();
    if (is_new_ && !run(kMake)) return error();
    // Finds out now, not at the first request, that nothing can be written.
    if (!run("UPDATE counters SET uids = uids")) return error();
    prepare();
    return {};
  }

  Result<StoreState> read() {
    StoreState state;
    Statement integrity(db(), "PRAGMA quick_check(1)");
    if (integrity.step() != SQLITE_ROW) return error();
    if (integrity.text(0) != "ok") return damaged(std::string(integrity.text(0)));
    Statement counters(db(), "SELECT version, uids FROM counters");
    if (counters.step() != SQLITE_ROW) return damaged("it has lost its counters");
    state.version = counters.number(0);
    state.uids = counters.number(1);
    Statement forgotten(db(), "SELECT resource, version FROM forgotten");
    while (forgotten.step() == SQLITE_ROW) state.forgotten[std::string(forgotten.text(0))] = forgotten.number(1);
    Statement rows(db(),
                   "SELECT version, api_group, resource, namespace, name, deleted, object FROM revisions "
                   "ORDER BY version");
    int code = rows.step();
    for (; code == SQLITE_ROW; code = rows.step()) {
      Object object = parsed(rows.text(6));
      const std::uint64_t version = rows.number(0);
      if (!object.is_object() || version > state.version) {
        return damaged("revision " + std::to_string(version) + " is not what was written");
      }
      state.revisions.push_back(
          {{std::string(rows.text(1)), std::string(rows.text(2)), std::string(rows.text(3)), std::string(rows.text(4))},
           version,
           rows.number(5) != 0,
           std::make_shared<const Object>(std::move(object))});
    }
    if (code != SQLITE_DONE) return error();
    return state;
  }

  Result<void> append(const JournalEntry& entry) {
    if (begin_.run() == SQLITE_OK && write(entry) && commit_.run() == SQLITE_OK) return {};
    const auto why = error();
    if (sqlite3_get_autocommit(db()) == 0) rollback_.run();
    return why;
  }

 private:
  [[nodiscard]] sqlite3* db() const { return connection_.get(); }
  [[nodiscard]] bool run(const char* sql) const {
    return sqlite3_exec(db(), sql, nullptr, nullptr, nullptr) == SQLITE_OK;
  }
  [[nodiscard]] tl::unexpected<Error> error() const {
    return failed(sqlite3_extended_errcode(db()), path_, sqlite3_errmsg(db()));
  }
  [[nodiscard]] tl::unexpected<Error> damaged(const std::string& what) const {
    return failed(SQLITE_CORRUPT, path_, what);
  }

  /// Looks before anything is changed: a database of somebody else's stays as it is.
  Result<void> check() {
    if (!run("SELECT count(*) FROM sqlite_schema")) return error();
    const std::uint64_t application = sqlite::number_of(db(), "PRAGMA application_id");
    const std::uint64_t schema = sqlite::number_of(db(), "PRAGMA user_version");
    is_new_ = application == 0 && sqlite::number_of(db(), "SELECT count(*) FROM sqlite_schema") == 0;
    if (is_new_) return {};
    const std::string where = "--data-dir: " + path_.string();
    if (application != kApplication) {
      return input_error(where, "is a database of another program", "name another folder");
    }
    if (schema <= kSchema) return {};
    return input_error(where,
                       "was written by a newer Nodebound: its schema is " + std::to_string(schema) +
                           ", this one knows up to " + std::to_string(kSchema),
                       "use that Nodebound, or name another folder");
  }

  void prepare() {
    begin_ = Statement(db(), "BEGIN IMMEDIATE");
    commit_ = Statement(db(), "COMMIT");
    rollback_ = Statement(db(), "ROLLBACK");
    insert_ = Statement(db(), "INSERT INTO revisions VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    forget_ = Statement(db(), "INSERT OR REPLACE INTO forgotten VALUES (?1, ?2)");
    remove_ = Statement(db(), "DELETE FROM revisions WHERE version = ?1");
    count_ = Statement(db(), "UPDATE counters SET version = ?1, uids = ?2");
  }

  bool write(const JournalEntry& entry) {
    for (const Revision& revision : entry.revisions) {
      const std::string object = json_text(*revision.object);
      insert_.bind(1, revision.version);
      insert_.bind(2, revision.key.group);
      insert_.bind(3, revision.key.resource);
      insert_.bind(4, revision.key.namespace_);
      insert_.bind(5, revision.key.name);
      insert_.bind(6, revision.deleted ? 1U : 0U);
      insert_.bind(7, object);
      if (insert_.run() != SQLITE_OK) return false;
    }
    for (const auto& [resource, version] : entry.forgotten) {
      forget_.bind(1, resource);
      forget_.bind(2, version);
      if (forget_.run() != SQLITE_OK) return false;
    }
    for (const std::uint64_t version : entry.obsolete) {
      remove_.bind(1, version);
      if (remove_.run() != SQLITE_OK) return false;
    }
    count_.bind(1, entry.version);
    count_.bind(2, entry.uids);
    return count_.run() == SQLITE_OK;
  }

  const fs::path path_;
  bool is_new_ = false;
  sqlite::Connection connection_;
  Statement begin_;
  Statement commit_;
  Statement rollback_;
  Statement insert_;
  Statement forget_;
  Statement remove_;
  Statement count_;
};

SqliteJournal::SqliteJournal(std::unique_ptr<Database> database) : database_(std::move(database)) {}

SqliteJournal::~SqliteJournal() = default;

Result<std::shared_ptr<SqliteJournal>> SqliteJournal::open(const fs::path& folder, unsigned most_pages) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder, error)) {
    return input_error("--data-dir: " + folder.string(),
                       "is no folder, and cannot be made one" + (error ? " (" + error.message() + ")" : std::string()),
                       "name one that this user may write");
  }
  auto database = std::make_unique<Database>(folder / kFile);
  if (Result<void> opened = database->open(most_pages); !opened) return tl::unexpected(opened.error());
  Result<StoreState> state = database->read();
  if (!state) return tl::unexpected(state.error());
  std::shared_ptr<SqliteJournal> journal(new SqliteJournal(std::move(database)));
  journal->recovered_ = std::move(*state);
  return journal;
}

StoreState SqliteJournal::recovered() {
  return std::exchange(recovered_, {});
}

Result<void> SqliteJournal::append(const JournalEntry& entry) {
  return database_->append(entry);
}

}  // namespace nodebound
