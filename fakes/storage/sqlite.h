#pragma once

#include <cstdint>
#include <memory>
#include <sqlite3.h>
#include <string>
#include <string_view>

namespace nodebound::storage::sqlite {

struct Close {
  void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
};
using Connection = std::unique_ptr<sqlite3, Close>;

/// A prepared statement, used many times. Parameters count from 1, columns from 0.
class Statement {
 public:
  Statement() = default;
  /// Null if SQLite rejects `sql`; then every step fails.
  Statement(sqlite3* database, const char* sql) {
    sqlite3_stmt* made = nullptr;
    sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &made, nullptr);
    statement_.reset(made);
  }

  /// The text must outlive the next `run` or the last `step`.
  void bind(int at, std::string_view text) {
    sqlite3_bind_text64(statement_.get(), at, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
  }
  void bind(int at, std::uint64_t number) {
    sqlite3_bind_int64(statement_.get(), at, static_cast<sqlite3_int64>(number));
  }

  /// SQLITE_ROW, SQLITE_DONE or an error.
  int step() { return statement_ ? sqlite3_step(statement_.get()) : SQLITE_ERROR; }
  /// Runs a statement that gives no rows; SQLITE_OK or an error.
  int run() {
    const int code = step();
    sqlite3_reset(statement_.get());
    return code == SQLITE_DONE ? SQLITE_OK : code;
  }

  /// Makes the statement ready for its next run.
  void reset() { sqlite3_reset(statement_.get()); }

  [[nodiscard]] std::string_view text(int column) const {
    const unsigned char* bytes = sqlite3_column_text(statement_.get(), column);
    const int size = sqlite3_column_bytes(statement_.get(), column);
    return bytes == nullptr ? std::string_view()
                            : std::string_view(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  }
  [[nodiscard]] std::uint64_t number(int column) const {
    return static_cast<std::uint64_t>(sqlite3_column_int64(statement_.get(), column));
  }

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// The first column of the first row; 0 if there is none.
inline std::uint64_t number_of(sqlite3* database, const char* sql) {
  Statement statement(database, sql);
  return statement.step() == SQLITE_ROW ? statement.number(0) : 0;
}

}  // namespace nodebound::storage::sqlite
