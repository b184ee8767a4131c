#include "fakes/storage/sqlite_journal.h"

#include <optional>
#include <utility>

#include "fakes/files/private_file.h"
#include "fakes/storage/last_commit.h"
#include "fakes/storage/row_digest.h"
#include "fakes/storage/sqlite.h"

namespace nodebound::storage {
namespace {

namespace fs = std::filesystem;
using sqlite::Statement;

constexpr const char* kFile = "nodebound.db";
/// Marks our databases: `NbJl`.
constexpr std::uint64_t kApplication = 0x4e624a6c;
constexpr std::uint64_t kSchema = 2;
/// The previous schema, whose rows have no digests.
constexpr std::uint64_t kWithoutDigests = 1;

constexpr const char* kMake = R"(
  BEGIN;
  CREATE TABLE revisions (version INTEGER PRIMARY KEY, api_group TEXT NOT NULL, resource TEXT NOT NULL,
                          namespace TEXT NOT NULL, name TEXT NOT NULL, deleted INTEGER NOT NULL, object TEXT NOT NULL,
                          digest INTEGER NOT NULL DEFAULT 0);
  CREATE TABLE forgotten (resource TEXT PRIMARY KEY, version INTEGER NOT NULL,
                          digest INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
  CREATE TABLE counters (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL, uids INTEGER NOT NULL,
                         rows INTEGER NOT NULL DEFAULT 0, digest INTEGER NOT NULL DEFAULT 0);
  INSERT INTO counters (id, version, uids) VALUES (1, 1, 0);
  PRAGMA application_id = 1315064428;
)";
static_assert(kApplication == 1315064428, "as in the statements");

constexpr const char* kAddDigests = R"(
  BEGIN;
  ALTER TABLE revisions ADD COLUMN digest INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE forgotten ADD COLUMN digest INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE counters ADD COLUMN rows INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE counters ADD COLUMN digest INTEGER NOT NULL DEFAULT 0;
)";

constexpr const char* kWithDigests = "PRAGMA user_version = 2; COMMIT";
static_assert(kSchema == 2, "as in the statement");

constexpr const char* kRevisions =
    "SELECT version, api_group, resource, namespace, name, deleted, object, digest FROM revisions ORDER BY version";
constexpr const char* kForgotten = "SELECT resource, version, digest FROM forgotten";

constexpr int kOpen = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_NOFOLLOW;

/// A commit survives a crash of the process or the machine.
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

std::uint64_t digest_of(std::uint64_t version, const ObjectKey& key, bool deleted, std::string_view object) {
  RowDigest digest;
  digest.add(version).add(key.group).add(key.resource).add(key.namespace_).add(key.name);
  return digest.add(deleted ? 1U : 0U).add(object).value();
}

/// The digest of the current row of `kRevisions`.
std::uint64_t revision_digest(const Statement& row) {
  RowDigest digest;
  digest.add(row.number(0));
  for (const int column : {1, 2, 3, 4}) digest.add(row.text(column));
  return digest.add(row.number(5)).add(row.text(6)).value();
}

std::uint64_t digest_of(std::string_view resource, std::uint64_t version) {
  return RowDigest().add(resource).add(version).value();
}

/// `rows` is the sum of all other rows' digests. It reveals a row that is lost or has come back, which no row's own
/// digest can.
std::uint64_t counters_digest(std::uint64_t version, std::uint64_t uids, std::uint64_t rows) {
  return RowDigest().add(version).add(uids).add(rows).value();
}

}  // namespace

class SqliteJournal::Database {
 public:
  explicit Database(fs::path path) : path_(std::move(path)) {}

  Result<void> open(unsigned most_pages) {
    sqlite3* made = nullptr;
    const int code = sqlite3_open_v2(path_.c_str(), &made, kOpen, nullptr);
    connection_.reset(made);
    if (code != SQLITE_OK) return error();
    // SQLite opens a database read-only if it may not write it.
    if (sqlite3_db_readonly(made, "main") == 1) return failed(SQLITE_READONLY, path_, "it is read-only");
    if (!run("PRAGMA locking_mode = EXCLUSIVE")) return error();
    if (Result<void> ours = check(); !ours) return ours;
    if (!run(kSetUp)) return error();
    if (most_pages != 0 && !run(("PRAGMA max_page_count = " + std::to_string(most_pages)).c_str())) return error();
    if (is_new_ && !run(kMake)) return error();
    if (lacks_digests_ && !run(kAddDigests)) return error();
    if ((is_new_ || lacks_digests_) && !(write_digests() && run(kWithDigests))) return error();
    // Fails now, and not at the first request, if nothing can be written. SQLite skips a write that changes nothing.
    if (!run("BEGIN IMMEDIATE; UPDATE counters SET uids = uids + 1; UPDATE counters SET uids = uids - 1; COMMIT")) {
      return error();
    }
    prepare();
    return {};
  }

  Result<StoreState> read(const std::optional<LastCommit::Mark>& last) {
    StoreState state;
    Statement integrity(db(), "PRAGMA quick_check(1)");
    if (integrity.step() != SQLITE_ROW) return error();
    if (integrity.text(0) != "ok") return damaged(std::string(integrity.text(0)));
    Statement counters(db(), "SELECT version, uids, rows, digest FROM counters");
    if (counters.step() != SQLITE_ROW) return damaged("it has lost its counters");
    state.version = counters.number(0);
    state.uids = counters.number(1);
    if (counters.number(3) != counters_digest(state.version, state.uids, counters.number(2))) {
      return damaged("its counters are not what was written");
    }
    Statement forgotten(db(), kForgotten);
    int code = forgotten.step();
    for (; code == SQLITE_ROW; code = forgotten.step()) {
      if (forgotten.number(2) != digest_of(forgotten.text(0), forgotten.number(1))) {
        return damaged("what it has forgotten is not what was written");
      }
      state.forgotten[std::string(forgotten.text(0))] = forgotten.number(1);
      rows_ += forgotten.number(2);
    }
    if (code != SQLITE_DONE) return error();
    Statement rows(db(), kRevisions);
    code = rows.step();
    for (; code == SQLITE_ROW; code = rows.step()) {
      Object object = parsed(rows.text(6));
      const std::uint64_t version = rows.number(0);
      rows_ += rows.number(7);
      if (rows.number(7) != revision_digest(rows) || !object.is_object() || version > state.version) {
        return damaged("revision " + std::to_string(version) + " is not what was written");
      }
      state.revisions.push_back(
          {{std::string(rows.text(1)), std::string(rows.text(2)), std::string(rows.text(3)), std::string(rows.text(4))},
           version,
           rows.number(5) != 0,
           std::make_shared<const Object>(std::move(object))});
    }
    if (code != SQLITE_DONE) return error();
    if (rows_ != counters.number(2)) return damaged("revisions are missing, or are back again");
    if (last && (state.version < last->version || (state.version == last->version && rows_ != last->rows))) {
      return damaged("version " + std::to_string(last->version) + " was acknowledged, and it ends with " +
                     std::to_string(state.version));
    }
    return state;
  }

  /// From now on, marks each commit in that file.
  Result<void> mark(LastCommit last, const PrivateFolder& folder, std::uint64_t version) {
    last_ = std::move(last);
    return last_->begin(folder, {version, rows_});
  }

  Result<void> append(const JournalEntry& entry) {
    const std::uint64_t before = rows_;
    if (begin_.run() == SQLITE_OK && write(entry) && commit_.run() == SQLITE_OK) {
      last_->write({entry.version, rows_});
      return {};
    }
    const auto why = error();
    rows_ = before;
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

  /// Checks before anything is changed, so that another program's database stays as it is.
  Result<void> check() {
    if (!run("SELECT count(*) FROM sqlite_schema")) return error();
    const std::uint64_t application = sqlite::number_of(db(), "PRAGMA application_id");
    const std::uint64_t schema = sqlite::number_of(db(), "PRAGMA user_version");
    is_new_ = application == 0 && sqlite::number_of(db(), "SELECT count(*) FROM sqlite_schema") == 0;
    if (is_new_) return {};
    lacks_digests_ = application == kApplication && schema == kWithoutDigests;
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
    insert_ = Statement(db(), "INSERT INTO revisions VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
    known_ = Statement(db(), "SELECT digest FROM forgotten WHERE resource = ?1");
    forget_ = Statement(db(), "INSERT OR REPLACE INTO forgotten VALUES (?1, ?2, ?3)");
    remove_ = Statement(db(), "DELETE FROM revisions WHERE version = ?1 RETURNING digest");
    count_ = Statement(db(), "UPDATE counters SET version = ?1, uids = ?2, rows = ?3, digest = ?4");
  }

  /// Subtracts from the sum the digest that the statement returns, if it returns one.
  bool take_from_sum(Statement& statement) {
    int code = statement.step();
    if (code == SQLITE_ROW) {
      rows_ -= statement.number(0);
      code = statement.step();
    }
    statement.reset();
    return code == SQLITE_DONE;
  }

  /// Gives every row its digest.
  bool write_digests() {
    std::uint64_t sum = 0;
    const auto each = [&](const char* rows, const char* update, const auto& digest) {
      Statement from(db(), rows);
      Statement to(db(), update);
      int code = from.step();
      for (; code == SQLITE_ROW; code = from.step()) {
        const std::uint64_t value = digest(from, to);
        sum += value;
        to.bind(2, value);
        if (to.run() != SQLITE_OK) return false;
      }
      return code == SQLITE_DONE;
    };
    const bool done = each(kRevisions, "UPDATE revisions SET digest = ?2 WHERE version = ?1",
                           [](const Statement& row, Statement& to) {
                             to.bind(1, row.number(0));
                             return revision_digest(row);
                           }) &&
                      each(kForgotten, "UPDATE forgotten SET digest = ?2 WHERE resource = ?1",
                           [](const Statement& row, Statement& to) {
                             to.bind(1, row.text(0));
                             return digest_of(row.text(0), row.number(1));
                           });
    const std::uint64_t version = sqlite::number_of(db(), "SELECT version FROM counters");
    const std::uint64_t uids = sqlite::number_of(db(), "SELECT uids FROM counters");
    Statement count(db(), "UPDATE counters SET rows = ?1, digest = ?2");
    count.bind(1, sum);
    count.bind(2, counters_digest(version, uids, sum));
    return done && count.run() == SQLITE_OK;
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
      const std::uint64_t digest = digest_of(revision.version, revision.key, revision.deleted, object);
      insert_.bind(8, digest);
      if (insert_.run() != SQLITE_OK) return false;
      rows_ += digest;
    }
    for (const auto& [resource, version] : entry.forgotten) {
      known_.bind(1, resource);
      if (!take_from_sum(known_)) return false;
      const std::uint64_t digest = digest_of(resource, version);
      forget_.bind(1, resource);
      forget_.bind(2, version);
      forget_.bind(3, digest);
      if (forget_.run() != SQLITE_OK) return false;
      rows_ += digest;
    }
    for (const std::uint64_t version : entry.obsolete) {
      remove_.bind(1, version);
      if (!take_from_sum(remove_)) return false;
    }
    count_.bind(1, entry.version);
    count_.bind(2, entry.uids);
    count_.bind(3, rows_);
    count_.bind(4, counters_digest(entry.version, entry.uids, rows_));
    return count_.run() == SQLITE_OK;
  }

  const fs::path path_;
  bool is_new_ = false;
  bool lacks_digests_ = false;
  std::uint64_t rows_ = 0;  ///< the sum of the digests of all rows except the counters
  std::optional<LastCommit> last_;
  sqlite::Connection connection_;
  Statement begin_;
  Statement commit_;
  Statement rollback_;
  Statement insert_;
  Statement known_;
  Statement forget_;
  Statement remove_;
  Statement count_;
};

SqliteJournal::SqliteJournal(std::unique_ptr<Database> database) : database_(std::move(database)) {}

SqliteJournal::~SqliteJournal() = default;

Result<std::shared_ptr<SqliteJournal>> SqliteJournal::open(const fs::path& folder, unsigned most_pages) {
  // The database contains Secrets.
  const auto own = PrivateFolder::open("--data-dir", folder);
  if (!own) return tl::unexpected(own.error());
  // A user who moved the database away starts with an empty one, so its mark goes. An emptied database, however, is
  // damaged.
  if (std::error_code ignored; !fs::exists(own->path() / kFile, ignored)) LastCommit::remove(own->path());
  // SQLite gives its other files the mode of the database.
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
    const bool is_database = *suffix == '\0';
    if (Result<void> kept = own->keep_private(std::string(kFile) + suffix, is_database); !kept) {
      return tl::unexpected(kept.error());
    }
  }
  auto database = std::make_unique<Database>(own->path() / kFile);
  if (Result<void> opened = database->open(most_pages); !opened) return tl::unexpected(opened.error());
  Result<LastCommit> last = LastCommit::open(*own);
  if (!last) return tl::unexpected(last.error());
  Result<StoreState> state = database->read(last->found());
  if (!state) return tl::unexpected(state.error());
  if (Result<void> marked = database->mark(std::move(*last), *own, state->version); !marked) {
    return tl::unexpected(marked.error());
  }
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

}  // namespace nodebound::storage
